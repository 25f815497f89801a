/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines synthetic events. Their records are laid out as the kernel does: each field starts at
 * a multiple of 8, a char array takes 256 bytes, and strings without a size and stacks lie
 * behind all fields. A definition is parsed and refused as the kernel does. An event that the
 * file has and no text defined is taken from its format. Called by session.c for definitions
 * and by hit.c for each record.
 */
#include "synth.h"

#include <stdio.h>

#include "core/common_fields.h"
#include "core/grow.h"
#include "core/text.h"
#include "refuse.h"

/* Errors of synthetic events have their own prefix in error_log, and the definition as command. */
static bool refuse(struct tdat_hist *h, const char *text, const char *cmd, const char *word)
{
	const char *at = word ? strstr(cmd, word) : NULL;

	return hist_refuse_at(h, "synthetic_events", text, cmd, at ? (size_t)(at - cmd) : 0);
}

/* The kernel's is_good_name(): a C identifier. */
static bool is_name(const char *s)
{
	const bool first = *s && !tdat_is_dec((uint8_t)*s);

	while (tdat_is_word((uint8_t)*s))
		s++;
	return first && !*s;
}

/* Bytes of an integer type; 0: it is not one that synthetic events may have. */
static uint32_t size_of_type(const struct tdat_hist *h, const char *type)
{
	/* The types of the kernel's synth_field_size(), without arrays. */
	static const struct {
		const char *name;
		uint32_t size; /* 0: that of a long */
	} types[] = {
		{"s64", 8},   {"u64", 8},	    {"s32", 4},	 {"u32", 4},
		{"s16", 2},   {"u16", 2},	    {"s8", 1},	 {"u8", 1},
		{"char", 1},  {"unsigned char", 1}, {"int", 4},	 {"unsigned int", 4},
		{"long", 0},  {"unsigned long", 0}, {"bool", 1}, {"pid_t", 4},
		{"gfp_t", 4}, {"size_t", 0},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].name, type))
			return types[i].size ? types[i].size : h->long_len;
	return 0;
}

/* "[16]" of a char array; 0: no size is given. */
static bool array_size(const char *array, uint32_t *size)
{
	const char *p = array + 1;
	uint64_t n;

	/* "[]": a string without a size, stored behind the fields. */
	if (*p == ']')
		return !p[1] && !(*size = 0);
	p = tdat_read_digits(p, NULL, 10, &n);
	*size = (uint32_t)n;
	return n && n <= HIST_STR && *p == ']' && !p[1];
}

/* Sets size and kind of a field by its type. */
static bool finish_field(struct tdat_hist *h, struct hist_synth_field *f, const char *type,
			 const char *array, const char *cmd, const char *word)
{
	f->type = hist_text(h, "%s%s", type, array);
	if (!f->type)
		return false;
	/* The kernel's synth_field_signed(): names that begin with u, and gfp_t, are unsigned. */
	f->is_signed = *type != 'u' && strcmp(type, "gfp_t") != 0;
	if (!*array) {
		f->size = size_of_type(h, type);
		return f->size || refuse(h, HIST_E_S_BAD_TYPE, cmd, word);
	}
	if (!strcmp(type, "char")) {
		f->is_string = true;
		f->is_signed = true;
		if (!array_size(array, &f->size))
			return refuse(h, HIST_E_S_BAD_TYPE, cmd, word);
		f->is_dynamic = !f->size;
		return true;
	}
	/* Stacks came with kernel 6.3. */
	if ((!strcmp(type, "long") || !strcmp(type, "unsigned long")) && !strcmp(array, "[]") &&
	    h->kernel.new_words) {
		f->is_stack = f->is_dynamic = true;
		return true;
	}
	return refuse(h, HIST_E_S_BAD_TYPE, cmd, word);
}

/* "unsigned int x", "char comm[16]" */
static bool parse_field(struct tdat_hist *h, struct hist_synth_field *f, char *text,
			const char *cmd)
{
	char *words[4], *array, *name;
	size_t count = 0;
	char *type;

	/* Four words at most are needed: one more than a valid field has. */
	for (char *p = text; p && count < 4;) {
		char *w = hist_cut(&p, " \t");

		if (*w)
			words[count++] = w;
	}
	if (count < 2)
		return refuse(h, count ? HIST_E_S_FIELD : HIST_E_S_CMD, cmd,
			      count ? words[0] : NULL);
	if (!strcmp(words[0], "unsigned")) {
		if (count < 3)
			return refuse(h, HIST_E_S_TYPE, cmd, words[0]);
		type = hist_text(h, "unsigned %s", words[1]);
		name = words[2];
		count--;
	} else {
		type = words[0];
		name = words[1];
	}
	if (count > 2)
		return refuse(h, HIST_E_S_FIELD, cmd, words[count - 1]);
	if (!type)
		return false;
	array = strchr(name, '[');
	f->name = hist_strndup(h, name, array ? (size_t)(array - name) : strlen(name));
	if (!f->name)
		return false;
	if (!is_name(f->name))
		return refuse(h, HIST_E_S_NAME, cmd, f->name);
	/* "char[16] x" means the same as "char x[16]". */
	if (!array && (array = strchr(type, '['))) {
		const char *brackets = hist_strdup(h, array);

		*array = '\0';
		return brackets && finish_field(h, f, type, brackets, cmd, words[0]);
	}
	return finish_field(h, f, type, array ? array : "", cmd, words[0]);
}

