/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads format files of all kernels: with and without "signed:", old and new arrays. Input is
 * the text of a format file, borrowed until the format is freed; output is an immutable struct
 * tdat_event_format, which all threads share. Offsets and sizes of fields are checked here once:
 * later code relies on them. A text that breaks off gives what was read of it, for printing
 * only.
 */
#include "format.h"

#include <stdlib.h>
#include <string.h>

#include "lex.h"
#include "core/text.h"

/* The state of reading one format file. */
struct reader {
	struct model_lex lex;
	struct tdat_event_format *format;
	uint64_t off; /* of the text in the file */
	size_t cap;   /* of format->fields */
	/*
	 * The system is ftrace, whose old formats have a syntax of their own ("field special:",
	 * "a.b").
	 */
	bool ftrace;
	const char *why; /* what was expected where reading failed */
};

/* Notes what was expected; always false. */
static bool fail(struct reader *r, const char *expected)
{
	r->why = expected;
	return false;
}

/* Takes the next token, which must be text. Only the first failure is kept in r->why. */
static bool expect(struct reader *r, enum model_tok_type type, const char *text)
{
	struct model_tok tok = model_lex_next(&r->lex);

	if (model_tok_is(&tok, type, text))
		return true;
	if (!r->why)
		r->why = text;
	return false;
}

/*
 * Reads a number as strtoull() with base 0 does; text that is not a number is 0. False: above 32
 * bits, which no offset or size of a field reaches.
 */
static bool number(const struct model_tok *tok, uint32_t *out)
{
	char buf[24];
	size_t n = tok->len < sizeof(buf) - 1 ? tok->len : sizeof(buf) - 1;
	unsigned long long v;

	memcpy(buf, tok->text, n);
	buf[n] = '\0';
	v = strtoull(buf, NULL, 0);
	*out = v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
	return v <= UINT32_MAX;
}

/* Reads "key:NUMBER;" such as "offset:8;". */
static bool keyed(struct reader *r, const char *key, uint32_t *out)
{
	struct model_tok tok;

	if (!expect(r, MODEL_TOK_ITEM, key) || !expect(r, MODEL_TOK_OP, ":"))
		return false;
	tok = model_lex_next(&r->lex);
	if (tok.type != MODEL_TOK_ITEM || !number(&tok, out))
		return fail(r, "a number");
	return expect(r, MODEL_TOK_OP, ";");
}

/* The parts of one field line as they are read. */
struct draft {
	char type[256];
	size_t type_len;
	struct model_tok name;
	struct model_tok base; /* "char" of "__data_loc char[] name" */
	uint32_t array_count;
	uint32_t flags;
};

/* Appends delim and a word to the type. False: longer than any type of a kernel. */
static bool type_add(struct draft *d, const char *delim, const char *text, size_t len)
{
	size_t n = strlen(delim);

	if (n + len >= sizeof(d->type) - d->type_len)
		return false;
	memcpy(d->type + d->type_len, delim, n);
	memcpy(d->type + d->type_len + n, text, len);
	d->type_len += n + len;
	d->type[d->type_len] = '\0';
	return true;
}

/*
 * Reads "__attribute__((user))" and keeps it in the type, as libtraceevent does. d->name is
 * "__attribute__" before and ")" after.
 */
static bool read_attribute(struct reader *r, struct draft *d)
{
	const char *delim = " ";
	struct model_tok tok;
	int depth = 1;
	bool ok = type_add(d, d->type_len ? " " : "", d->name.text, d->name.len);

	ok = ok && type_add(d, "", "(", 1);
	while (ok) {
		tok = model_lex_next(&r->lex);
		if (tok.type == MODEL_TOK_NONE)
			return false;
		if (tok.type == MODEL_TOK_DELIM) {
			depth += tok.text[0] == '(' ? 1 : tok.text[0] == ')' ? -1 : 0;
			if (!depth)
				break;
			ok = type_add(d, "", tok.text, tok.len);
			delim = "";
		} else {
			ok = type_add(d, delim, tok.text, tok.len);
			delim = " ";
		}
	}
	d->name.text = ")";
	d->name.len = 1;
	return ok;
}

