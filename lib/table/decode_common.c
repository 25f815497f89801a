/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes what every event has: time, CPU, pid, flags, losses. Bytes of flags are read once for
 * a run and turned into bits for eight rows at a time. The common fields lie in one place in
 * nearly all formats. Called through the table in decode.c.
 */
#include "decode_rows.h"

/* Copies a member of len bytes at off of each event. */
static inline __attribute__((always_inline)) void copy_member(struct table_rows *r, size_t off,
							      size_t len)
{
	const struct tdat_event *const *events = r->events;
	const size_t count = r->count;
	uint8_t *at = rows_number_room(r, len);

	for (size_t i = 0; at && i < count; i++)
		memcpy(at + len * i, (const uint8_t *)events[i] + off, len);
}

void rows_decode_ts(struct table_rows *r)
{
	copy_member(r, offsetof(struct tdat_event, ts), 8);
}

void rows_decode_cpu(struct table_rows *r)
{
	copy_member(r, offsetof(struct tdat_event, cpu), 4);
}

void rows_decode_pid(struct table_rows *r)
{
	copy_member(r, offsetof(struct tdat_event, pid), 4);
}

void rows_decode_id(struct table_rows *r)
{
	copy_member(r, offsetof(struct tdat_event, id), 4);
}

/*
 * The thread group of each event's task. Neighbors mostly share a task, so it is searched only
 * when the pid changes.
 */
void rows_decode_tgid(struct table_rows *r)
{
	const struct tdat_task_group *g = NULL;
	int32_t last = 0, none = 0;
	uint8_t *at;

	if (!r->in->groups->count) {
		rows_all_null(r, 4);
		return;
	}
	at = rows_number_room(r, 4);
	for (size_t i = 0; at && i < r->count; i++) {
		const int32_t pid = r->events[i]->pid;

		if (!i || pid != last)
			g = tdat_task_groups_find(r->in->groups, pid);
		last = pid;
		if (!g)
			table_builder_null(r->b, r->b->rows + i);
		memcpy(at + 4 * i, g ? &g->tgid : &none, 4);
	}
}

/* Events lost just before: a count, or -1 for an unknown number; null for none. */
void rows_decode_lost(struct table_rows *r)
{
	uint8_t *at;

	if (!r->run->any_lost) {
		rows_all_null(r, 8);
		return;
	}
	at = rows_number_room(r, 8);
	for (size_t i = 0; at && i < r->count; i++) {
		if (!r->events[i]->lost_before)
			table_builder_null(r->b, r->b->rows + i);
		memcpy(at + 8 * i, &r->events[i]->lost_before, 8);
	}
}

/* A common field of a record; false where it has none. */
static inline bool common_value(const struct tdat_field *f, struct tdat_span rec, bool big,
				uint64_t *v)
{
	if (!f || rec.len < (size_t)f->off + f->len || f->len > 8)
		return false;
	*v = tdat_load_uint(rec.ptr + f->off, f->len, big);
	return true;
}

/*
 * TRACE_FLAG_IRQS_OFF and TRACE_FLAG_IRQS_NOSUPPORT of the kernel's trace_events.h: an
 * architecture that cannot tell whether interrupts were off sets the second.
 */
enum { IRQS_OFF = 0x01, IRQS_NOSUPPORT = 0x02 };

/* The lowest bit of each byte. */
#define LOW_BITS UINT64_C(0x0101010101010101)

/* Bit number shift of each of n bytes; where rows end a byte of bits, of eight at once. */
static void put_flags(struct table_rows *r, uint32_t shift)
{
	const uint8_t *flags = r->run->flags;
	size_t i = 0;

	for (; i < r->count && (r->b->rows + i) % 8; i++)
		rows_put_bit(r, i, flags[i] >> shift & 1);
	for (; r->count - i >= 8; i += 8) {
		const uint64_t low = tdat_load64(flags + i, false) >> shift & LOW_BITS;

		/* Moves the lowest bit of byte k to bit k of the highest byte. */
		r->b->data.ptr[(r->b->rows + i) / 8] =
			(uint8_t)(low * UINT64_C(0x0102040810204080) >> 56);
	}
	for (; i < r->count; i++)
		rows_put_bit(r, i, flags[i] >> shift & 1);
}

/*
 * One bit of common_flags. The fast path reads bytes that table_decode_begin() gathered; null
 * marks a state of interrupts that the architecture did not record.
 */
void rows_decode_flag(struct table_rows *r)
{
	const uint32_t bit = r->source->bit;

	if (!rows_bit_room(r))
		return;
	if (r->run->has_flags && !(bit == IRQS_OFF && r->run->any_flags & IRQS_NOSUPPORT)) {
		/* Room for bits is zeroed, so a bit that no record has needs no work. */
		if (r->run->any_flags & bit)
			put_flags(r, (uint32_t)__builtin_ctz(bit));
		return;
	}
	for (size_t i = 0; i < r->count; i++) {
		uint64_t v;

		if (!common_value(r->in->flags, r->records[i], r->in->big, &v) ||
		    (bit == IRQS_OFF && (v & (IRQS_OFF | IRQS_NOSUPPORT)) == IRQS_NOSUPPORT))
			table_builder_null(r->b, r->b->rows + i);
		else
			rows_put_bit(r, i, v & bit);
	}
}

/*
 * common_preempt_count has the depth of preemption in its low four bits, and since Linux 5.13
 * that of migrate_disable in the high ones; for some versions this was a field of its own.
 */
static void decode_nibble(struct table_rows *r, const struct tdat_field *f, uint32_t shift,
			  uint32_t mask)
{
	const bool bytes = r->run->has_preempt && f == r->in->preempt;
	const uint8_t *preempt = r->run->preempt;
	const size_t count = r->count;
	uint8_t *at = rows_number_room(r, 1);

	for (size_t i = 0; at && bytes && i < count; i++)
		at[i] = (uint8_t)(preempt[i] >> shift & mask);
	for (size_t i = 0; at && !bytes && i < count; i++) {
		uint64_t v = 0;

		if (!common_value(f, r->records[i], r->in->big, &v))
			table_builder_null(r->b, r->b->rows + i);
		at[i] = (uint8_t)(v >> shift & mask);
	}
}

void rows_decode_preempt(struct table_rows *r)
{
	decode_nibble(r, r->in->preempt, 0, 15);
}

/* Kernels with a field of their own for migrate_disable have whole bytes of it. */
void rows_decode_migrate(struct table_rows *r)
{
	if (r->in->migrate)
		decode_nibble(r, r->in->migrate, 0, 0xff);
	else
		decode_nibble(r, r->in->preempt, 4, 15);
}
