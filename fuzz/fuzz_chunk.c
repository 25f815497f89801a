/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compressed CPU data whose framing is right: a byte of codec and byte order, a
 * byte for the number of chunks, then for each u16 stored and u16 promised length
 * and the stored bytes (little endian; what is short is cut). The decoder gets any
 * bytes; what check calls clean is read to its end, and the copy has the same events.
 */
#include <string.h>

#include "core/cursor.h"
#include "small.h"
#include "trace.h"

enum { FLAG_BIG = 1, FLAG_ZSTD = 2, FLAG_V6 = 4, CHUNKS_MOST = 4 };

static void put_chunks(struct tdat_build *out, struct tdat_cursor *in)
{
	uint32_t count = 1 + tdat_cursor_u8(in) % CHUNKS_MOST, i;

	tdat_build_u32(out, count);
	for (i = 0; i < count; i++) {
		size_t len = tdat_cursor_u16(in), promised = tdat_cursor_u16(in);
		struct tdat_span bytes;

		if (!tdat_cursor_ok(in))
			len = 0;
		if (len > tdat_cursor_left(in) || i + 1 == count)
			len = tdat_cursor_left(in);
		bytes = tdat_cursor_bytes(in, len);
		tdat_build_u32(out, (uint32_t)len);
		tdat_build_u32(out, (uint32_t)promised);
		tdat_build_bytes(out, bytes.ptr, bytes.len);
	}
}

static void use(struct tdat_file *file, uint8_t flags)
{
	struct tdat_check_result result;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct fuzz_events before, after;
	struct tdat_writer *w;

	before = fuzz_read_events(file, true);
	if (!fuzz_check(file, &result) || result.damages)
		return;
	FUZZ_ASSERT(before.status == TDAT_OK && !before.bad && before.count == result.events);
	w = fuzz_writer(flags & FLAG_V6 ? 6 : 7, "none");
	FUZZ_ASSERT(tdat_writer_copy(w, file, &err) == TDAT_OK);
	FUZZ_ASSERT(tdat_writer_finish(w, &err) == TDAT_OK);
	tdat_writer_free(w);
	file = fuzz_reopen();
	after = fuzz_read_events(file, true);
	FUZZ_ASSERT(before.count == after.count && before.hash == after.hash);
	tdat_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_open_opts opts = fuzz_open_opts(true);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct fuzz_small s = {.version = 7, .compressed = true};
	struct tdat_build b, chunks;
	struct tdat_cursor c;
	struct tdat_file *file;

	if (size < 2)
		return 0;
	s.big = data[0] & FLAG_BIG;
	s.compression = data[0] & FLAG_ZSTD ? "zstd" : "zlib";
	c = tdat_cursor_init(data + 1, size - 1, 0, false);
	tdat_build_init(&chunks, s.big);
	put_chunks(&chunks, &c);
	s.data = chunks.ptr;
	s.data_len = chunks.len;
	fuzz_small_build(&b, &s);
	FUZZ_ASSERT(!b.failed && !chunks.failed);
	FUZZ_ASSERT(tdat_file_open_memory(&file, b.ptr, b.len, "fuzz", &opts, &err) == TDAT_OK);
	use(file, data[0]);
	tdat_file_close(file);
	tdat_build_fini(&b);
	tdat_build_fini(&chunks);
	return 0;
}
