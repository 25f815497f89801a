/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes kmemtrace records of each layout apart: docs/formats/kmemtrace.md §2. A record's layout
 * is a table row: sizes and places of its fields. Loads are bounded by the record's length,
 * which was checked before.
 */
#include "kmemtrace.h"

#include "core/cursor.h"
#include "core/text.h"

/* Columns as in struct kmem_layout (kmemtrace.h). */
static const struct kmem_layout layouts[KMEM_LAYOUT_COUNT] = {
	[KMEM_RELAY] = {"relay", 24, 48, 0, 1, true, true, false},
	[KMEM_RFC1] = {"rfc1", 56, 56, 1, 2, false, false, false},
	[KMEM_RFC2] = {"rfc2", 56, 56, 1, 2, true, false, false},
	[KMEM_FTRACE64] = {"ftrace64", 32, 56, 0, 1, true, false, true},
	[KMEM_FTRACE32] = {"ftrace32", 24, 40, 0, 1, true, false, true},
};

const struct kmem_layout *kmem_layout(enum kmem_layout_id id)
{
	return &layouts[id];
}

/*
 * Reads the head that all layouts have in their first four bytes. RFC records have one fixed
 * length.
 */
struct kmem_head kmem_read_head(const struct kmem_layout *l, const uint8_t *p, bool big)
{
	struct tdat_cursor c = tdat_cursor_init(p, l->free_len, 0, big);
	struct kmem_head h;

	if (!l->sized) {
		h.event_id = tdat_cursor_u16(&c);
		h.type_id = tdat_cursor_u16(&c);
		h.len = l->alloc_len;
		return h;
	}
	h.event_id = tdat_cursor_u8(&c);
	h.type_id = tdat_cursor_u8(&c);
	h.len = tdat_cursor_u16(&c);
	return h;
}

/* Reads only what orders a record: a sequence number, or a CPU and time. */
struct kmem_order kmem_read_order(const struct kmem_layout *l, const uint8_t *p, bool big)
{
	struct tdat_cursor c = tdat_cursor_init(p, l->free_len, 0, big);
	struct kmem_order o = {0, 0, 0};

	if (l->has_seq) {
		tdat_cursor_bytes(&c, 4);
		o.seq = tdat_cursor_u32(&c);
	} else if (l->has_cpu) {
		tdat_cursor_bytes(&c, 4);
		o.cpu = tdat_cursor_u32(&c);
		o.time_ns = tdat_cursor_u64(&c);
	} else {
		tdat_cursor_bytes(&c, 48);
		o.time_ns = tdat_cursor_u64(&c);
	}
	return o;
}

/* Least length of a record of a known kind; 0: the event id is unknown. */
uint32_t kmem_least_len(const struct kmem_layout *l, uint16_t event_id)
{
	if (event_id == l->alloc_id)
		return l->alloc_len;
	return event_id == l->free_id ? l->free_len : 0;
}

/* seq, call_site, ptr [, bytes_req, bytes_alloc, gfp_flags, node]: docs/formats/kmemtrace.md §2 */
static inline void load_relay(const uint8_t *p, struct kmem_record *r, const bool big)
{
	r->seq = tdat_load32(p + 4, big);
	r->call_site = tdat_load64(p + 8, big);
	r->ptr = tdat_load64(p + 16, big);
	if (r->is_free)
		return;
	r->bytes_req = tdat_load64(p + 24, big);
	r->bytes_alloc = tdat_load64(p + 32, big);
	r->gfp_flags = tdat_load32(p + 40, big);
	r->node = (int32_t)tdat_load32(p + 44, big);
}

/*
 * Decodes a record of a known kind, which has all its fields: they are read without a check for
 * each.
 */
static void decode_whole_relay(const uint8_t *p, struct kmem_record *r, bool big)
{
	if (big)
		load_relay(p, r, true);
	else
		load_relay(p, r, false);
}