/* ---- the record ---- */

/* The format file that the kernel shows for the event. */
static void put_format(struct tdat_build *b, struct hist_synth *s, uint32_t id)
{
	uint32_t off = 8;

	tdat_build_printf(b, "name: %s\nID: %u\n" TDAT_COMMON_FIELDS, s->name, id);
	for (uint32_t i = 0; i < s->field_count; i++) {
		const struct hist_synth_field *f = &s->fields[i];
		/* Strings with a size take HIST_STR bytes, whatever their size is. */
		const bool fixed = f->is_string && !f->is_dynamic;

		tdat_build_printf(b, "\tfield:%s%.*s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
				  f->is_dynamic ? "__data_loc " : "",
				  fixed ? (int)strcspn(f->type, "[") : (int)strlen(f->type),
				  f->type, f->name, fixed ? "[]" : "", off,
				  f->is_dynamic ? 8 : f->size, f->is_signed);
		off += fixed ? HIST_STR : 8;
	}
	s->fixed_len = off;
	tdat_build_str(b, "\nprint fmt: \"\"\n");
}

/* Parses the event's own format text, so that it is handled like any event of the file. */
static bool make_event(struct tdat_hist *h, struct hist_synth *s)
{
	const struct tdat_event_format *old =
		tdat_file_format_by_name(h->file, "synthetic", s->name);
	/* Its id in the file, so that its records can be matched; 0 if the file has none. */
	const uint32_t id = old ? tdat_event_format_id(old) : 0;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_event_format *format = NULL;
	struct hist_event *e = NULL;
	struct tdat_build b;
	char *text;

	tdat_build_init(&b, false);
	put_format(&b, s, id);
	text = b.failed ? NULL : hist_strndup(h, (const char *)b.ptr, b.len);
	h->nomem |= b.failed;
	if (text && model_format_parse(&format, "synthetic",
				       (struct tdat_span){(const uint8_t *)text, b.len},
				       TDAT_NO_OFFSET, h->big, h->long_len, &err) == TDAT_OK)
		e = hist_event_new(h, "synthetic", s->name, id, format);
	h->nomem |= err.status == TDAT_E_NOMEM;
	tdat_build_fini(&b);
	if (!e) {
		model_format_free(format);
		return false;
	}
	e->own_format = format;
	e->synth = s;
	return true;
}

static bool keep(struct tdat_hist *h, struct hist_synth *s)
{
	if (!hist_grown(h, TDAT_GROW(h->synths, &h->synth_room, h->synth_count + 1)))
		return false;
	h->synths[h->synth_count++] = s;
	return true;
}

bool hist_synth_define(struct tdat_hist *h, const char *text)
{
	struct hist_synth *s = hist_alloc(h, 1, sizeof(*s));
	char *copy = hist_strdup(h, text), *rest, *p;

	if (!s || !copy)
		return false;
	p = hist_strip(copy);
	rest = p + strcspn(p, " \t");
	if (!*p || !*rest)
		return refuse(h, HIST_E_S_CMD, text, NULL);
	*rest++ = '\0';
	if (!is_name(p))
		return refuse(h, HIST_E_S_NAME, text, p);
	s->name = p;
	for (size_t i = 0; i < h->synth_count; i++)
		if (!strcmp(h->synths[i]->name, p))
			return refuse(h, HIST_E_S_EXISTS, text, p);
	while (rest) {
		char *field = hist_strip(hist_cut(&rest, ";"));

		if (!*field) /* a last ; is taken */
			continue;
		if (s->field_count == HIST_PARAMS)
			return refuse(h, HIST_E_S_MANY, text, field);
		if (!parse_field(h, &s->fields[s->field_count], field, text))
			return false;
		s->field_count++;
	}
	if (!s->field_count)
		return refuse(h, HIST_E_S_CMD, text, NULL);
	return make_event(h, s) && keep(h, s);
}

