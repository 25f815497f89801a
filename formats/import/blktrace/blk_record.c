/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes blktrace records apart, to the byte: docs/formats/gtsc.md §5. The bytes are loaded in
 * the capture's order; the text or data behind the head stays where it lies. Probing counts how
 * many bits of the head are as they should be.
 */
#include "blktrace.h"

#include <string.h>

#include "core/cursor.h"
#include "core/text.h"
#include "import/relay/relay.h"

enum {
	CGROUP = 0x100, /* in the action: the payload starts with a u64 */
	LOOK_LEN = 4096,
	MAGIC_BITS = 24,
	RECORD_BITS = 32
};

/*
 * Reads a whole header (struct blk_io_trace); returns its action. Version 8 moves pid and has a
 * 64-bit action.
 */
static inline uint64_t load_header(const uint8_t *p, unsigned int version, const bool big,
				   struct blk_record *out)
{
	uint64_t action;

	out->sequence = tdat_load32(p + 4, big);
	out->time = tdat_load64(p + 8, big);
	out->sector = tdat_load64(p + 16, big);
	out->bytes = tdat_load32(p + 24, big);
	if (version == 8) {
		out->pid = tdat_load32(p + 28, big);
		action = tdat_load64(p + 32, big);
		p += 40;
	} else {
		action = tdat_load32(p + 28, big);
		out->pid = tdat_load32(p + 32, big);
		p += 36;
	}
	out->device = tdat_load32(p, big);
	out->cpu = tdat_load32(p + 4, big);
	out->error = tdat_load16(p + 8, big);
	return action;
}

/* Decodes a whole record. A shorter one gives zeros. */
void blk_decode(unsigned int version, bool big, struct tdat_span data, struct blk_record *out)
{
	size_t head = blk_header_len(version);
	struct tdat_cursor c;
	uint64_t action;

	memset(out, 0, sizeof(*out));
	if (data.len < head)
		return;
	action = big ? load_header(data.ptr, version, true, out)
		     : load_header(data.ptr, version, false, out);
	c = tdat_cursor_init(data.ptr + head, data.len - head, 0, big);
	out->raw_action = action;
	out->action = (uint16_t)(action & 0xffff & ~(uint64_t)CGROUP);
	out->categories = (uint32_t)(action >> 16);
	/* The cgroup id is not part of the payload that events show. */
	if (action & CGROUP && tdat_cursor_left(&c) >= 8)
		tdat_cursor_u64(&c);
	out->pdu = tdat_cursor_bytes(&c, tdat_cursor_left(&c));
}

/*
 * Confidence in bits that the inputs are block traces: name, magic, and records that follow each
 * other.
 */
uint32_t blk_probe(const struct tdat_import_input *inputs, size_t input_count)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < input_count; i++) {
		uint8_t buf[LOOK_LEN];
		struct tdat_span s = import_look(inputs[i].source, buf, sizeof(buf));
		bool big = false, order = false;
		unsigned int version = blk_version(s, &big);

		if (strstr(inputs[i].name, ".blktrace."))
			bits += 8;
		if (version)
			bits += MAGIC_BITS;
		while ((version == 7 || version == 8) && s.len >= blk_header_len(version)) {
			size_t len = blk_header_len(version) + blk_payload_len(version, big, s.ptr);

			bits += RECORD_BITS;
			if (len > s.len)
				break;
			s = tdat_span_from(s, len);
			version = blk_version(s, &order);
			if (order != big)
				break;
		}
	}
	return bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
}