/* Decodes an unknown or short record; the cursor yields 0 behind its end. */
static void decode_relay(struct tdat_cursor *c, struct kmem_record *r)
{
	r->seq = tdat_cursor_u32(c);
	r->call_site = tdat_cursor_u64(c);
	r->ptr = tdat_cursor_u64(c);
	if (r->is_free)
		return;
	r->bytes_req = tdat_cursor_u64(c);
	r->bytes_alloc = tdat_cursor_u64(c);
	r->gfp_flags = tdat_cursor_u32(c);
	r->node = (int32_t)tdat_cursor_u32(c);
}

/*
 * Decodes rfc1 and rfc2, which are alike behind the first four bytes (docs/formats/kmemtrace.md
 * §4).
 */
static void decode_rfc(struct tdat_cursor *c, struct kmem_record *r)
{
	r->node = (int32_t)tdat_cursor_u32(c);
	r->call_site = tdat_cursor_u64(c);
	r->ptr = tdat_cursor_u64(c);
	r->bytes_req = tdat_cursor_u64(c);
	r->bytes_alloc = tdat_cursor_u64(c);
	r->gfp_flags = tdat_cursor_u64(c);
	r->time_ns = tdat_cursor_u64(c);
	if (r->is_free) { /* the kernel never writes these: they hold what was in the buffer */
		r->node = -1;
		r->bytes_req = r->bytes_alloc = r->gfp_flags = 0;
	}
}

/* Reads a long of the recorded machine. */
static uint64_t read_long(struct tdat_cursor *c, bool is_64)
{
	return is_64 ? tdat_cursor_u64(c) : tdat_cursor_u32(c);
}

static void decode_ftrace(struct tdat_cursor *c, struct kmem_record *r, bool is_64)
{
	r->cpu = tdat_cursor_u32(c);
	r->time_ns = tdat_cursor_u64(c);
	r->call_site = read_long(c, is_64);
	r->ptr = read_long(c, is_64);
	if (r->is_free)
		return;
	r->bytes_req = read_long(c, is_64);
	r->bytes_alloc = read_long(c, is_64);
	r->gfp_flags = tdat_cursor_u32(c);
	r->node = (int32_t)tdat_cursor_u32(c);
}

/* Decodes a whole record; bytes are its whole length. Features, if any, are left in out->tail. */
void kmem_decode(const struct kmem_layout *l, bool big, struct tdat_span bytes,
		 struct kmem_record *out)
{
	struct tdat_cursor c = tdat_cursor_init(bytes.ptr, bytes.len, 0, big);
	uint32_t least;

	*out = (struct kmem_record){.node = -1, .bytes = bytes};
	out->head = kmem_read_head(l, tdat_cursor_take(&c, 4), big);
	least = kmem_least_len(l, out->head.event_id);
	out->unknown = !least || out->head.type_id > 2;
	out->is_free = out->head.event_id != l->alloc_id;
	if (l->has_seq && least && bytes.len >= least)
		decode_whole_relay(bytes.ptr, out, big);
	else if (l->has_seq)
		decode_relay(&c, out);
	else if (!l->has_cpu)
		decode_rfc(&c, out);
	else
		decode_ftrace(&c, out, l == &layouts[KMEM_FTRACE64]);
	if (l->has_seq && !out->unknown)
		out->tail = (struct tdat_span){bytes.ptr + least, bytes.len - least};
}

/*
 * Takes the next feature off the tail. A verdict other than KMEM_FEATURE_OK leaves the tail
 * unchanged.
 */
enum kmem_feature_verdict kmem_next_feature(struct tdat_span *tail, bool big,
					    struct kmem_feature *out, uint16_t *size)
{
	struct tdat_cursor c = tdat_cursor_init(tail->ptr, tail->len, 0, big);

	*size = 0;
	if (!tail->len)
		return KMEM_FEATURE_END;
	*size = tdat_cursor_u16(&c);
	out->id = tdat_cursor_u8(&c);
	if (!tdat_cursor_ok(&c))
		return KMEM_FEATURE_CUT;
	/* The size includes its own two bytes and the id. */
	if (*size < 3)
		return KMEM_FEATURE_SMALL;
	if (*size > tail->len)
		return KMEM_FEATURE_LONG;
	out->data = tdat_cursor_bytes(&c, *size - 3u);
	*tail = tdat_span_from(*tail, *size);
	return KMEM_FEATURE_OK;
}
