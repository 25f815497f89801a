/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes blktrace records apart, to the byte: docs/formats/gtsc.md §5. */
#include "blk_record.h"

#include <string.h>

#include "core/cursor.h"
#include "import/relay/channel_files.h"

enum {
	CGROUP = 0x100, /* in the action: the payload starts with a u64 */
	LOOK_LEN = 4096,
	MAGIC_BITS = 24,
	RECORD_BITS = 32
};

void blk_decode(unsigned int version, bool big, struct tdat_span data, struct blk_record *out)
{
	struct tdat_cursor c = tdat_cursor_init(data.ptr, data.len, 0, big);
	uint64_t action;

	memset(out, 0, sizeof(*out));
	tdat_cursor_u32(&c);
	out->sequence = tdat_cursor_u32(&c);
	out->time = tdat_cursor_u64(&c);
	out->sector = tdat_cursor_u64(&c);
	out->bytes = tdat_cursor_u32(&c);
	if (version == 8) {
		out->pid = tdat_cursor_u32(&c);
		action = tdat_cursor_u64(&c);
	} else {
		action = tdat_cursor_u32(&c);
		out->pid = tdat_cursor_u32(&c);
	}
	out->device = tdat_cursor_u32(&c);
	out->cpu = tdat_cursor_u32(&c);
	out->error = tdat_cursor_u16(&c);
	tdat_cursor_u16(&c);
	tdat_cursor_bytes(&c, version == 8 ? 12 : 0);
	out->raw_action = action;
	out->action = (uint16_t)(action & 0xffff & ~(uint64_t)CGROUP);
	out->categories = (uint32_t)(action >> 16);
	if (action & CGROUP && tdat_cursor_left(&c) >= 8)
		tdat_cursor_u64(&c);
	out->pdu = tdat_cursor_bytes(&c, tdat_cursor_left(&c));
}

uint32_t blk_probe(const struct tdat_import_input *inputs, size_t input_count)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < input_count; i++) {
		uint8_t buf[LOOK_LEN];
		struct tdat_span s = relay_look(inputs[i].source, buf, sizeof(buf));
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
			s.ptr += len;
			s.len -= len;
			version = blk_version(s, &order);
			if (order != big)
				break;
		}
	}
	return bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
}