/*
 * Reads everything up to the field's name; *next is the token after it. Which word is the name
 * shows only at the end: each further word makes the one before it a part of the type.
 */
static bool read_type(struct reader *r, struct draft *d, struct model_tok *next)
{
	struct model_tok tok = model_lex_next(&r->lex);
	const char *delim;

	if (tok.type != MODEL_TOK_ITEM)
		return false;
	d->name = tok;
	for (;;) {
		tok = model_lex_next(&r->lex);
		if (model_tok_is(&tok, MODEL_TOK_DELIM, "(") &&
		    model_tok_is(&d->name, MODEL_TOK_ITEM, "__attribute__")) {
			if (!read_attribute(r, d))
				return false;
			continue;
		}
		if (tok.type != MODEL_TOK_ITEM && !model_tok_is(&tok, MODEL_TOK_OP, "*") &&
		    !(r->ftrace && model_tok_is(&tok, MODEL_TOK_OP, ".")))
			break;
		if (model_tok_is(&tok, MODEL_TOK_OP, "*"))
			d->flags |= TDAT_FIELD_POINTER;
		delim = d->type_len && d->name.text[0] != ')' ? " " : "";
		if (!type_add(d, delim, d->name.text, d->name.len))
			return false;
		d->name = tok;
	}
	*next = tok;
	return d->type_len > 0;
}

/*
 * Reads one "[...]". The count is the last token before "]", as for libtraceevent; "[]" and a name
 * give 0.
 */
static bool read_brackets(struct reader *r, struct draft *d, struct model_tok *next)
{
	enum model_tok_type last = MODEL_TOK_OP;
	struct model_tok name = d->name;
	char text[128] = "[";
	size_t len = 1;
	struct model_tok tok = model_lex_next(&r->lex);
	uint32_t count = 0;

	d->flags |= TDAT_FIELD_ARRAY;
	for (; !model_tok_is(&tok, MODEL_TOK_OP, "]"); tok = model_lex_next(&r->lex)) {
		bool space = last == MODEL_TOK_ITEM && tok.type == MODEL_TOK_ITEM;

		if (tok.type == MODEL_TOK_NONE || tok.len + 3 > sizeof(text) - len)
			return false;
		if (space)
			text[len++] = ' ';
		memcpy(text + len, tok.text, tok.len);
		len += tok.len;
		last = tok.type;
		number(&tok, &count);
	}
	text[len++] = ']';
	d->array_count = count;
	tok = model_lex_next(&r->lex);
	if (tok.type == MODEL_TOK_ITEM) { /* "type[] name" */
		d->base = name;
		d->flags |= MODEL_FIELD_TYPE_FIRST;
		d->name = tok;
		tok = model_lex_next(&r->lex);
		if (!type_add(d, " ", name.text, name.len))
			return false;
	}
	*next = tok;
	return type_add(d, "", text, len);
}

/* Returns the size of an element type that libtraceevent knows by name; 0: it knows none. */
static uint32_t base_len(const char *name, size_t len)
{
	static const struct {
		const char *name;
		uint32_t len;
	} table[] = {{"u8", 1},	 {"u16", 2}, {"u32", 4}, {"u64", 8}, {"s8", 1},
		     {"s16", 2}, {"s32", 4}, {"s64", 8}, {"char", 1}};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strlen(table[i].name) == len && !memcmp(table[i].name, name, len))
			return table[i].len;
	return 0;
}

/*
 * Guesses the size of an element type from its words where libtraceevent knows none. Longer words
 * first: "long long" contains "long".
 */
