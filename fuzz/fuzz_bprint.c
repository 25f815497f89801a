/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the printing of trace_printk()'s binary events. An input is a byte of byte order and long
 * size, the printk format, a NUL, and the arguments as the kernel packed them. What is printed is
 * the same twice, reads nothing behind the record, and is bounded.
 */
#include <string.h>

#include "core/build.h"
#include "fuzz.h"
#include "model/print.h"
#include "model/symbols.h"

#define FIELD(type, off, len, sign)                                                                \
	"\tfield:" type ";\toffset:" #off ";\tsize:" #len ";\tsigned:" #sign ";\n"
#define BPRINT(l, fmt_at, buf_at)                                                                  \
	"name: bprint\nID: 6\nformat:\n" FIELD("unsigned short common_type", 0, 2,                 \
					       0) FIELD("unsigned char common_flags", 2, 1, 0)     \
		FIELD("unsigned char common_preempt_count", 3, 1,                                  \
		      0) FIELD("int common_pid", 4, 4, 1) "\n" FIELD("unsigned long ip", 8, l, 0)  \
			FIELD("const char * fmt", fmt_at, l, 0)                                    \
				FIELD("u32 buf", buf_at, 0,                                        \
				      0) "\nprint fmt: \"%ps: %s\", (void *)REC->ip, REC->fmt\n"

enum { FLAG_BIG = 1, FLAG_LONG4 = 2, FLAG_TEP17 = 4, TEXT_MAX = 1 << 16 };

static const char kallsyms[] = "0000000000001000 t first\nffffffff81000000 T start\n";

static struct tdat_span span_of(const struct tdat_build *b)
{
	struct tdat_span s = {b->ptr, b->len};

	FUZZ_ASSERT(!b->failed);
	return s;
}

/* The line of printk_formats that has the format; a line ends it. */
static void put_printk(struct tdat_build *b, const uint8_t *text, size_t len)
{
	size_t i;

	tdat_build_str(b, "0x10 : \"");
	for (i = 0; i < len; i++)
		tdat_build_u8(b, text[i] == '\n' ? ' ' : text[i]);
	tdat_build_str(b, "\"\n");
}

static void put_record(struct tdat_build *b, bool long4, const uint8_t *args, size_t len)
{
	tdat_build_u16(b, 6);
	tdat_build_u16(b, 0);
	tdat_build_u32(b, 1);
	if (long4) {
		tdat_build_u32(b, 0x1000);
		tdat_build_u32(b, 0x10);
	} else {
		tdat_build_u64(b, 0xffffffff81000004u);
		tdat_build_u64(b, 0x10);
	}
	tdat_build_bytes(b, args, len);
}

static void print_twice(const struct tdat_event_format *format, const struct model_env *env,
			struct tdat_span record)
{
	struct model_event event = {.record = record};
	struct model_scratch *scratch = NULL;
	struct model_print *print = NULL;
	struct tdat_build a, b;

	tdat_build_init(&a, false);
	tdat_build_init(&b, false);
	FUZZ_ASSERT(model_print_new(&print, format, env, MODEL_PRINT_FMT, NULL) == TDAT_OK);
	FUZZ_ASSERT(model_scratch_new(&scratch, NULL) == TDAT_OK);
	model_print_run(print, &event, scratch, &a);
	model_print_run(print, &event, scratch, &b);
	FUZZ_ASSERT(a.len && a.len == b.len && !memcmp(a.ptr, b.ptr, a.len));
	FUZZ_ASSERT(a.len <= env->limits->print_len + 4096);
	tdat_build_fini(&a);
	tdat_build_fini(&b);
	model_scratch_free(scratch);
	model_print_free(print);
}

static void try_printk(uint8_t flags, struct tdat_span printks, struct tdat_span record)
{
	static const char long8[] = BPRINT(8, 16, 24), long4[] = BPRINT(4, 12, 16);
	const struct tdat_span symbols_text = {(const uint8_t *)kallsyms, sizeof(kallsyms) - 1};
	const char *text = flags & FLAG_LONG4 ? long4 : long8;
	const struct tdat_span format_text = {(const uint8_t *)text, strlen(text)};
	const struct tdat_limits limits = {.print_len = TEXT_MAX, .print_steps = 1 << 16};
	struct model_env env = {.big = flags & FLAG_BIG,
				.limits = &limits,
				.long_size = flags & FLAG_LONG4 ? 4 : 8,
				.kernel_long_size = flags & FLAG_LONG4 ? 4 : 8,
				.tep17 = flags & FLAG_TEP17};
	struct model_symbols *symbols = NULL;
	struct model_printk *printk = NULL;
	struct tdat_event_format *format = NULL;

	FUZZ_ASSERT(model_format_parse(&format, "ftrace", format_text, 0, env.big, env.long_size,
				       NULL) == TDAT_OK);
	FUZZ_ASSERT(model_symbols_new(&symbols, symbols_text, NULL) == TDAT_OK);
	FUZZ_ASSERT(model_printk_new(&printk, printks, NULL) == TDAT_OK);
	env.symbols = symbols;
	env.printk = printk;
	print_twice(format, &env, record);
	model_symbols_free(symbols);
	model_printk_free(printk);
	model_format_free(format);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data + 1, 0, size - 1) : NULL;
	struct tdat_build printks, record;
	size_t len;

	if (!nul)
		return 0;
	len = (size_t)(nul - data) - 1;
	tdat_build_init(&printks, false);
	tdat_build_init(&record, data[0] & FLAG_BIG);
	put_printk(&printks, data + 1, len);
	put_record(&record, data[0] & FLAG_LONG4, nul + 1, size - len - 2);
	/* A block of its own size: reading past it is seen. */
	record.ptr = realloc(record.ptr, record.len);
	record.cap = record.len;
	try_printk(data[0], span_of(&printks), span_of(&record));
	tdat_build_fini(&printks);
	tdat_build_fini(&record);
	return 0;
}
