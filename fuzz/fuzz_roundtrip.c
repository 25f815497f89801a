/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte of version, compression and byte order to write, then a trace.dat. What
 * is free of damage has the same events when it was copied; what is turned round
 * and back again has the same order of events.
 */
#include "trace.h"

enum { FLAG_TURN = 2 }; /* beside FUZZ_V6 and so on */

static bool same(const struct fuzz_events *a, const struct fuzz_events *b)
{
	return a->status == b->status && a->count == b->count && a->hash == b->hash &&
	       a->bad == b->bad;
}

/* The copy, opened, or NULL when the writer cannot hold it (and says so). */
static struct tdat_file *copy(struct tdat_file *file, uint8_t flags, bool turn)
{
	struct tdat_writer *w = fuzz_writer_as(flags);
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	st = tdat_writer_copy_endian(w, file, tdat_file_info(file)->big_endian != turn, &err);
	st = fuzz_finish(w, st, &err);
	return st == TDAT_OK ? fuzz_reopen() : NULL;
}

static void turn_twice(struct tdat_file *file, uint8_t flags)
{
	struct fuzz_events there, back;
	struct tdat_file *once = copy(file, flags, true), *twice;

	if (!once)
		return;
	there = fuzz_read_events(once, false);
	/* The writer rounds what a damaged clock cannot hold; the first turn settles it. */
	twice = copy(once, flags, true);
	FUZZ_ASSERT(twice);
	back = fuzz_read_events(twice, false);
	FUZZ_ASSERT(same(&there, &back));
	tdat_file_close(twice);
	tdat_file_close(once);
}

static void copy_once(struct tdat_file *file, uint8_t flags)
{
	struct fuzz_events before = fuzz_read_events(file, true), after;
	struct tdat_file *other = copy(file, flags, false);

	if (!other)
		return;
	after = fuzz_read_events(other, true);
	FUZZ_ASSERT(same(&before, &after));
	tdat_file_close(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_open_opts opts = fuzz_open_opts(false);
	struct tdat_check_result result;
	struct tdat_file *file;

	if (!size ||
	    tdat_file_open_memory(&file, data + 1, size - 1, "fuzz", &opts, NULL) != TDAT_OK)
		return 0;
	if (fuzz_check(file, &result) && !result.damages) {
		if (data[0] & FLAG_TURN)
			turn_twice(file, data[0]);
		else
			copy_once(file, data[0]);
	}
	tdat_file_close(file);
	return 0;
}