static uint32_t guess_len(const char *type, uint8_t long_size)
{
	if (strchr(type, '*'))
		return long_size;
	if (strstr(type, "long long") || strstr(type, "64"))
		return 8;
	if (strstr(type, "long") || strstr(type, "size_t"))
		return long_size;
	if (strstr(type, "short") || strstr(type, "16"))
		return 2;
	if (strstr(type, "int") || strstr(type, "32") || strstr(type, "unsigned"))
		return 4;
	if (strstr(type, "char") || strstr(type, "bool") || strstr(type, "8"))
		return 1;
	return 0;
}

/* Only a type of one word before the brackets has a size for libtraceevent. */
uint32_t model_field_elem_len(const struct tdat_field *f)
{
	const char *end, *start;

	if (!model_field_is_loc(f))
		return f->elem_len;
	if (f->array_count)
		return f->len / f->array_count;
	end = strrchr(f->type, '[');
	if (!end || !(f->flags & MODEL_FIELD_TYPE_FIRST))
		return 0;
	for (start = end; start > f->type && start[-1] != ' '; start--)
		;
	return base_len(start, (size_t)(end - start));
}

/* Sets the flags that follow from the words of the type. */
static void mark(struct draft *d)
{
	if ((d->flags & TDAT_FIELD_ARRAY) &&
	    (strstr(d->type, "char") || strstr(d->type, "u8") || strstr(d->type, "s8")))
		d->flags |= TDAT_FIELD_STRING;
	if (!strncmp(d->type, "__data_loc", 10))
		d->flags |= TDAT_FIELD_DYNAMIC;
	if (!strncmp(d->type, "__rel_loc", 9))
		d->flags |= TDAT_FIELD_DYNAMIC | TDAT_FIELD_RELATIVE;
	if (strstr(d->type, "long"))
		d->flags |= TDAT_FIELD_LONG;
}

/* True if the type is signed by its words. Old formats have no "signed:" that says so. */
static bool type_signed(const struct draft *d)
{
	static const char *const words[] = {"int", "long", "short", "s8",      "s16",
					    "s32", "s64",  "pid_t", "ssize_t", "loff_t"};
	size_t i;

	if (strstr(d->type, "unsigned") || (d->flags & TDAT_FIELD_POINTER))
		return false;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strncmp(d->type, words[i], strlen(words[i])))
			return true;
	return !strncmp(d->type, "__s", 3);
}

/* Reads "signed:0;" or "signed:1;" and the end of the line; old formats end without it. */
static bool read_signed(struct reader *r, struct draft *d)
{
	struct model_tok tok = model_lex_next(&r->lex);
	uint32_t v;

	if (tok.type == MODEL_TOK_NEWLINE || tok.type == MODEL_TOK_NONE) {
		if (type_signed(d))
			d->flags |= TDAT_FIELD_SIGNED | MODEL_FIELD_PLAIN_SIGN;
		return true;
	}
	if (!model_tok_is(&tok, MODEL_TOK_ITEM, "signed") || !expect(r, MODEL_TOK_OP, ":"))
		return false;
	tok = model_lex_next(&r->lex);
	if (tok.type != MODEL_TOK_ITEM)
		return false;
	number(&tok, &v);
	if (v)
		d->flags |= TDAT_FIELD_SIGNED;
	if (!expect(r, MODEL_TOK_OP, ";"))
		return false;
	tok = model_lex_next(&r->lex);
	return tok.type == MODEL_TOK_NEWLINE || tok.type == MODEL_TOK_NONE;
}

/*
 * Sets elem_len and array_count. The kernel records only the size of the whole field; the size of
 * an element follows from it and the type.
 */
static void size_elements(struct tdat_field *f, const struct draft *d, uint8_t long_size)
{
	bool array = d->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC);

	f->elem_len = f->len;
	if (!array)
		return;
	if (d->flags & TDAT_FIELD_DYNAMIC) {
		f->elem_len = base_len(d->base.text, d->base.len);
		if (!f->elem_len)
			f->elem_len = guess_len(f->type, long_size);
		if (f->flags & TDAT_FIELD_STRING)
			f->elem_len = 1;
		/* A fixed array: the total divided by the count that stands in the brackets. */
	} else if (d->array_count) {
		f->elem_len = f->len / d->array_count;
	} else {
		f->elem_len = d->flags & TDAT_FIELD_STRING ? 1
			      : d->flags & TDAT_FIELD_LONG ? long_size
							   : 0;
	}
	f->array_count = d->array_count;
	if (!f->array_count && f->elem_len && !(d->flags & TDAT_FIELD_DYNAMIC))
		f->array_count = f->len / f->elem_len;
}

