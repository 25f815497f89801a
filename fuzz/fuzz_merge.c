/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte of version, compression, byte order and of what CPUs become, one of the
 * other input, then any bytes as a trace.dat. What is made of it and itself, or a
 * small file, opens strictly and has as many events as both, in the order and with
 * the times and losses that an iterator over both gives.
 */
#include "events.h"
#include "small.h"

enum { FLAG_LITTLE = 16, FLAG_BIG = 32, AS_SHIFT = 6 }; /* beside FUZZ_V6 and so on */
enum { OTHER_SMALL = 1, OTHER_V6 = 2, OTHER_BIG = 4, OTHER_LATER = 8, OTHER_FIRST = 16 };

static struct tdat_file *open_bytes(const void *p, size_t len)
{
	struct tdat_open_opts opts = fuzz_open_opts(true);
	struct tdat_file *file = NULL;

	return tdat_file_open_memory(&file, p, len, "fuzz", &opts, NULL) == TDAT_OK ? file : NULL;
}

static bool is_sorted(const struct fuzz_list *l)
{
	size_t i;

	for (i = 1; i < l->count; i++)
		if (l->v[i].ts < l->v[i - 1].ts)
			return false;
	return true;
}

/* Of events at one time any may be the first. */
static uint64_t sum_at(const struct fuzz_list *l, size_t *i)
{
	uint64_t ts = l->v[*i].ts, sum = 0;

	for (; *i < l->count && l->v[*i].ts == ts; (*i)++)
		sum += l->v[*i].hash * 31 + (uint64_t)l->v[*i].lost;
	return sum;
}

static void compare(const struct fuzz_list *want, const struct fuzz_list *got)
{
	size_t i = 0, k = 0;

	FUZZ_ASSERT(got->count == want->count);
	/* What goes back in time cannot be written as it is. */
	if (!is_sorted(want))
		return;
	FUZZ_ASSERT(is_sorted(got));
	while (i < want->count) {
		FUZZ_ASSERT(want->v[i].ts == got->v[k].ts);
		FUZZ_ASSERT(sum_at(want, &i) == sum_at(got, &k) && i == k);
	}
}

static void check_merged(const struct tdat_iter_input *in, const struct tdat_merge_result *told)
{
	struct fuzz_list want = {0}, got = {0};
	struct tdat_iter_input merged = {.file = fuzz_reopen()};

	fuzz_list_read(&want, in, 2, NULL, false);
	fuzz_list_read(&got, &merged, 1, NULL, false);
	FUZZ_ASSERT(got.status == TDAT_OK && got.count == told->events);
	if (want.status == TDAT_OK)
		compare(&want, &got);
	fuzz_list_fini(&want);
	fuzz_list_fini(&got);
	tdat_file_close(merged.file);
}

static void merge(const struct tdat_iter_input *in, uint8_t flags)
{
	struct tdat_writer *w = fuzz_writer_as(flags);
	struct tdat_merge_opts opts = TDAT_MERGE_OPTS_INIT;
	struct tdat_merge_result told = {0};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	opts.as = (enum tdat_merge_as)(flags >> AS_SHIFT) % 3;
	opts.order = flags & FLAG_LITTLE ? TDAT_MERGE_ORDER_LITTLE
		     : flags & FLAG_BIG	 ? TDAT_MERGE_ORDER_BIG
					 : TDAT_MERGE_ORDER_FIRST;
	st = tdat_writer_merge(w, in, 2, &opts, &told, &err);
	st = fuzz_finish(w, st, &err);
	if (st == TDAT_OK)
		check_merged(in, &told);
}

static struct tdat_file *open_small(struct tdat_build *b, uint8_t how)
{
	const struct fuzz_small small = {
		.big = how & OTHER_BIG, .version = how & OTHER_V6 ? 6 : 7, .compression = "none"};

	fuzz_small_build(b, &small);
	return open_bytes(b->ptr, b->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_iter_input in[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
	struct tdat_build small = {0};
	uint8_t how;
	int own;

	if (size < 2)
		return 0;
	how = data[1];
	own = how & OTHER_FIRST ? 1 : 0;
	in[own].file = open_bytes(data + 2, size - 2);
	if (in[own].file)
		in[!own].file = how & OTHER_SMALL ? open_small(&small, how)
						  : open_bytes(data + 2, size - 2);
	if (how & OTHER_LATER)
		in[1].ts_offset = 1000003;
	if (in[0].file && in[1].file)
		merge(in, data[0]);
	tdat_file_close(in[0].file);
	tdat_file_close(in[1].file);
	tdat_build_fini(&small);
	return 0;
}
