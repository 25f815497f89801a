/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event format and a record of it, through the native handler of its name:
 * no read outside the record, the same text twice and by the short way, and none that is
 * longer than the limits and the names allow. The input is
 *   u8 system and kind of time, u8 flags, u16 length of the format, the format, the record.
 */
#include <stdlib.h>
#include <string.h>

#include "core/endian.h"
#include "fuzz.h"
#include "model/func_stack.h"
#include "model/graph_exits.h"
#include "model/learned_tasks.h"
#include "model/native.h"

enum {
	FLAG_BIG = 1,
	FLAG_LONG4 = 2,
	FLAG_LEAF = 4,
	FLAG_COMPAT33 = 8,
	FLAG_TEP17 = 16,
	FLAG_PARENT = 32, /* and offset */
	FLAG_NO_INDENT = 64,
	FLAG_TAILPRINT = 128 /* and depth */
};
enum { PRINT_LEN = 4096, TEXT_MAX = 65536 };

static const char kallsyms[] = "0000000000001000 t first\n"
			       "ffffffff81000000 T start\n"
			       "ffffffff81000100 t second\t[module]\n"
			       "ffffffff82000000 T last\n";

static const struct model_graph_exits *graph_exits(void *ctx)
{
	return ctx;
}

static void run(const struct tdat_event_format *format, struct model_env *env,
		struct tdat_span record, bool leaf)
{
	struct model_event event = {.record = record, .cpu = 1, .depth = 2, .ts = 123456789012345u};
	struct model_native *n = NULL;
	struct tdat_build once, twice;
	bool done;

	FUZZ_ASSERT(model_native_new(&n, format, env, MODEL_PRINT_FMT, NULL) == TDAT_OK);
	if (!n)
		return;
	if (leaf)
		event.leaf = record;
	tdat_build_init(&once, false);
	tdat_build_init(&twice, false);
	done = n->run(n, &event, &once);
	FUZZ_ASSERT(n->run(n, &event, &twice) == done);
	FUZZ_ASSERT(!once.failed && once.len == twice.len);
	FUZZ_ASSERT(!once.len || !memcmp(once.ptr, twice.ptr, once.len));
	FUZZ_ASSERT(once.len <= TEXT_MAX + 8 * record.len);
	twice.len = 0;
	if (n->run_short && n->run_short(n, &event, &twice)) {
		FUZZ_ASSERT(done && twice.len <= MODEL_NATIVE_SHORT && once.len == twice.len);
		FUZZ_ASSERT(once.len && !memcmp(once.ptr, twice.ptr, once.len));
	} else {
		FUZZ_ASSERT(!twice.len);
	}
	FUZZ_ASSERT(!twice.failed);
	tdat_build_fini(&once);
	tdat_build_fini(&twice);
	model_native_free(n);
}

/* State that is kept from event to event. */
static void feed(const struct tdat_event_format *format, const struct model_env *env,
		 struct tdat_span record)
{
	struct learned_tasks_format lf;
	struct func_stack_format ff;
	struct learned_tasks learn;
	struct func_stack stack;
	uint32_t i;

	func_stack_init(&stack);
	func_stack_format_init(&ff, format);
	for (i = 0; i < 4; i++)
		FUZZ_ASSERT(func_stack_record(&stack, &ff, env->symbols, i / 2, record) <= i);
	func_stack_fini(&stack);
	learned_tasks_init(&learn, NULL);
	learned_tasks_format_init(&lf, format, MODEL_PRINT_FMT);
	learned_tasks_record(&learn, &lf, record, 1);
	FUZZ_ASSERT(learn.map.count <= lf.pair_count);
	for (i = 0; i < 8; i++)
		FUZZ_ASSERT(learned_tasks_find(&learn, (int32_t)i, 2).len <= record.len + 6);
	learned_tasks_fini(&learn);
}

static uint32_t plugin_opts(uint8_t flags)
{
	return (flags & FLAG_PARENT ? MODEL_OPT_PARENT | MODEL_OPT_OFFSET : 0) |
	       (flags & FLAG_NO_INDENT ? MODEL_OPT_NO_INDENT : 0) |
	       (flags & FLAG_TAILPRINT ? MODEL_OPT_TAILPRINT | MODEL_OPT_DEPTH : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const systems[] = {"ftrace", "sched", "kmem",     "timer",	"kvm",
					      "kvmmmu", "tlb",	 "syscalls", "mac80211"};
	const struct tdat_span symbols_text = {(const uint8_t *)kallsyms, sizeof(kallsyms) - 1};
	struct tdat_limits limits = TDAT_LIMITS_INIT;
	struct tdat_event_format *format = NULL;
	struct model_graph_exits *exits;
	struct model_symbols *symbols = NULL;
	struct tdat_span text, record;
	struct model_env env;
	size_t len;

	if (size < 4)
		return 0;
	len = tdat_load16(data + 2, false);
	if (len > size - 4)
		return 0;
	text.ptr = data + 4;
	text.len = len;
	record.ptr = data + 4 + len;
	record.len = size - 4 - len;
	memset(&env, 0, sizeof(env));
	env.big = data[1] & FLAG_BIG;
	env.long_size = data[1] & FLAG_LONG4 ? 4 : 8;
	env.kernel_long_size = env.long_size;
	env.compat33 = data[1] & FLAG_COMPAT33;
	env.tep17 = data[1] & FLAG_TEP17;
	env.plugin_opts = plugin_opts(data[1]);
	env.time = (enum model_time)(data[0] / (sizeof(systems) / sizeof(systems[0])) % 3);
	limits.print_len = PRINT_LEN;
	env.limits = &limits;
	if (model_format_parse(&format, systems[data[0] % (sizeof(systems) / sizeof(systems[0]))],
			       text, 0, env.big, env.long_size, NULL) != TDAT_OK)
		return 0;
	FUZZ_ASSERT(model_symbols_new(&symbols, symbols_text, NULL) == TDAT_OK);
	env.symbols = symbols;
	exits = model_graph_exits_new((const struct tdat_event_format *const *)&format, 1);
	FUZZ_ASSERT(exits);
	env.graph_exits = graph_exits;
	env.ctx = exits;
	run(format, &env, record, data[1] & FLAG_LEAF);
	feed(format, &env, record);
	free(exits);
	model_symbols_free(symbols);
	model_format_free(format);
	return 0;
}
