/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds and reads fields for the native handlers. Numbers are read as libtraceevent reads
 * them: unsigned, whatever the format says, and with zeros for bytes that the record does not
 * have.
 */
#ifndef TDAT_MODEL_NATIVE_UTIL_H
#define TDAT_MODEL_NATIVE_UTIL_H

#include "core/endian.h"
#include "native_handler.h"
#include "core/number.h"

/* native_field_find looks at the event's own fields, native_field_any at common ones first. */
struct native_field native_field_find(const struct tdat_event_format *format, const char *name);
struct native_field native_field_any(const struct tdat_event_format *format, const char *name);

static inline int64_t native_signed(const struct native_field *f, uint64_t v)
{
	return (int64_t)(v << f->spare) >> f->spare;
}

/* The function addr lies in, by the rules of whom env prints for; ptr NULL: none. */
static inline struct tdat_span native_name(const struct model_env *env,
					   const struct model_event *event, uint64_t addr,
					   uint64_t *start)
{
	const struct model_symbol *s;
	struct model_symbol found;

	if (!env->kernel)
		return model_symbol_cache_find(event->names, env->symbols, addr, start);
	if (event->names && env->symbols) {
		s = model_symbol_cache_get(event->names, env->symbols, addr);
	} else {
		if (!model_symbols_lookup(env->symbols, addr, &found))
			found.name = (struct tdat_span){NULL, 0};
		s = &found;
	}
	if (start && s->name.ptr)
		*start = s->start;
	return s->name;
}

/* Where a number of len bytes ends; 0: the field is none. */
static inline uint32_t native_field_end(const struct native_field *f, uint32_t len)
{
	return f->number && f->len == len && f->off <= UINT16_MAX ? f->off + len : 0;
}

/* Up to 8 bytes at off, of which those behind the record are zeros. */
uint64_t native_load_cut(struct tdat_span record, size_t off, size_t len, bool big);

static inline uint64_t native_load(struct tdat_span record, size_t off, size_t len, bool big)
{
	if (off <= record.len && len <= record.len - off)
		return tdat_load_uint(record.ptr + off, len, big);
	return native_load_cut(record, off, len, big);
}

/* False: no such field, or no number. */
static inline bool native_num(const struct native_field *f, struct tdat_span record, uint64_t *v)
{
	if (!f->number)
		return false;
	*v = native_load(record, f->off, f->len, f->big);
	return true;
}

/* What tep_get_field_val() prints about a field native_num() cannot read. */
void native_no_val(const struct native_field *f, struct tdat_build *out);
/* What tep_print_num_field() prints about such a field. */
void native_no_field(const struct native_field *f, struct tdat_build *out);

/* native_num() and native_no_val(). */
static inline bool native_get(const struct native_field *f, struct tdat_span record, uint64_t *v,
			      struct tdat_build *out)
{
	if (native_num(f, record, v))
		return true;
	native_no_val(f, out);
	return false;
}

/* %.*s of len bytes at off: up to a NUL. */
struct tdat_span native_str(struct tdat_span record, size_t off, size_t len);

/* Appends "!" where a field is missing, and returns false, so that the handler can end with it. */
static inline bool native_give_up(struct tdat_build *out)
{
	tdat_build_u8(out, '!');
	return false;
}

/* A time inside of an event's text. */
void native_time(uint64_t ts, enum model_time kind, struct tdat_build *out);

#define native_lit(out, lit) tdat_build_bytes((out), "" lit, sizeof(lit) - 1)

static inline void native_text(struct tdat_build *out, struct tdat_span s)
{
	tdat_build_bytes(out, s.ptr, s.len);
}

/*
 * Makes a handler of size bytes with run and nothing else; NULL, and *err with the format's name:
 * there is no memory.
 */
void *native_new(size_t size,
		 bool (*run)(const struct model_native *n, const struct model_event *event,
			     struct tdat_build *out),
		 const struct tdat_event_format *format, const struct model_env *env,
		 struct tdat_error *err);

/* For init: false where the size of a long is none that a stack or raw data can have. */
bool native_has_long(struct model_native *n);

/* Makes the handler of an entry. *out stays as it is with TDAT_OK: it has none for this format. */
enum tdat_status native_make(struct model_native **out, const struct model_native_entry *entry,
			     const struct tdat_event_format *format, const struct model_env *env,
			     struct tdat_error *err);

#endif