/*
 * Appends the field to the format, and moves fixed_len behind it. False: no memory. Arrays of the
 * arena do not grow in place: fields are copied to one of twice the size.
 */
static bool add_field(struct reader *r, const struct draft *d, uint32_t off, uint32_t len,
		      bool common)
{
	struct tdat_event_format *format = r->format;
	struct tdat_field *f;
	uint64_t end;

	if (format->field_count == r->cap) {
		size_t cap = r->cap ? r->cap * 2 : 16;

		f = tdat_arena_array(&format->arena, cap, sizeof(*f));
		if (!f) {
			r->lex.failed = true;
			return false;
		}
		if (format->field_count)
			memcpy(f, format->fields, format->field_count * sizeof(*f));
		format->fields = f;
		r->cap = cap;
	}
	f = &format->fields[format->field_count];
	f->name = tdat_arena_strndup(&format->arena, d->name.text, d->name.len);
	f->type = tdat_arena_strndup(&format->arena, d->type, d->type_len);
	if (!f->name || !f->type) {
		r->lex.failed = true;
		return false;
	}
	f->off = off;
	f->len = len;
	f->flags = d->flags | (common ? TDAT_FIELD_COMMON : 0);
	f->format = format;
	if ((f->flags & TDAT_FIELD_DYNAMIC) && len == 2) /* before 2.6.33: offset only */
		f->flags |= TDAT_FIELD_STRING | TDAT_FIELD_ARRAY;
	/* An array of size 0 takes the rest of the record, such as buf of ftrace:print. */
	if (!len && !(f->flags & TDAT_FIELD_DYNAMIC))
		f->flags |= TDAT_FIELD_FLEXIBLE;
	size_elements(f, d, format->long_size);
	end = (uint64_t)off + len;
	if (end > SIZE_MAX) /* no record is as long */
		end = SIZE_MAX;
	if (end > format->fixed_len)
		format->fixed_len = (size_t)end;
	format->field_count++;
	return true;
}

/* After "field": ":type name[n];\toffset:8;\tsize:16;\tsigned:1;\n" */
static bool read_field(struct reader *r, bool common)
{
	struct draft d = {.type_len = 0};
	struct model_tok tok = model_lex_next(&r->lex);
	uint32_t off, len;

	if (r->ftrace && model_tok_is(&tok, MODEL_TOK_ITEM, "special"))
		tok = model_lex_next(&r->lex);
	if (!model_tok_is(&tok, MODEL_TOK_OP, ":"))
		return fail(r, ":");
	if (!read_type(r, &d, &tok))
		return fail(r, "a type and a name");
	while (model_tok_is(&tok, MODEL_TOK_OP, "[")) {
		if (!read_brackets(r, &d, &tok))
			return fail(r, "]");
	}
	mark(&d);
	if (!model_tok_is(&tok, MODEL_TOK_OP, ";"))
		return fail(r, ";");
	if (!keyed(r, "offset", &off) || !keyed(r, "size", &len))
		return false;
	if (!read_signed(r, &d))
		return fail(r, "signed:");
	return add_field(r, &d, off, len, common);
}

/*
 * Reads field lines up to an empty line: the common fields end with one, and so do the event's own.
 */
static bool read_fields(struct reader *r, bool common)
{
	struct model_tok tok;

	for (;;) {
		tok = model_lex_next(&r->lex);
		if (tok.type == MODEL_TOK_NEWLINE || tok.type == MODEL_TOK_NONE)
			return true;
		if (!model_tok_is(&tok, MODEL_TOK_ITEM, "field"))
			return fail(r, "field");
		if (!read_field(r, common))
			return false;
	}
}

