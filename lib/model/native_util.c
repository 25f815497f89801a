/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds and reads the fields that handlers of events without a print format need. A handler
 * finds its fields once, when it is made, as offsets and sizes; then each read is bounded by
 * the record. Complaints about missing fields are the texts of libtraceevent, as users of
 * trace-cmd see them.
 */
#include "native_util.h"

#include <stdlib.h>
#include <string.h>

#include "core/put.h"

/* Columns of a time, padded on the left as in timestamps. */
#define TICKS_WIDTH 12
#define SECONDS_WIDTH 5

/* Finds a field among those numbered from to to. Its name is kept for complaints. */
static struct native_field find(const struct tdat_event_format *format, const char *name,
				size_t from, size_t to)
{
	struct native_field nf = {name, 0, 0, false, false, format->big, 0};
	size_t i;

	for (i = from; i < to && !nf.found; i++) {
		const struct tdat_field *f = &format->fields[i];

		if (strcmp(f->name, name))
			continue;
		nf.found = true;
		nf.off = f->off;
		nf.len = f->len;
		nf.number = model_is_number_len(f->len);
	}
	return nf;
}

struct native_field native_field_find(const struct tdat_event_format *format, const char *name)
{
	return find(format, name, format->common_count, format->field_count);
}

struct native_field native_field_any(const struct tdat_event_format *format, const char *name)
{
	return find(format, name, 0, format->field_count);
}

/* The slow way of native_load(), for a field that the record cuts. */
uint64_t native_load_cut(struct tdat_span record, size_t off, size_t len, bool big)
{
	uint8_t bytes[8] = {0};

	if (off < record.len && len <= sizeof(bytes)) {
		size_t have = record.len - off;

		memcpy(bytes, record.ptr + off, have < len ? have : len);
	}
	return tdat_load_uint(bytes, len, big);
}

/* libtraceevent complains in one of two texts: the field is unknown, or it is not a number. */
void native_no_val(const struct native_field *f, struct tdat_build *out)
{
	if (f->found) {
		tdat_build_u8(out, ' ');
		tdat_build_str(out, f->name);
		tdat_build_str(out, "=INVALID");
		return;
	}
	tdat_build_str(out, "<CANT FIND FIELD ");
	tdat_build_str(out, f->name);
	tdat_build_u8(out, '>');
}

void native_no_field(const struct native_field *f, struct tdat_build *out)
{
	tdat_build_str(out, "CAN'T FIND FIELD \"");
	tdat_build_str(out, f->name);
	tdat_build_u8(out, '"');
}

/* The NUL may be missing: names that fill their array have none. */
struct tdat_span native_str(struct tdat_span record, size_t off, size_t len)
{
	struct tdat_span s = {NULL, 0};
	const uint8_t *nul;

	if (off >= record.len)
		return s;
	s.ptr = record.ptr + off;
	s.len = record.len - off < len ? record.len - off : len;
	nul = s.len ? memchr(s.ptr, 0, s.len) : NULL;
	if (nul)
		s.len = (size_t)(nul - s.ptr);
	return s;
}

void *native_new(size_t size,
		 bool (*run)(const struct model_native *n, const struct model_event *event,
			     struct tdat_build *out),
		 const struct tdat_event_format *format, const struct model_env *env,
		 struct tdat_error *err)
{
	struct model_native *n = calloc(1, size);

	if (!n) {
		tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
			       "no memory for the handler of event %s", format->name);
		return NULL;
	}
	n->run = run;
	n->format = format;
	n->env = env;
	return n;
}

bool native_has_long(struct model_native *n)
{
	return n->env->long_size == 4 || n->env->long_size == 8;
}

/* Finds a field by the name in an entry and the letters in front of it. */
static struct native_field field_of(const struct model_native *n, const char *name)
{
	const bool any = *name == '@', sign = *name == '-';
	struct native_field f = find(n->format, name + (any || sign),
				     any ? 0 : n->format->common_count, n->format->field_count);
	const struct tdat_field *field = tdat_event_format_field(n->format, f.name);

	if (sign && n->env->kernel && f.number && field && (field->flags & TDAT_FIELD_SIGNED))
		f.spare = (uint8_t)(64 - 8 * f.len);
	return f;
}

enum tdat_status native_make(struct model_native **out, const struct model_native_entry *entry,
			     const struct tdat_event_format *format, const struct model_env *env,
			     struct tdat_error *err)
{
	struct model_native *n =
		native_new(entry->size ? entry->size : sizeof(*n), entry->run, format, env, err);

	if (!n)
		return TDAT_E_NOMEM;
	for (size_t i = 0; i < NATIVE_FIELDS && entry->fields[i]; i++)
		n->f[i] = field_of(n, entry->fields[i]);
	if (!entry->init || entry->init(n))
		*out = n;
	else
		free(n);
	return TDAT_OK;
}

/* Returns the digits of v, max at most. */
static size_t min_len(uint64_t v, size_t max)
{
	size_t len = tdat_put_dec_len(v);

	return len < max ? len : max;
}

/*
 * Prints a time as timestamps are printed: seconds with six or nine digits, or ticks. Six digits
 * are rounded.
 */
void native_time(uint64_t ts, enum model_time kind, struct tdat_build *out)
{
	uint64_t unit = kind == MODEL_TIME_NS ? 1000000000 : 1000000;
	uint8_t *p = tdat_build_room(out, 3 * TDAT_PUT_DEC);
	uint8_t *dot;

	if (!p)
		return;
	if (kind == MODEL_TIME_TICKS) {
		p = tdat_put_fill(p, ' ', TICKS_WIDTH - min_len(ts, TICKS_WIDTH));
		p = tdat_put_u64(p, ts);
		out->len = (size_t)(p - out->ptr);
		return;
	}
	if (kind == MODEL_TIME_US)
		ts = ts / 1000 + (ts % 1000 >= 500);
	p = tdat_put_fill(p, ' ', SECONDS_WIDTH - min_len(ts / unit, SECONDS_WIDTH));
	dot = tdat_put_u64(p, ts / unit);
	p = tdat_put_u64(dot, ts % unit + unit); /* a digit more, for the dot */
	*dot = '.';
	out->len = (size_t)(p - out->ptr);
}
