/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes records of EventHeader events apart: extensions behind the header, the definitions of
 * fields among them, and the values that these describe. The definitions of a struct are read once
 * for each element of an array; how many bytes of them are read at all is bounded as text is.
 */
#include "event_header.h"

#include "core/cursor.h"
#include "core/json_text.h"
#include "core/text.h"

/*
 * MOST_DEPTH bounds the recursion through structs. ALIGNMENT: fewer bytes than this behind the last
 * value only align the record.
 */
enum { HEADER_LEN = 8, MOST_DEPTH = 8, ALIGNMENT = 4 };

/* Bits of the header's flags. Each record says the byte order of its header and values. */
enum { FLAG_LITTLE_ENDIAN = 0x02, FLAG_EXTENSION = 0x04 };

/*
 * An extension is a 16-bit size, a 16-bit kind and its bytes. The kind's top bit announces a
 * further extension.
 */
enum { EXTENSION_CHAIN = 0x8000, EXTENSION_METADATA = 1, EXTENSION_ACTIVITY = 2 };

/*
 * A definition's encoding byte: how many bytes a value has, and whether it is an array. CARRAY: the
 * definition holds the count; VARRAY: each record holds it before the items. CHAIN: a format byte
 * follows. STRUCT: the format byte is the number of member fields.
 */
enum {
	ENCODING_MASK = 0x1f,
	ENCODING_CARRAY = 0x20,
	ENCODING_VARRAY = 0x40,
	ENCODING_CHAIN = 0x80,
	ENCODING_STRUCT = 1
};

/* The format byte: how a value is meant. CHAIN: a 16-bit tag follows. */
enum { FORMAT_MASK = 0x7f, FORMAT_CHAIN = 0x80 };

/*
 * The check is by layout, because user_events carry no mark of their library: exactly these six
 * fields, side by side, in this order.
 */
bool event_header_is(const struct tdat_event_format *format)
{
	static const struct {
		const char *name;
		uint32_t off, len;
	} fields[] = {{"eventheader_flags", 0, 1},
		      {"version", 1, 1},
		      {"id", 2, 2},
		      {"tag", 4, 2},
		      {"opcode", 6, 1},
		      {"level", 7, 1}};
	const struct tdat_field *f = format->fields + format->common_count;
	const size_t count = sizeof(fields) / sizeof(fields[0]);

	if (format->field_count - format->common_count != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(f[i].name, fields[i].name) || f[i].len != fields[i].len ||
		    f[i].off != f[0].off + fields[i].off)
			return false;
	return true;
}

/* ---- a record ---- */

/* Cuts a name at its first ';': attributes such as "name;attr=value" follow it there. */
static struct tdat_span without_attributes(struct tdat_span name)
{
	const uint8_t *end = name.len ? memchr(name.ptr, ';', name.len) : NULL;

	if (end)
		name.len = (size_t)(end - name.ptr);
	return name;
}

/*
 * Keeps one extension. Unknown kinds, and an activity of a strange length, are skipped: a newer
 * library may write more of them.
 */
static void read_extension(struct event_header *h, uint16_t kind, struct tdat_cursor *c)
{
	switch (kind) {
	case EXTENSION_METADATA:
		h->name = without_attributes(tdat_cursor_cstr(c));
		h->described = tdat_cursor_ok(c);
		h->definitions = tdat_cursor_bytes(c, tdat_cursor_left(c));
		break;
	/* The activity's id; in 32 bytes that of a related activity follows. */
	case EXTENSION_ACTIVITY:
		if (c->len != 16 && c->len != 32)
			break;
		h->activity = tdat_cursor_bytes(c, 16);
		if (c->len == 32)
			h->related = tdat_cursor_bytes(c, 16);
		break;
	default:
		break;
	}
}

bool event_header_read(const struct tdat_event_format *format, struct tdat_span record,
		       struct event_header *h)
{
	const size_t off = format->fields[format->common_count].off;
	struct tdat_cursor c, sub;
	uint16_t kind, len;
	uint8_t flags;

	memset(h, 0, sizeof(*h));
	if (record.len < off || record.len - off < HEADER_LEN)
		return false;
	flags = record.ptr[off];
	h->big = !(flags & FLAG_LITTLE_ENDIAN);
	c = tdat_cursor_init(record.ptr + off + HEADER_LEN, record.len - off - HEADER_LEN, 0,
			     h->big);
	/* The header's flag plays the part of the first chain bit. */
	for (kind = flags & FLAG_EXTENSION ? EXTENSION_CHAIN : 0; kind & EXTENSION_CHAIN;) {
		len = tdat_cursor_u16(&c);
		kind = tdat_cursor_u16(&c);
		sub = tdat_cursor_sub(&c, len);
		if (!tdat_cursor_ok(&c))
			return false;
		read_extension(h, kind & (uint16_t)~EXTENSION_CHAIN, &sub);
	}
	/*
	 * All that the extensions leave belongs to the values; their length is known only from
	 * definitions.
	 */
	h->values = (struct tdat_span){c.base + c.pos, tdat_cursor_left(&c)};
	return true;
}

