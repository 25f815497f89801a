/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes print formats. An input is a byte of byte order, long size and dialect, the text, a NUL,
 * and a record. The text is a format file, or (bit 3) only a print fmt for fixed
 * fields. Bits 5 and 6 choose the limits of any file and of one that inflates much. What is printed
 * is the same twice, never longer than allowed, and the same but cut with a lower limit.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/print.h"
#include "model/print_prog.h"

#define FIELD(type, off, len) "\tfield:" type ";\toffset:" #off ";\tsize:" #len ";\tsigned:0;\n"

static const char fixed[] = "name: made\nID: 77\nformat:\n" FIELD("unsigned short common_type", 0,
								  2) "\n" FIELD("u8 a", 8, 1)
	FIELD("u32 c", 12, 4) FIELD("u64 d", 16, 8) FIELD("char name[16]", 24, 16)
		FIELD("__data_loc char[] str", 40, 4) FIELD("__rel_loc u32[] words", 44, 4)
			FIELD("u8 mac[6]", 48, 6) FIELD("u8 ip6[16]", 56, 16)
				FIELD("void * ptr", 72, 8) FIELD("u32 nums[4]", 80, 16)
					FIELD("char rest[]", 96, 0) "\nprint fmt: ";

static const char kallsyms[] = "ffffffff81000000 T _stext\nffffffff81000100 T do_one\n";
static const char printks[] = "0x10 : \"a %d %s %lx\\n\"\n0x20 : \"%pS %*d %.*s\"\n";

static struct tdat_span span_of(const void *p, size_t len)
{
	struct tdat_span s = {(const uint8_t *)p, len};

	return s;
}

static const char mark[] = "[CUT AT LIMIT print_len]";

static size_t most(const struct model_env *env, struct tdat_span record)
{
	return model_text_max(env) + model_text_per_byte(env) * record.len;
}

/* Twice the same, and no longer than it may be. */
static enum model_print_kind print(struct tdat_build *a, const struct tdat_event_format *format,
				   const struct model_env *env, enum model_print_style style,
				   struct tdat_span record)
{
	enum model_print_kind kind = MODEL_PRINT_FIELDS;
	struct tdat_build b = {.cap = 0};
	struct model_scratch *scratch = NULL;
	struct model_print *print = NULL;
	struct model_event event = {.record = record};

	if (model_print_new(&print, format, env, style, NULL) == TDAT_OK &&
	    model_scratch_new(&scratch, NULL) == TDAT_OK) {
		model_print_run(print, &event, scratch, a);
		model_print_run(print, &event, scratch, &b);
		FUZZ_ASSERT(a->len == b.len && (!a->len || !memcmp(a->ptr, b.ptr, a->len)));
		FUZZ_ASSERT(!a->failed && !a->full && !a->held);
		FUZZ_ASSERT(a->len <= most(env, record) + sizeof(mark) - 1);
		kind = model_print_kind(print);
	}
	tdat_build_fini(&b);
	model_scratch_free(scratch);
	model_print_free(print);
	return kind;
}

/* With a lower limit the same text is cut, and marked. */
static void compare(const struct tdat_event_format *format, const struct model_env *env,
		    enum model_print_style style, struct tdat_span record)
{
	static const struct tdat_limits low = {.print_len = 48, .print_steps = 1 << 16};
	struct model_env lower = *env;
	struct tdat_build whole = {.cap = 0}, cut = {.cap = 0};
	const size_t n = sizeof(mark) - 1;
	enum model_print_kind kind = print(&whole, format, env, style, record);

	lower.limits = &low;
	if (kind == MODEL_PRINT_COMPILED && !env->inflates_much && env->limits->print_len &&
	    print(&cut, format, &lower, style, record) == kind) {
		if (cut.len != whole.len || (cut.len && memcmp(cut.ptr, whole.ptr, cut.len))) {
			FUZZ_ASSERT(cut.len >= n && !memcmp(cut.ptr + cut.len - n, mark, n));
			cut.len -= n;
		}
		FUZZ_ASSERT(cut.len <= whole.len &&
			    (!cut.len || !memcmp(cut.ptr, whole.ptr, cut.len)));
	}
	tdat_build_fini(&whole);
	tdat_build_fini(&cut);
}

static void try_format(struct tdat_span text, uint8_t flags, struct tdat_span record)
{
	static const struct tdat_limits limits = {.print_len = 1 << 16, .print_steps = 1 << 16},
					usual = {.size = sizeof(usual)};
	struct model_symbols *symbols = NULL;
	struct model_printk *printk = NULL;
	struct tdat_event_format *format = NULL;
	struct model_env env = {.big = flags & 1,
				.long_size = flags & 2 ? 4 : 8,
				.kernel_long_size = flags & 2 ? 4 : 8,
				.limits = flags & 32 ? &usual : &limits,
				.inflates_much = flags & 64,
				.kernel = flags & 128,
				.tep17 = flags & 16};

	if (model_format_parse(&format, flags & 4 ? "ftrace" : "fuzz", text, 0, env.big,
			       env.long_size, NULL) != TDAT_OK)
		return;
	model_symbols_new(&symbols, span_of(kallsyms, sizeof(kallsyms) - 1), NULL);
	model_printk_new(&printk, span_of(printks, sizeof(printks) - 1), NULL);
	env.symbols = symbols;
	env.printk = printk;
	compare(format, &env, MODEL_PRINT_FMT, record);
	compare(format, &env, MODEL_PRINT_NO_PLUGINS, record);
	compare(format, &env, MODEL_PRINT_RAW, record);
	model_symbols_free(symbols);
	model_printk_free(printk);
	model_format_free(format);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul, *text = data + 1;
	size_t len, head, rest;
	uint8_t *copy, *record;

	if (!size)
		return 0;
	nul = memchr(text, 0, size - 1);
	len = nul ? (size_t)(nul - text) : size - 1;
	rest = nul ? size - 2 - len : 0;
	head = data[0] & 8 ? sizeof(fixed) - 1 : 0;
	copy = malloc(head + len + 1);
	record = malloc(rest + 1); /* of its very size, for the sanitizer */
	if (copy && record) {
		memcpy(copy, fixed, head);
		memcpy(copy + head, text, len);
		if (rest)
			memcpy(record, nul + 1, rest);
		record = realloc(record, rest ? rest : 1);
		try_format(span_of(copy, head + len), data[0], span_of(record, rest));
	}
	free(copy);
	free(record);
	return 0;
}
