/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte of version and byte order, then options: ids, lengths and data as a file
 * holds them. Without any the file is sound; with a list of them that opens it has
 * all of its events, and so have its repaired form and, if it can be made, its copy
 * in the other order.
 */
#include <string.h>

#include "small.h"
#include "trace.h"

enum { FLAG_BIG = 1, FLAG_V6 = 2, EVENTS = 2 };

static void finish(struct tdat_writer *w, enum tdat_status st, struct tdat_error *err)
{
	struct tdat_file *copy;

	if (st == TDAT_OK)
		st = tdat_writer_finish(w, err);
	FUZZ_ASSERT(st == TDAT_OK || (err->status == st && *err->message));
	tdat_writer_free(w);
	if (st != TDAT_OK)
		return;
	copy = fuzz_reopen();
	FUZZ_ASSERT(fuzz_read_events(copy, true).count == EVENTS);
	tdat_file_close(copy);
}

static void use(struct tdat_file *file, const struct fuzz_small *s)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_check_result result;
	struct fuzz_events e = fuzz_read_events(file, true);
	struct tdat_writer *w;

	fuzz_check(file, &result);
	/* Options can name other buffers and tables. */
	if (tdat_file_option_by_id(file, TDAT_OPTION_CPUCOUNT))
		return;
	FUZZ_ASSERT(e.status == TDAT_OK && e.count >= EVENTS);
	if (e.count != EVENTS)
		return;
	w = fuzz_writer(s->version, "none");
	finish(w, tdat_repair(w, file, NULL, NULL, NULL, NULL, &err), &err);
	tdat_error_reset(&err);
	w = fuzz_writer(s->version, "none");
	finish(w, tdat_writer_copy_endian(w, file, !s->big, &err), &err);
}

/* Whether the list has no end of its own, behind which anything may come. */
static bool is_list(const uint8_t *p, size_t len, bool big)
{
	while (len >= 6) {
		size_t n = tdat_load32(p + 2, big);

		if (!tdat_load16(p, big) || n > len - 6)
			return false;
		p += 6 + n;
		len -= 6 + n;
	}
	return !len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_open_opts opts = fuzz_open_opts(false);
	struct fuzz_small s = {.compression = "none"};
	struct tdat_file *file;
	struct tdat_build b;

	if (!size)
		return 0;
	s.big = data[0] & FLAG_BIG;
	s.version = data[0] & FLAG_V6 ? 6 : 7;
	s.options = data + 1;
	s.options_len = size - 1;
	fuzz_small_build(&b, &s);
	FUZZ_ASSERT(!b.failed);
	if (tdat_file_open_memory(&file, b.ptr, b.len, "fuzz", &opts, NULL) == TDAT_OK) {
		if (is_list(s.options, s.options_len, s.big))
			use(file, &s);
		tdat_file_close(file);
	} else {
		FUZZ_ASSERT(s.options_len);
	}
	tdat_build_fini(&b);
	return 0;
}
