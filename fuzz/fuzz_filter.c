/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters: the text, a NUL, a record. Bound to fixed fields of every kind, a
 * filter gives the same answer twice and reads nothing outside the record; so does
 * one for the pids that the record starts with.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/filter.h"

#define FIELD(type, off, len, sign)                                                                \
	"\tfield:" type ";\toffset:" #off ";\tsize:" #len ";\tsigned:" #sign ";\n"

static const char fixed[] = "name: made\nID: 77\nformat:\n" FIELD("unsigned short common_type", 0,
								  2, 0)
	FIELD("int common_pid", 4, 4, 1) "\n" FIELD("u8 a", 8, 1, 0) FIELD("s16 b", 10, 2, 1) FIELD(
		"u32 c", 12, 4, 0) FIELD("s64 d", 16, 8, 1) FIELD("char name[16]", 24, 16, 0)
		FIELD("__data_loc char[] str", 40, 4, 0) FIELD("__rel_loc char[] rel", 44, 4, 0)
			FIELD("void * ptr", 48, 8, 0) FIELD("int pid", 56, 4, 1)
				FIELD("char rest[]", 60, 0, 0) "\nprint fmt: \"\"\n";

static const char kallsyms[] = "ffffffff81000000 T _stext\nffffffff81000100 T do_one\n";
static const char cmdlines[] = "1 init\n77 made\n";

struct tables {
	struct model_symbols *symbols;
	struct model_tasks *tasks;
};

static struct tdat_span get_name(const void *ctx, int32_t pid)
{
	return model_tasks_find(((const struct tables *)ctx)->tasks, pid);
}

static const struct model_symbols *get_symbols(const void *ctx)
{
	return ((const struct tables *)ctx)->symbols;
}

static struct tdat_span span_of(const void *p, size_t len)
{
	struct tdat_span s = {(const uint8_t *)p, len};

	return s;
}

static enum model_filter_result run_twice(struct model_filter_prog *p, struct tdat_span record)
{
	const struct model_filter_event ev = {record, 12345, 3, 77, NULL, 0};
	const enum model_filter_result r = model_filter_run(p, &ev);

	FUZZ_ASSERT(model_filter_run(p, &ev) == r);
	model_filter_prog_free(p);
	return r;
}

static void try_expr(const struct model_filter *f, const struct tdat_event_format *format,
		     const struct model_filter_env *env, struct tdat_span record)
{
	struct model_filter_prog *p;

	if (model_filter_bind(&p, f, format, env, NULL) == TDAT_OK)
		run_twice(p, record);
}

static int by_pid(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool is_in(const int32_t *pids, size_t count, int64_t pid)
{
	size_t i = 0;

	while (i < count && pids[i] != pid)
		i++;
	return i < count;
}

/* Of the event itself (77), or else in its field "pid". */
static void try_pids(const struct tdat_event_format *format, const struct model_filter_env *env,
		     struct tdat_span record)
{
	int32_t pids[4];
	size_t count = record.len / 4 < 4 ? record.len / 4 : 4;
	const struct model_pid_set set = {pids, count};
	enum model_filter_result r, expected = MODEL_FILTER_FAILED;
	struct model_filter_prog *p;
	int64_t pid;

	if (count)
		memcpy(pids, record.ptr, count * 4);
	qsort(pids, count, sizeof(*pids), by_pid);
	if (is_in(pids, count, 77))
		expected = MODEL_FILTER_MATCH;
	else if (tdat_field_i64(tdat_event_format_field(format, "pid"), record, &pid, NULL) ==
		 TDAT_OK)
		expected = is_in(pids, count, pid) ? MODEL_FILTER_MATCH : MODEL_FILTER_MISS;
	FUZZ_ASSERT(model_filter_bind_pids(&p, &set, format, env, NULL) == TDAT_OK);
	r = run_twice(p, record);
	FUZZ_ASSERT(r == expected);
}

static void try_filter(const char *text, struct tdat_span record)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_event_format *format = NULL;
	struct tables t = {NULL, NULL};
	struct model_filter_env env = {false, get_name, get_symbols, &t};
	struct model_filter *f;

	if (model_filter_new(&f, text, &err) != TDAT_OK) {
		if (err.status == TDAT_OK || !err.message[0])
			abort();
		return;
	}
	if (model_format_parse(&format, "fuzz", span_of(fixed, sizeof(fixed) - 1), 0, false, 8,
			       NULL) == TDAT_OK &&
	    model_symbols_new(&t.symbols, span_of(kallsyms, sizeof(kallsyms) - 1), NULL) ==
		    TDAT_OK &&
	    model_tasks_new(&t.tasks, span_of(cmdlines, sizeof(cmdlines) - 1), NULL) == TDAT_OK) {
		model_filter_names(f, "fuzz", "made");
		try_expr(f, format, &env, record);
		try_pids(format, &env, record);
	}
	model_symbols_free(t.symbols);
	model_tasks_free(t.tasks);
	model_format_free(format);
	model_filter_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
	size_t len = nul ? (size_t)(nul - data) : size, rest = nul ? size - len - 1 : 0;
	char *text = malloc(len + 1);
	uint8_t *record = malloc(rest + 1);

	if (text && record) {
		if (len)
			memcpy(text, data, len);
		text[len] = '\0';
		/* A block of its own: reading past it is seen. */
		if (rest)
			memcpy(record, nul + 1, rest);
		try_filter(text, span_of(record, rest));
	}
	free(text);
	free(record);
	return 0;
}
