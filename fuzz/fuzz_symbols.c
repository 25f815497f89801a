/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stored texts as kallsyms, printk formats and command lines. Symbols must be
 * those libtraceevent finds; strings must lie in the input; what a table says
 * of a key must not depend on what was asked before.
 */
#include <string.h>

#include <event-parse.h>

#include "fuzz.h"
#include "model/stored_text.h"
#include "model/symbols.h"

/* More would make libtraceevent, not us, slow. */
enum { ORACLE_MAX = 4096 };

static void inside(struct tdat_span text, struct tdat_span s)
{
	FUZZ_ASSERT(!s.ptr || (s.ptr >= text.ptr && s.ptr <= text.ptr + text.len));
	FUZZ_ASSERT(!s.ptr || s.len <= (size_t)(text.ptr + text.len - s.ptr));
}

static void same_symbol(const struct model_symbols *s, struct tep_handle *tep,
			struct tdat_span text, uint64_t addr)
{
	const char *want = tep_find_function(tep, addr);
	uint64_t start = 0;
	struct tdat_span got = model_symbols_find(s, addr, &start);

	inside(text, got);
	FUZZ_ASSERT(!want == !got.ptr);
	if (!want)
		return;
	FUZZ_ASSERT(strlen(want) == got.len && !memcmp(want, got.ptr, got.len));
	FUZZ_ASSERT(start == tep_find_function_address(tep, addr));
}

static void symbols(struct tdat_span text)
{
	struct model_symbols *s = NULL;
	struct tep_handle *tep;
	char *copy, *line, *next;
	uint64_t addr = 0;

	FUZZ_ASSERT(model_symbols_new(&s, text, NULL) == TDAT_OK);
	if (text.len > ORACLE_MAX) {
		model_symbols_free(s);
		return;
	}
	tep = tep_alloc();
	copy = calloc(1, text.len + 1);
	FUZZ_ASSERT(tep && copy);
	memcpy(copy, text.ptr, text.len);
	tep_parse_kallsyms(tep, copy);
	for (line = strtok_r(copy, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		uint64_t prev = addr;

		addr = strtoull(line, NULL, 16);
		same_symbol(s, tep, text, addr);
		same_symbol(s, tep, text, addr - 1);
		same_symbol(s, tep, text, addr + 1);
		same_symbol(s, tep, text, prev);
		same_symbol(s, tep, text, prev + (addr - prev) / 2);
	}
	same_symbol(s, tep, text, 0);
	same_symbol(s, tep, text, UINT64_MAX);
	free(copy);
	tep_free(tep);
	model_symbols_free(s);
}

static void printk(struct tdat_span text, uint64_t key)
{
	struct model_printk *p = NULL;

	FUZZ_ASSERT(model_printk_new(&p, text, NULL) == TDAT_OK);
	FUZZ_ASSERT(model_printk_count(p) <= text.len);
	inside(text, model_printk_find(p, key));
	inside(text, model_printk_find(p, 0));
	inside(text, model_printk_find(p, 16));
	model_printk_free(p);
}

static void tasks(struct tdat_span text, uint64_t key)
{
	struct model_tasks *t = NULL;
	int32_t pid;

	FUZZ_ASSERT(model_tasks_new(&t, text, NULL) == TDAT_OK);
	FUZZ_ASSERT(model_tasks_lines(t) <= text.len);
	for (pid = -2; pid < 40; pid++) {
		struct tdat_span comm = model_tasks_known(t, pid);

		inside(text, comm);
		FUZZ_ASSERT(!comm.ptr || comm.len);
		FUZZ_ASSERT(model_tasks_find(t, pid).len);
	}
	inside(text, model_tasks_known(t, (int32_t)key));
	model_tasks_free(t);
}

/* A mended text is read whole. */
static void mended(struct tdat_span text)
{
	struct tdat_build b;

	for (int which = MODEL_TEXT_KALLSYMS; which <= MODEL_TEXT_TGIDS; which++) {
		const struct model_unread u = model_text_unread((enum model_text)which, text);

		FUZZ_ASSERT(!u.len || (u.off < text.len && u.len <= text.len));
		tdat_build_init(&b, false);
		model_text_mend((enum model_text)which, text, &b);
		/* A line of another shape may grow by "0x", blanks, a colon, quotes and a line
		 * feed. */
		FUZZ_ASSERT(!b.failed && b.len <= 9 * text.len + 9);
		FUZZ_ASSERT(
			!model_text_unread((enum model_text)which, (struct tdat_span){b.ptr, b.len})
				 .len);
		tdat_build_fini(&b);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_span text = {data, size};
	uint64_t key = 0;

	tep_set_loglevel(TEP_LOG_NONE);
	memcpy(&key, data, size < 8 ? size : 8);
	symbols(text);
	printk(text, key);
	tasks(text, key);
	mended(text);
	return 0;
}