/* An event of the file that no text defined. */
static void fields_of_file(struct hist_synth *s, const struct hist_event *e)
{
	for (size_t i = 0; i < e->field_count; i++) {
		const struct hist_efield *f = &e->fields[i];
		struct hist_synth_field *out = &s->fields[s->field_count];

		if (hist_has_prefix(f->name, "common_"))
			continue;
		if (s->field_count == HIST_PARAMS)
			return;
		s->field_count++;
		out->name = f->name;
		out->is_dynamic = hist_has_prefix(f->type, "__data_loc ");
		out->type = f->type + (out->is_dynamic ? strlen("__data_loc ") : 0);
		out->size = out->is_dynamic ? 0 : f->len;
		out->is_signed = f->is_signed;
		out->is_stack = f->kind == HIST_TYPE_STACK;
		out->is_string = f->kind == HIST_TYPE_STATIC || f->kind == HIST_TYPE_DYN;
		s->fixed_len = f->off + (f->kind == HIST_TYPE_STATIC ? HIST_STR : 8);
	}
}

/* True if records of the event can be made by the kernel's layout. */
static bool is_laid_out(const struct hist_synth *s, const struct hist_event *e)
{
	/* 8 bytes of common fields. */
	uint32_t off = 8, n = 0;

	for (size_t i = 0; i < e->field_count; i++) {
		const struct hist_efield *f = &e->fields[i];

		if (hist_has_prefix(f->name, "common_"))
			continue;
		if (n++ >= s->field_count || f->off != off ||
		    (f->kind == HIST_TYPE_STATIC ? f->len > HIST_STR : f->len > 8))
			return false;
		off += f->kind == HIST_TYPE_STATIC ? HIST_STR : 8;
	}
	return n;
}

struct hist_event *hist_synth_find(struct tdat_hist *h, const char *name)
{
	struct hist_event *e = hist_event_find(h, "synthetic", name);
	struct hist_synth *s;

	/* Defined by a text, or prepared before. */
	if (!e || e->synth)
		return e;
	s = hist_alloc(h, 1, sizeof(*s));
	if (!s)
		return NULL;
	s->name = e->name;
	s->of_file = true;
	fields_of_file(s, e);
	if (!is_laid_out(s, e))
		return NULL;
	e->synth = s;
	return e;
}

/*
 * The number of frames and the frames, as longs. The kernel copies 16 longs at most, the number
 * among them, so that of 16 frames the last is left out.
 */
static size_t put_stack(const struct tdat_hist *h, const struct hist_text *t, uint8_t *out)
{
	const uint32_t frames = t->len < HIST_FRAMES ? t->len : HIST_FRAMES - 1;
	const uint32_t w = h->long_len;

	tdat_store_uint(out, w, t->len, h->big);
	for (uint32_t i = 0; i < frames; i++)
		tdat_store_uint(out + (size_t)w * (i + 1), w, t->u.frames[i], h->big);
	return (size_t)w * (frames + 1);
}

size_t hist_synth_record(const struct tdat_hist *h, const struct hist_event *e,
			 const struct hist_value *const *values, const struct hist_hit *from,
			 uint8_t *out)
{
	static const struct hist_text none;
	const struct hist_synth *s = e->synth;
	size_t len = s->fixed_len, off = 8;

	memset(out, 0, s->fixed_len);
	/* Flags, preempt count and pid are those of the event that led to it. */
	memcpy(out, from->record, from->len < 8 ? from->len : 8);
	tdat_store16(out, (uint16_t)e->id, h->big);
	out[3]++; /* it is written with one more preempt_disable() */
	for (uint32_t i = 0; i < s->field_count; i++) {
		const struct hist_synth_field *f = &s->fields[i];
		const struct hist_text *t = values[i]->str ? values[i]->str : &none;
		size_t n;

		/* Dynamic parts follow the fixed fields; len is the end of the last one. */
		if (f->is_dynamic) {
			if (f->is_stack) {
				n = put_stack(h, t, out + len);
			} else {
				n = t->len + 1;
				memcpy(out + len, t->u.text, t->len);
				out[len + t->len] = '\0';
			}
			/* __data_loc: length in the upper half, offset in the lower one. */
			tdat_store32(out + off, (uint32_t)(n << 16 | len), h->big);
			len += n;
		} else if (f->is_string) {
			memcpy(out + off, t->u.text, t->len < HIST_STR ? t->len : HIST_STR - 1);
		} else {
			tdat_store_uint(out + off, f->size, values[i]->num, h->big);
		}
		off += f->is_string && !f->is_dynamic ? HIST_STR : 8;
	}
	return len;
}
