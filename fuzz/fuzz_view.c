/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions to tdat view: a path and a query, as a browser sends them, about one small trace. Each
 * line of the input is a question. The answer must be JSON that says what it means to say: it
 * begins and ends as an object, and a failure has a sentence.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "fuzz.h"

static void fail(const char *what, const struct tdat_build *out)
{
	fprintf(stderr, "%s: %.*s\n", what, (int)out->len, (const char *)out->ptr);
	abort();
}

static void ask(struct view_api *api, char *line)
{
	char *question = strchr(line, '?');
	struct tdat_build out;
	unsigned status;

	if (question)
		*question++ = 0;
	tdat_build_init(&out, false);
	status = view_api_answer(api, line, question ? question : "", NULL, &out);
	if (!out.failed) {
		if (out.len < 2 || out.ptr[0] != '{' || out.ptr[out.len - 1] != '}')
			fail("an answer is no object", &out);
		if (status != 200 && memcmp(out.ptr, "{\"error\":\"", 10))
			fail("a failure has no sentence", &out);
		if (memchr(out.ptr, '\n', out.len) || memchr(out.ptr, 0, out.len))
			fail("a control byte stands in an answer", &out);
	}
	tdat_build_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_iter_input input = {NULL, 0, 0};
	const struct view_engine_opts opts = {1, 1};
	struct view_engine *engine;
	struct view_api *api;
	char *text;

	if (size > 4096)
		return 0;
	if (tdat_file_open(&input.file, FUZZ_VIEW_TRACE, NULL, NULL) != TDAT_OK)
		abort();
	text = malloc(size + 1);
	if (!text || view_engine_new(&engine, &input, 1, &opts, NULL) != TDAT_OK)
		abort();
	memcpy(text, data, size);
	text[size] = 0;
	if (view_api_new(&api, engine, NULL) != TDAT_OK)
		abort();
	view_engine_wait(engine);
	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		ask(api, line);
	}
	view_engine_free(engine);
	view_api_free(api);
	tdat_file_close(input.file);
	free(text);
	return 0;
}