/*
 * Keeps the text behind "print fmt:", without blanks before and newlines after it. False: there is
 * none. The text is parsed later, by kfmt_parse.c.
 */
static bool read_print_fmt(struct reader *r)
{
	struct tdat_event_format *format = r->format;
	struct model_lex at = r->lex;
	struct model_tok tok = model_lex_item(&at);
	const char *p, *end = at.text + at.len;

	format->print_fmt = "";
	if (!model_tok_is(&tok, MODEL_TOK_ITEM, "print"))
		return false;
	tok = model_lex_next(&at);
	if (!model_tok_is(&tok, MODEL_TOK_ITEM, "fmt"))
		return false;
	tok = model_lex_next(&at);
	if (!model_tok_is(&tok, MODEL_TOK_OP, ":"))
		return false;
	for (p = at.text + at.pos; p < end && (*p == ' ' || *p == '\t'); p++)
		;
	while (end > p && (end[-1] == '\n' || end[-1] == '\0'))
		end--;
	format->print_fmt = tdat_arena_strndup(&format->arena, p, (size_t)(end - p));
	if (!format->print_fmt)
		r->lex.failed = true;
	return true;
}

/*
 * Notes where reading ends, if more than blanks follow there or the print fmt is missing;
 * lib/file/lazy.c reports it. r is behind the fields.
 */
static void note_unread(struct reader *r, bool has_print_fmt)
{
	const struct tdat_span text = r->format->text;
	const uint8_t *nul = memchr(text.ptr, 0, text.len);
	size_t off = has_print_fmt ? text.len : r->lex.pos;

	if (nul && (size_t)(nul - text.ptr) < off)
		off = (size_t)(nul - text.ptr);
	if (!tdat_is_blank((struct tdat_span){text.ptr + off, text.len - off}))
		r->format->unread_off = off;
	else if (!has_print_fmt)
		r->format->unread_off = text.len;
}

/* Returns the newline that ends the line at p, or end. */
static const char *line_end(const char *p, const char *end)
{
	const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;

	return nl ? nl : end;
}

/* Reads "key: value" on a line of its own at p; the value has no blanks around it. */
static bool line_value(const char *p, const char *end, const char *key, struct tdat_span *value)
{
	size_t n = strlen(key);

	end = line_end(p, end);
	if ((size_t)(end - p) <= n || memcmp(p, key, n) || p[n] != ':')
		return false;
	for (p += n + 1; p < end && (*p == ' ' || *p == '\t'); p++)
		;
	while (end > p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	value->ptr = (const uint8_t *)p;
	value->len = (size_t)(end - p);
	return p < end;
}

/*
 * Finds the name and ID lines; *rest is where the next line starts. The order is that of the
 * kernel: name first.
 */
static bool head(struct tdat_span text, struct tdat_span *name, uint32_t *id, size_t *rest)
{
	const char *start = (const char *)text.ptr, *end = start + text.len, *p;
	struct tdat_span value;
	bool have_name = false;

	for (p = start; p < end; p = line_end(p, end) + 1) {
		if (!have_name) {
			have_name = line_value(p, end, "name", name);
			continue;
		}
		if (line_value(p, end, "ID", &value)) {
			struct model_tok tok = {MODEL_TOK_ITEM, (const char *)value.ptr, value.len};

			*rest = (size_t)(line_end(p, end) - start);
			return number(&tok, id) && value.ptr[0] >= '0' && value.ptr[0] <= '9';
		}
	}
	return false;
}

bool model_format_head(struct tdat_span text, struct tdat_span *name, uint32_t *id)
{
	size_t rest;

	return head(text, name, id, &rest);
}

/* Reads "format:", both groups of fields and the print fmt. False: r->why says what was missing. */
static bool read_body(struct reader *r)
{
	struct model_tok tok = model_lex_item(&r->lex);
	bool ok;

	if (!model_tok_is(&tok, MODEL_TOK_ITEM, "format"))
		return fail(r, "format:");
	if (!expect(r, MODEL_TOK_OP, ":"))
		return false;
	tok = model_lex_next(&r->lex);
	if (tok.type != MODEL_TOK_NEWLINE)
		return fail(r, "a new line");
	ok = read_fields(r, true);
	r->format->common_count = r->format->field_count;
	if (!ok)
		return false;
	if (!read_fields(r, false))
		return false;
	note_unread(r, read_print_fmt(r));
	model_record_lens(r->format);
	return true;
}

/* Sets all members behind name and id; its error names the byte at which the text breaks off. */
static enum tdat_status fill(struct reader *r, const char *system, struct tdat_span name,
			     struct tdat_error *err)
{
	struct tdat_event_format *format = r->format;

	format->name = tdat_arena_strndup(&format->arena, name.ptr, name.len);
	format->system = tdat_arena_strndup(&format->arena, system, strlen(system));
	if (!format->name || !format->system)
		return tdat_error_no_memory(err, "an event format");
	r->ftrace = !strcmp(system, "ftrace");
	if (read_body(r) && !r->lex.failed)
		return TDAT_OK;
	if (r->lex.failed)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for the format of event %s/%s", system,
				      format->name);
	return tdat_error_set(err, TDAT_E_DAMAGED, r->off + r->lex.pos,
			      "format of event %s/%s: expected \"%s\" before byte %zu of its text",
			      system, format->name, r->why ? r->why : "a field", r->lex.pos);
}

