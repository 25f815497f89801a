/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte of version and compression to write, then any bytes as a trace.dat.
 * What repair makes of what opens at all is opened strictly, is clean but for
 * events that no format describes, and has the events it told of.
 */
#include "trace.h"

static void check_repaired(const struct tdat_repair_result *told)
{
	struct tdat_file *file = fuzz_reopen();
	struct tdat_check_result result;
	struct fuzz_events e;

	if (fuzz_check(file, &result)) {
		FUZZ_ASSERT(!result.damages || told->unknown_events);
		FUZZ_ASSERT(!result.bad_pages && !result.formats_broken);
		FUZZ_ASSERT(result.events == told->events);
	}
	e = fuzz_read_events(file, false);
	FUZZ_ASSERT(e.status == TDAT_OK && !e.bad && e.count == told->events);
	tdat_file_close(file);
}

static void repair(struct tdat_file *file, uint8_t flags)
{
	struct tdat_writer *w = fuzz_writer_as(flags);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_repair_result told = {0};
	enum tdat_status st = tdat_repair(w, file, NULL, NULL, NULL, &told, &err);

	st = fuzz_finish(w, st, &err);
	if (st == TDAT_OK)
		check_repaired(&told);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_open_opts opts = fuzz_open_opts(true);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;

	if (!size ||
	    tdat_file_open_memory(&file, data + 1, size - 1, "fuzz", &opts, &err) != TDAT_OK)
		return 0;
	repair(file, data[0]);
	tdat_file_close(file);
	return 0;
}
