/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks payloads, and reads and writes the structs and status pages of the kernel's interface.
 * Each check and its errno is the kernel's. Structs of the interface are decoded by their size
 * field, because programs are built against several generations of it.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "core/checked.h"
#include "core/cursor.h"
#include "event.h"

/* Checks that a field points into the payload, and that its text ends with a NUL. */
static enum tdat_status check_loc(const struct tdat_user_field *f, const uint8_t *payload,
				  size_t len, bool big, struct tdat_error *err)
{
	uint32_t at = f->off - TDAT_USER_COMMON_LEN, loc = tdat_load32(payload + at, big);
	uint64_t start = loc & 0xffff, size = loc >> 16, base = TDAT_USER_COMMON_LEN;

	if (f->loc == TDAT_USER_LOC_REL)
		start += (uint64_t)f->off + 4;
	/* The kernel checks the end only: a start in the common bytes passes. */
	if (start + size > base + len)
		return user_refuse(err, EFAULT, "field %s points outside the record", f->name);
	if (!strstr(f->type, "char") || start + size <= base)
		return TDAT_OK;
	if (payload[start + size - base - 1])
		return user_refuse(err, EFAULT, "field %s is not terminated", f->name);
	return TDAT_OK;
}

/*
 * EINVAL: too short. EFAULT: a field points outside. The record's common bytes precede the payload.
 */
enum tdat_status tdat_user_event_check(const struct tdat_user_event *e, const void *payload,
				       size_t len, bool big_endian, struct tdat_error *err)
{
	if (len < e->min_size)
		return user_refuse(err, EINVAL, "%zu payload bytes, event %s needs %" PRIu32, len,
				   e->name, e->min_size);
	for (size_t i = 0; i < e->field_count; i++) {
		const struct tdat_user_field *f = &e->fields[i];
		enum tdat_status st = TDAT_OK;

		if (f->loc != TDAT_USER_LOC_NONE && tdat_range_ok(f->off - 8, 4, len))
			st = check_loc(f, payload, len, big_endian, err);
		if (st != TDAT_OK)
			return st;
	}
	return TDAT_OK;
}

/* Decodes struct user_reg of either generation by its size field. */
enum tdat_status tdat_user_reg_decode(struct tdat_user_reg *out, const void *data, size_t len,
				      bool big_endian, struct tdat_error *err)
{
	struct tdat_cursor c = tdat_cursor_init(data, len, 0, big_endian);

	memset(out, 0, sizeof(*out));
	out->size = tdat_cursor_u32(&c);
	if (!tdat_cursor_ok(&c))
		return user_refuse(err, EFAULT, "%zu bytes are too few for a size", len);
	if (out->size > TDAT_USER_REG_SIZE)
		return user_refuse(err, E2BIG, "size %" PRIu32 " is larger than %d", out->size,
				   TDAT_USER_REG_SIZE);
	if (out->size != TDAT_USER_REG_SIZE && out->size != TDAT_USER_REG_SIZE_EARLY)
		return user_refuse(err, EINVAL, "size %" PRIu32 " is neither %d nor %d", out->size,
				   TDAT_USER_REG_SIZE_EARLY, TDAT_USER_REG_SIZE);
	/* The late struct has these in front of name_args; the early one has status behind it. */
	if (out->size == TDAT_USER_REG_SIZE) {
		out->enable_bit = tdat_cursor_u8(&c);
		out->enable_size = tdat_cursor_u8(&c);
		out->flags = tdat_cursor_u16(&c);
		out->enable_addr = tdat_cursor_u64(&c);
	}
	out->name_args = tdat_cursor_u64(&c);
	if (out->size == TDAT_USER_REG_SIZE_EARLY)
		out->status = tdat_cursor_u32(&c);
	out->write_index = tdat_cursor_u32(&c);
	if (!tdat_cursor_ok(&c))
		return user_refuse(err, EFAULT, "size is %" PRIu32 ", but there are %zu bytes",
				   out->size, len);
	return TDAT_OK;
}

/* Linux 5.18: byte n of the page. */
uint8_t tdat_user_status_byte(const void *page, size_t len, uint32_t status_index)
{
	return status_index < len ? ((const uint8_t *)page)[status_index] : 0;
}

/* Linux 6.0 to 6.3: bit n of the page. */
bool tdat_user_status_bit(const void *page, size_t len, uint32_t status_bit)
{
	return status_bit / 8 < len &&
	       ((const uint8_t *)page)[status_bit / 8] & (1u << (status_bit % 8));
}