enum tdat_status model_format_parse_part(struct tdat_event_format **out,
					 struct tdat_event_format **part, const char *system,
					 struct tdat_span text, uint64_t off, bool big,
					 uint8_t long_size, struct tdat_error *err)
{
	struct tdat_event_format *format = calloc(1, sizeof(*format));
	struct reader r = {.off = off, .format = format};
	struct tdat_span name;
	enum tdat_status status;
	size_t rest;

	*part = NULL;
	if (!format)
		return tdat_error_no_memory(err, "an event format");
	format->big = big;
	format->long_size = long_size;
	format->text = text;
	format->print_fmt = "";
	if (!head(text, &name, &format->id, &rest)) {
		model_format_free(format);
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "an event format of system %s has no name or no ID", system);
	}
	r.lex = model_lex_init((const char *)text.ptr, text.len, NULL);
	r.lex.pos = rest;
	status = fill(&r, system, name, err);
	if (status == TDAT_OK) {
		*out = format;
		/* The fields up to the damage are right: printing by libtraceevent shows as much.
		 */
	} else if (status == TDAT_E_DAMAGED) {
		format->cut = true;
		*part = format;
	} else {
		model_format_free(format);
	}
	return status;
}

enum tdat_status model_format_parse(struct tdat_event_format **out, const char *system,
				    struct tdat_span text, uint64_t off, bool big,
				    uint8_t long_size, struct tdat_error *err)
{
	struct tdat_event_format *part;
	enum tdat_status status =
		model_format_parse_part(out, &part, system, text, off, big, long_size, err);

	model_format_free(part);
	return status;
}

void model_format_free(struct tdat_event_format *format)
{
	if (!format)
		return;
	tdat_arena_fini(&format->arena);
	free(format);
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Fields stand behind "REC->", dynamic ones in the parentheses of __get_str() and its like. */
bool model_format_shows(const struct tdat_event_format *format, const char *name)
{
	const char *start = format->print_fmt, *p = start;
	const size_t len = strlen(name);

	/* The format string comes first. */
	if (*p == '"')
		for (p++; *p && *p != '"'; p++)
			p += *p == '\\' && p[1];
	for (; (p = strstr(p, name)); p++)
		if (p > start && (p[-1] == '>' || p[-1] == '(' || p[-1] == ' ') && !is_word(p[len]))
			return true;
	return false;
}