/* ---- fields ---- */

/* One field of an event as its record defines it. */
struct definition {
	struct tdat_span name;
	uint8_t encoding, format;
	bool carray, varray;
	uint16_t count; /* of a carray */
};

/* The state of decoding one record: definitions and values are read side by side. */
struct walk {
	struct tdat_cursor definitions, values;
	struct tdat_build *out;
	size_t most_len;  /* of out */
	size_t read_left; /* bytes of definitions */
};

/*
 * Reads one definition. False: it is cut or contradicts itself, or w->read_left is used up. An
 * array of structs reads its members' definitions for each element, so a small record could
 * otherwise cause unbounded work.
 */
static bool read_definition(struct walk *w, struct definition *d)
{
	struct tdat_cursor *c = &w->definitions;
	const size_t start = c->pos;
	uint8_t encoding, format = 0;

	d->name = without_attributes(tdat_cursor_cstr(c));
	encoding = tdat_cursor_u8(c);
	if (encoding & ENCODING_CHAIN)
		format = tdat_cursor_u8(c);
	if (format & FORMAT_CHAIN)
		tdat_cursor_u16(c); /* a tag, whose meaning only the program knows */
	d->carray = encoding & ENCODING_CARRAY;
	d->varray = encoding & ENCODING_VARRAY;
	d->count = d->carray ? tdat_cursor_u16(c) : 1;
	d->encoding = encoding & ENCODING_MASK;
	d->format = format & FORMAT_MASK;
	if (!tdat_cursor_ok(c) || c->pos - start > w->read_left)
		return false;
	w->read_left -= c->pos - start;
	return d->count && !(d->carray && d->varray) &&
	       (d->encoding != ENCODING_STRUCT || d->format);
}

/*
 * Moves behind the definitions of count fields, members of structs included. Used for an array of
 * structs without elements, whose members have no values.
 */
static bool skip_definitions(struct walk *w, unsigned count, unsigned depth)
{
	struct definition d;

	for (unsigned i = 0; i < count && tdat_cursor_left(&w->definitions); i++)
		if (depth > MOST_DEPTH || !read_definition(w, &d) ||
		    (d.encoding == ENCODING_STRUCT && !skip_definitions(w, d.format, depth + 1)))
			return false;
	return true;
}

/*
 * The fields that an object has so far: where their definitions begin, and a bit for a hash of each
 * name (1024 bits). A new bit proves that the name is new; a set one needs the comparison in
 * is_twice().
 */
struct object {
	struct tdat_cursor start;
	uint64_t seen[16];
};

/*
 * True if a field before the one at end has the name that is written from key_at on. Names are
 * compared after escaping: two different byte strings may become the same JSON key.
 */
static bool is_twice(struct walk *w, const struct object *o, size_t end, size_t key_at)
{
	const struct tdat_cursor now = w->definitions;
	const size_t key_end = w->out->len, len = key_end - key_at;
	bool twice = false;

	w->definitions = o->start;
	while (!twice && w->definitions.pos < end) {
		struct definition d;

		/* Where too much would be read the answer is yes, which ends the decoding. */
		twice = !read_definition(w, &d) ||
			(d.encoding == ENCODING_STRUCT && !skip_definitions(w, d.format, 1));
		if (twice)
			break;
		tdat_json_inside(w->out, d.name);
		twice = w->out->len - key_end == len &&
			!memcmp(w->out->ptr + key_at, w->out->ptr + key_end, len);
		w->out->len = key_end;
	}
	w->definitions = now;
	return twice;
}

/*
 * Appends a name as a JSON key. False: the object has it already; readers of JSON would keep only
 * one of the two values.
 */
static bool put_name(struct walk *w, struct object *o, size_t end, struct tdat_span name)
{
	const size_t key_at = w->out->len;
	uint32_t hash = 2166136261u;
	uint64_t *word, bit;

	tdat_json_inside(w->out, name);
	if (w->out->full || w->out->failed)
		return false;
	for (size_t i = key_at; i < w->out->len; i++)
		/* FNV-1a, which is short and good enough: a collision only takes time. */
		hash = (hash ^ w->out->ptr[i]) * 16777619u;
	word = &o->seen[hash >> 28];
	bit = UINT64_C(1) << (hash >> 22 & 63);
	if (*word & bit && is_twice(w, o, end, key_at))
		return false;
	*word |= bit;
	return true;
}

static bool put_field(struct walk *w, struct object *o, unsigned depth);

/*
 * Appends an object of count fields. If definitions end early the struct ends with them, as other
 * decoders do.
 */
static bool put_struct(struct walk *w, unsigned count, unsigned depth)
{
	struct object o = {.start = w->definitions};

	tdat_build_u8(w->out, '{');
	for (unsigned i = 0; i < count && tdat_cursor_left(&w->definitions); i++) {
		if (i)
			tdat_build_u8(w->out, ',');
		if (!put_field(w, &o, depth))
			return false;
	}
	tdat_build_u8(w->out, '}');
	return true;
}

