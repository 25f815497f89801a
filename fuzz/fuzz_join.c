/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a Parquet file that is joined with itself (struct tdat_join_ops). What comes of it
 * can be joined alone, to the same bytes: so each of its places was found again.
 */
#include <string.h>

#include <tdat/export.h>

#include "core/build.h"
#include "fuzz.h"

static enum tdat_status keep(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)err;
	tdat_build_bytes(ctx, data, len);
	return TDAT_OK;
}

static enum tdat_status give(void *ctx, uint64_t off, void *data, size_t len,
			     struct tdat_error *err)
{
	const struct tdat_span *file = ctx;

	(void)err;
	FUZZ_ASSERT(off <= file->len && len <= file->len - off);
	memcpy(data, file->ptr + off, len);
	return TDAT_OK;
}

static enum tdat_status join(struct tdat_span file, unsigned int times, struct tdat_build *out)
{
	const struct tdat_join_ops *ops = tdat_exporter_find("parquet")->columns->join;
	const struct tdat_join_part part = {give, &file, file.len};
	struct tdat_error err = TDAT_ERROR_INIT;
	void *joined;
	enum tdat_status st = ops->begin(&joined, keep, out, &err), ended;

	for (; st == TDAT_OK && times; times--)
		st = ops->add(joined, &part, &err);
	FUZZ_ASSERT(st == TDAT_OK || *err.message);
	ended = ops->end(joined, st != TDAT_OK, &err);
	return st == TDAT_OK ? ended : st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_build once, again;

	tdat_build_init(&once, false);
	tdat_build_init(&again, false);
	if (join((struct tdat_span){data, size}, 2, &once) == TDAT_OK) {
		FUZZ_ASSERT(join((struct tdat_span){once.ptr, once.len}, 1, &again) == TDAT_OK);
		FUZZ_ASSERT(once.len == again.len && !memcmp(once.ptr, again.ptr, once.len));
	}
	tdat_build_fini(&once);
	tdat_build_fini(&again);
	return 0;
}
