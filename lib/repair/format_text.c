/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes a text of a format that readers can read to its end. They must get the same fields as
 * repair used. So the text is cut where reading ended, and NULs before the fields are replaced. A
 * print fmt is made of the fields if its own is broken. A made text is parsed again before it is
 * used.
 */
#include <string.h>

#include "model/format.h"
#include "repair.h"

/* Other readers end a text at a NUL: none may stay before the fields. */
static void fill_head(char *text, size_t len)
{
	static const char mark[] = "\nformat:";
	const char *fields = memmem(text, len, mark, sizeof(mark) - 1);
	const size_t head_len = fields ? (size_t)(fields - text) : 0;

	for (size_t i = 0; i < head_len; i++)
		text[i] = text[i] ? text[i] : '_';
}

/*
 * Parses a text as readers of the new file will. *out: NULL if it cannot be parsed. False: no
 * memory.
 */
static bool parse(const struct repair *r, const char *system, struct tdat_span text,
		  struct tdat_event_format **out)
{
	const struct dat_index *ix = &r->file->ix;

	*out = NULL;
	return model_format_parse(out, system, text, 0, ix->big, ix->long_size, NULL) !=
	       TDAT_E_NOMEM;
}

/* Returns the conversion of a field in a print fmt; NULL: a print fmt cannot show it as a whole. */
static const char *conversion(const struct tdat_field *f)
{
	const bool is_signed = f->flags & TDAT_FIELD_SIGNED;

	if (f->flags & TDAT_FIELD_STRING)
		return f->flags & TDAT_FIELD_FLEXIBLE ? NULL : "%s";
	if (f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_FLEXIBLE | TDAT_FIELD_DYNAMIC))
		return NULL;
	if (f->len == 8)
		return is_signed ? "%lld" : "%llu";
	if (f->len == 1 || f->len == 2 || f->len == 4)
		return is_signed ? "%d" : "%u";
	return NULL;
}

static bool is_shown(const struct tdat_field *f)
{
	return conversion(f) && model_is_word(f->name);
}

/* Puts a print fmt that shows the fields of a format. */
static void put_print_fmt(struct tdat_build *b, const struct tdat_event_format *format)
{
	const char *between = "";

	tdat_build_str(b, "print fmt: \"");
	for (size_t i = format->common_count; i < format->field_count; i++) {
		const struct tdat_field *f = &format->fields[i];

		if (!is_shown(f))
			continue;
		tdat_build_printf(b, "%s%s=%s", between, f->name, conversion(f));
		between = " ";
	}
	tdat_build_str(b, "\"");
	for (size_t i = format->common_count; i < format->field_count; i++) {
		const struct tdat_field *f = &format->fields[i];

		if (!is_shown(f))
			continue;
		if (f->flags & TDAT_FIELD_DYNAMIC)
			tdat_build_printf(b, ", __get_%sstr(%s)",
					  f->flags & TDAT_FIELD_RELATIVE ? "rel_" : "", f->name);
		else
			tdat_build_printf(b, ", REC->%s", f->name);
	}
	tdat_build_str(b, "\n");
}

/*
 * Gives a format without a print fmt one, and records a last field for the bytes of those that may
 * be cut off; *text is its new text. False: no memory.
 */
static bool add_print_fmt(const struct repair *r, const struct tdat_event_format *format,
			  struct tdat_span *text)
{
	size_t len = text->len;
	struct tdat_build b;
	char *copy = NULL;

	while (len && (!text->ptr[len - 1] || strchr(" \t\n", text->ptr[len - 1])))
		len--;
	tdat_build_init(&b, r->file->ix.big);
	tdat_build_bytes(&b, text->ptr, len);
	/* An empty line ends the common fields, and another one the event's own. */
	tdat_build_str(&b, format->field_count > format->common_count ? "\n" : "\n\n");
	if (!format->field_count ||
	    !(format->fields[format->field_count - 1].flags & TDAT_FIELD_FLEXIBLE))
		tdat_build_printf(&b, "\tfield:char unread[];\toffset:%zu;\tsize:0;\tsigned:0;\n",
				  format->fixed_len);
	tdat_build_str(&b, "\n");
	put_print_fmt(&b, format);
	if (!b.failed)
		copy = tdat_arena_strndup(&r->w->meta.arena, b.ptr, b.len);
	*text = (struct tdat_span){(const uint8_t *)copy, b.len};
	tdat_build_fini(&b);
	return copy;
}

/* Parsing the made text again proves that readers will get the same fields. */
bool repair_format_text(struct repair *r, const char *system, struct tdat_span *text,
			struct tdat_event_format **out)
{
	char *copy = tdat_arena_strndup(&r->w->meta.arena, text->ptr, text->len);
	struct tdat_event_format *format;
	struct tdat_span now = {(const uint8_t *)copy, text->len};
	bool memory = true;

	*out = NULL;
	if (!copy)
		return false;
	fill_head(copy, now.len);
	if (!parse(r, system, now, &format))
		return false;
	/* At most two steps: what is not read is cut off, and a print fmt is put there. */
	for (int step = 0; step < 2 && memory && format && format->unread_off; step++) {
		if (format->unread_off < now.len)
			now.len = format->unread_off;
		else
			memory = add_print_fmt(r, format, &now);
		model_format_free(format);
		format = NULL;
		memory = memory && parse(r, system, now, &format);
	}
	if (format && format->unread_off) {
		model_format_free(format);
		format = NULL;
	}
	*text = now;
	*out = format;
	return memory;
}