/* Appends the value, or all items of an array, whose definition was just read. */
static bool put_items(struct walk *w, const struct definition *d, unsigned count, unsigned depth)
{
	const struct tdat_cursor members = w->definitions;

	if (d->encoding == ENCODING_STRUCT && !count)
		return skip_definitions(w, d->format, depth + 1);
	for (unsigned i = 0; i < count; i++) {
		if (i)
			tdat_build_u8(w->out, ',');
		if (d->encoding == ENCODING_STRUCT) {
			/* Each element of an array of structs reads the same definitions again. */
			w->definitions = members;
			if (!put_struct(w, d->format, depth + 1))
				return false;
		} else if (!event_header_put_value(&w->values, d->encoding, d->format, false,
						   w->out)) {
			return false;
		}
		/* Checked for each item: 65535 items may come from a record of few bytes. */
		if (w->out->len > w->most_len || w->out->full || w->out->failed)
			return false;
	}
	return true;
}

/* Appends "name":value of the next definition; an array's value is [item,item]. */
static bool put_field(struct walk *w, struct object *o, unsigned depth)
{
	const size_t start = w->definitions.pos;
	struct definition d;
	unsigned count;

	if (depth > MOST_DEPTH || !read_definition(w, &d))
		return false;
	count = d.varray ? tdat_cursor_u16(&w->values) : d.count;
	if (!tdat_cursor_ok(&w->values))
		return false;
	tdat_build_u8(w->out, '"');
	if (!put_name(w, o, start, d.name))
		return false;
	tdat_build_str(w->out, d.carray || d.varray ? "\":[" : "\":");
	if (!put_items(w, &d, count, depth))
		return false;
	if (d.carray || d.varray)
		tdat_build_u8(w->out, ']');
	return true;
}

struct tdat_span event_header_put_fields(const struct event_header *h, size_t most,
					 struct tdat_build *out)
{
	struct walk w = {.out = out, .most_len = out->len + most, .read_left = most};
	struct tdat_span rest = h->values;
	bool all = h->described, first = true;
	struct object o;

	w.definitions = tdat_cursor_init(h->definitions.ptr, h->definitions.len, 0, h->big);
	w.values = tdat_cursor_init(h->values.ptr, h->values.len, 0, h->big);
	o = (struct object){.start = w.definitions};
	tdat_build_u8(out, '{');
	while (all && tdat_cursor_left(&w.definitions)) {
		const size_t before = out->len;

		if (!first)
			tdat_build_u8(out, ',');
		first = false;
		all = put_field(&w, &o, 0);
		/* A field is printed whole or not at all; rest then has the values from it on. */
		if (all)
			rest = (struct tdat_span){h->values.ptr + w.values.pos,
						  tdat_cursor_left(&w.values)};
		else
			out->len = before;
	}
	tdat_build_u8(out, '}');
	return all && rest.len < ALIGNMENT ? (struct tdat_span){NULL, 0} : rest;
}

/* ---- records of one shape ---- */

bool event_header_shape_read(struct event_header_shape *shape, bool big, struct tdat_build *names)
{
	struct walk w = {.out = names};
	struct object o;

	w.definitions = tdat_cursor_init(shape->definitions.ptr, shape->definitions.len, 0, big);
	o = (struct object){.start = w.definitions};
	for (shape->count = 0; tdat_cursor_left(&w.definitions); shape->count++) {
		const size_t start = w.definitions.pos;
		struct event_header_field *f = &shape->fields[shape->count];
		struct definition d;

		names->len = 0;
		tdat_build_u8(names, '"');	      /* an empty name has an address, too */
		w.read_left = shape->definitions.len; /* for each name that is looked for */
		if (shape->count == EVENT_HEADER_MOST_FIELDS || !read_definition(&w, &d) ||
		    d.carray || d.varray || !put_name(&w, &o, start, d.name))
			return false;
		*f = (struct event_header_field){
			.name = d.name, .encoding = d.encoding, .format = d.format};
		if (!event_header_find_kind(f))
			return false;
	}
	return true;
}

bool event_header_has_shape(const struct event_header *h, const struct event_header_shape *shape)
{
	return h->described && tdat_span_same(h->name, shape->name) &&
	       tdat_span_same(h->definitions, shape->definitions);
}

bool event_header_put_one(const struct event_header *h, const struct event_header_shape *shape,
			  size_t at, struct tdat_build *out)
{
	struct tdat_cursor values = tdat_cursor_init(h->values.ptr, h->values.len, 0, h->big);
	struct tdat_span bytes;

	for (size_t i = 0; i < at; i++)
		if (!event_header_take_value(&values, shape->fields[i].encoding, &bytes))
			return false;
	return event_header_put_plain(&values, shape->fields[at].encoding, shape->fields[at].format,
				      out);
}
