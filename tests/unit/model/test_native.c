/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Native handlers against the plugins of the installed libtraceevent: every
 * format of the corpus and of extra_formats that has one, with edge payloads
 * and random ones.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "../common/part.h"
#include "../common/run.h"
#include "corpus.h"
#include "model/func_stack.h"
#include "model/graph_exits.h"
#include "model/learned_tasks.h"
#include "model/native.h"
#include "model/print_func.h"
#include "model/tep_fallback.h"

#define ROUNDS 40

/* Of events the corpus' kernels do not describe; fields as kernels have them. */
#define COMMON                                                                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define F(decl, off, size) "\tfield:" decl ";\toffset:" #off ";\tsize:" #size ";\tsigned:0;\n"
#define EVENT(name, id, fields)                                                                    \
	"name: " name "\nID: " #id "\nformat:\n" COMMON fields "\nprint fmt: \"end\"\n"

static const struct {
	const char *system;
	const char *text;
} extra_formats[] = {
	{"kvm", EVENT("kvm_exit", 5001,
		      F("unsigned int exit_reason", 8, 4) F("unsigned long guest_rip", 16, 8)
			      F("u32 isa", 24, 4) F("u64 info1", 32, 8) F("u64 info2", 40, 8))},
	{"kvm",
	 EVENT("kvm_entry", 5002, F("unsigned int vcpu_id", 8, 4) F("unsigned long rip", 16, 8))},
	{"kvm",
	 EVENT("kvm_emulate_insn", 5003,
	       F("__u64 rip", 8, 8) F("__u32 csbase", 16, 4) F("__u8 len", 20, 1)
		       F("__u8 insn[15]", 21, 15) F("__u8 flags", 36, 1) F("__u8 failed", 37, 1))},
	{"kvm", EVENT("kvm_nested_vmexit", 5004,
		      F("__u64 rip", 8, 8) F("__u32 exit_code", 16, 4) F("__u64 exit_info1", 24, 8)
			      F("__u64 exit_info2", 32, 8) F("__u32 exit_int_info", 40, 4)
				      F("__u32 exit_int_info_err", 44, 4) F("__u32 isa", 48, 4))},
	{"kvm", EVENT("kvm_nested_vmexit_inject", 5005,
		      F("__u32 exit_code", 8, 4) F("__u64 exit_info1", 16, 8)
			      F("__u64 exit_info2", 24, 8) F("__u32 exit_int_info", 32, 4))},
	{"kvmmmu", EVENT("kvm_mmu_get_page", 5006,
			 F("unsigned long mmu_valid_gen", 8, 8) F("__u64 gfn", 16, 8)
				 F("__u32 role", 24, 4) F("__u32 root_count", 28, 4)
					 F("bool unsync", 32, 1) F("bool created", 33, 1))},
	{"kvmmmu", EVENT("kvm_mmu_sync_page", 5007,
			 F("__u64 gfn", 8, 8) F("__u32 role", 16, 4) F("__u32 root_count", 20, 4)
				 F("bool unsync", 24, 1))},
	{"kvmmmu", EVENT("kvm_mmu_zap_page", 5008, F("__u32 role", 8, 4))},
	{"mac80211", EVENT("drv_bss_info_changed", 5009,
			   F("char wiphy_name[32]", 8, 32) F("__data_loc char[] vif_name", 40, 4) F(
				   "enum nl80211_iftype vif_type", 44, 4) F("bool assoc", 48, 1)
				   F("u16 aid", 50, 2) F("bool cts", 52, 1)
					   F("u32 basic_rates", 56, 4) F("u16 assoc_cap", 60, 2))},
	{"syscalls", EVENT("sys_enter_futex", 5010,
			   F("int __syscall_nr", 8, 4) F("u32 * uaddr", 16, 8) F("int op", 24, 8)
				   F("u32 val", 32, 8) F("struct timespec * utime", 40, 8)
					   F("u32 * uaddr2", 48, 8) F("u32 val3", 56, 8))},
	{"syscalls", EVENT("sys_enter_futex", 5011, F("u32 * uaddr", 16, 8) F("int op", 24, 8))},
	{"tlb", EVENT("tlb_flush", 5012, F("int reason", 8, 4) F("unsigned long pages", 16, 8))},
	{"tlb", EVENT("tlb_flush", 5013, F("char reason[3]", 8, 3))},
	{"timer", EVENT("hrtimer_start", 5014,
			F("void * timer", 8, 8) F("void * function", 16, 8) F("u64 expires", 24, 8)
				F("u64 softexpires", 32, 8))},
	{"timer", EVENT("hrtimer_expire_entry", 5015, F("int nothing", 8, 4))},
	{"kmem", EVENT("kmalloc_node", 5016, F("unsigned long call_site", 8, 8))},
	{"kmem", EVENT("kfree", 5017, F("int nothing", 8, 4))},
	{"sched", EVENT("sched_wakeup", 5018,
			F("char comm[16]", 8, 16) F("pid_t pid", 24, 4) F("int prio", 28, 4)
				F("int success", 32, 4) F("int target_cpu", 36, 4))},
	{"sched", EVENT("sched_wakeup_new", 5019, F("pid_t pid", 24, 4))},
	{"sched", EVENT("sched_wakeup", 5020, F("char comm[16]", 8, 16))},
	{"sched", EVENT("sched_switch", 5021, F("pid_t prev_pid", 24, 4))},
	{"sched",
	 EVENT("sched_switch", 5022, F("pid_t prev_pid", 24, 4) F("pid_t next_pid", 28, 8))},
	{"ftrace", EVENT("function", 5023, F("unsigned long ip", 8, 8))},
	{"ftrace",
	 EVENT("function", 5024, F("unsigned long ip", 8, 8) F("unsigned long parent_ip", 16, 8))},
	{"ftrace",
	 EVENT("func_repeats", 5025,
	       F("unsigned long ip", 8, 8) F("unsigned long parent_ip", 16, 8) F("u16 count", 24, 2)
		       F("u16 top_delta_ts", 26, 2) F("u32 bottom_delta_ts", 28, 4))},
	{"ftrace",
	 EVENT("kernel_stack", 5026, F("int size", 8, 4) F("unsigned long caller[8]", 16, 64))},
	{"ftrace", EVENT("kernel_stack", 5027, F("int size", 8, 4))},
	{"ftrace", EVENT("raw_data", 5028, F("unsigned int id", 8, 4) F("char buf[]", 12, 0))},
	{"ftrace", EVENT("raw_data", 5029, F("unsigned int id", 8, 4))},
};

static struct tdat_span lit(const char *s)
{
	struct tdat_span r = {(const uint8_t *)s, s ? strlen(s) : 0};

	return r;
}

static uint64_t rnd(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Every field of an event gets a value a handler may care for. */
static uint64_t interesting(uint64_t *seed, const struct corpus_file *f)
{
	static const uint64_t values[] = {0,	1,	    2,		3,	    4,	       9,
					  12,	13,	    62,		64,	    128,       129,
					  256,	385,	    0x401,	1026,	    99,	       100,
					  1000, UINT64_MAX, 0xffffffff, 0x7fffffff, 0x80000000};
	uint64_t kind = rnd(seed) % 8;

	if (kind < 3)
		return values[rnd(seed) % (sizeof(values) / sizeof(values[0]))];
	if (kind == 3)
		return rnd(seed) % 256;
	if (kind < 6 && f->kallsyms.len) { /* an address of the file, or one beside it */
		size_t at = rnd(seed) % f->kallsyms.len;
		const uint8_t *line = memrchr(f->kallsyms.ptr, '\n', at + 1);

		if (at + 1 == f->kallsyms.len) /* behind the last line is anything */
			line = NULL;
		return strtoull(line ? (const char *)line + 1 : "0", NULL, 16) + rnd(seed) % 3 - 1;
	}
	return rnd(seed);
}

struct oracle {
	const struct corpus_file *file;
	struct model_tep *tep;
	struct model_env env;
	struct func_stack stack;
	uint64_t seed;
	size_t compared;
	uint64_t asked; /* what plugins print depends on what they printed before */
};

static void fill(struct oracle *o, const struct tdat_event_format *format, uint8_t *p, size_t len,
		 int round)
{
	size_t i;

	memset(p, round == 1 ? 0xff : 0, len);
	tdat_store16(p, (uint16_t)format->id, format->big);
	if (round < 2)
		return;
	for (i = format->common_count; i < format->field_count; i++) {
		const struct tdat_field *f = &format->fields[i];
		uint64_t v = interesting(&o->seed, o->file);
		size_t k;

		if (f->off >= len)
			continue;
		if (f->len == 2 && f->off + 2 <= len)
			tdat_store16(p + f->off, (uint16_t)v, format->big);
		else if (f->len == 4 && f->off + 4 <= len)
			tdat_store32(p + f->off, (uint32_t)v, format->big);
		else if (f->len == 8 && f->off + 8 <= len)
			tdat_store64(p + f->off, v, format->big);
		else
			for (k = f->off; k < len && k < f->off + (f->len ? f->len : 64); k += 8)
				for (v = k % 16 ? rnd(&o->seed) : interesting(&o->seed, o->file);
				     v && k < len; v >>= 8)
					p[k] = (uint8_t)v;
		if (f->flags & TDAT_FIELD_STRING && f->len && f->len < 64 && f->off + f->len <= len)
			snprintf((char *)p + f->off, f->len, "task %d", (int)(v % 1000));
	}
}

/* kvm's table of instruction bytes is too short for these. */
static bool ours_alone(const struct tdat_event_format *format, struct tdat_span record)
{
	const struct tdat_field *f = tdat_event_format_field(format, "len");
	uint64_t v;

	if (strcmp(format->name, "kvm_emulate_insn") || !f)
		return false;
	return tdat_field_u64(f, record, &v, NULL) != TDAT_OK || v < 1 || v > 15;
}

/* libtraceevent's text of an event, or what it said on a machine like x86-64 (answers.h). */
static void ask(struct model_tep *tep, uint64_t number, const struct tdat_event_format *format,
		enum model_print_style style, const struct model_event *event,
		struct tdat_build *out)
{
	const uint64_t facts[] = {number, format->id, (uint64_t)style, event->cpu, event->ts};
	const size_t before = out->len; /* what the handler printed before it gave up */
	uint8_t raw[sizeof(facts)];
	uint64_t key;

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		tdat_store64(raw + 8 * i, facts[i], false);
	key = answers_key(0, raw, sizeof(raw));
	key = answers_key(key, format->name, strlen(format->name));
	key = answers_key(key, format->print_fmt, strlen(format->print_fmt));
	key = answers_key(key, event->record.ptr, event->record.len);
	if (answers_kept()) {
		ck_assert_msg(answers_get(key, out), "no answer about %s is kept", format->name);
		return;
	}
	ck_assert(model_tep_print(tep, format, style, event, out));
	answers_put(key, out->ptr + before, out->len - before);
}

static void compare_event(struct oracle *o, const struct tdat_event_format *format,
			  const struct model_native *native, struct tdat_span record)
{
	const uint64_t cpu = rnd(&o->seed) % 4, shift = rnd(&o->seed) % 64;
	struct model_event event = {
		.record = record, .cpu = (uint32_t)cpu, .ts = rnd(&o->seed) >> shift};
	struct func_stack_format ff;
	struct tdat_build ours, theirs;

	func_stack_format_init(&ff, format);
	event.depth = func_stack_record(&o->stack, &ff, o->env.symbols, event.cpu, record);
	if (ours_alone(format, record))
		return;
	tdat_build_init(&ours, false);
	tdat_build_init(&theirs, false);
	if (!native->run(native, &event, &ours))
		ask(o->tep, o->asked, format, MODEL_PRINT_NO_PLUGINS, &event, &ours);
	ask(o->tep, o->asked++, format, MODEL_PRINT_FMT, &event, &theirs);
	ck_assert_msg(ours.len == theirs.len &&
			      (!ours.len || !memcmp(ours.ptr, theirs.ptr, ours.len)),
		      "%s %s:%s, %zu bytes\nours:   '%.*s'\ntheirs: '%.*s'", o->file->path,
		      format->system, format->name, record.len, (int)ours.len, (char *)ours.ptr,
		      (int)theirs.len, (char *)theirs.ptr);
	tdat_build_fini(&ours);
	tdat_build_fini(&theirs);
	o->compared++;
}

/* function_graph is not a plugin's but trace-cmd's own. */
static bool is_graph(const struct tdat_event_format *format)
{
	return !strncmp(format->name, "funcgraph_", 10);
}

static void compare_format(struct oracle *o, const char *system, struct tdat_span text)
{
	struct tdat_event_format *format = NULL;
	struct model_native *native = NULL;
	int round;

	if (model_format_parse(&format, system, text, 0, o->file->big, o->file->long_size, NULL) !=
	    TDAT_OK)
		return;
	ck_assert_int_eq(model_native_new(&native, format, &o->env, MODEL_PRINT_FMT, NULL),
			 TDAT_OK);
	for (round = 0; native && !is_graph(format) && round < ROUNDS; round++) {
		size_t len = format->fixed_len + (rnd(&o->seed) % 4 ? rnd(&o->seed) % 80 : 0);
		uint8_t *p = malloc(len ? len : 1);
		struct tdat_span record = {p, len};

		fill(o, format, p, len, round);
		if (rnd(&o->seed) % 16 == 0 && strcmp(format->name, "kernel_stack") &&
		    strcmp(format->name, "raw_data"))
			record.len = len / 2;
		compare_event(o, format, native, record);
		free(p);
	}
	model_native_free(native);
	model_format_free(format);
}

/* The plugins that are the oracle; without them the tests cannot say anything. */
static const char *const plugin_dirs[] = {TRACEEVENT_PLUGIN_DIR, NULL};

static void oracle_init(struct oracle *o, const struct corpus_file *f)
{
	const struct model_tep_opts opts = {.big = f->big,
					    .long_size = f->long_size,
					    .kallsyms = f->kallsyms,
					    .printk = f->printk,
					    .cmdlines = f->cmdlines,
					    .plugin_dirs = plugin_dirs,
					    .every_event = true};
	struct model_symbols *symbols = NULL;

	memset(o, 0, sizeof(*o));
	o->file = f;
	o->seed = 88172645463325252u;
	o->asked = answers_key(0, strrchr(f->path, '/'), strlen(strrchr(f->path, '/')));
	func_stack_init(&o->stack);
	ck_assert_int_eq(model_tep_new(&o->tep, &opts, NULL), TDAT_OK);
	ck_assert_int_eq(model_symbols_new(&symbols, f->kallsyms, NULL), TDAT_OK);
	o->env.big = f->big;
	o->env.long_size = f->long_size;
	o->env.kernel_long_size = f->long_size;
	o->env.symbols = symbols;
	o->env.tep17 = true;
}

static void oracle_fini(struct oracle *o)
{
	model_symbols_free((struct model_symbols *)o->env.symbols);
	model_tep_free(o->tep); /* unloads the plugins and their stacks of functions */
	func_stack_fini(&o->stack);
}

struct totals {
	size_t files, compared;
};

static void compare_file(struct corpus_file *f, void *ctx)
{
	struct totals *t = ctx;
	struct oracle o;
	size_t i;

	/* Kernels repeat themselves: one file of each kind is enough. */
	if (!strstr(f->path, "sched") && !strstr(f->path, "all-zstd") && t->files)
		return;
	t->files++;
	oracle_init(&o, f);
	for (i = 0; i < f->format_count; i++)
		compare_format(&o, f->formats[i].system, f->formats[i].text);
	t->compared += o.compared;
	oracle_fini(&o);
	/* libtraceevent gives a handler to the first event of its name only. */
	for (i = 0; i < sizeof(extra_formats) / sizeof(extra_formats[0]); i++) {
		struct tdat_span text = {(const uint8_t *)extra_formats[i].text,
					 strlen(extra_formats[i].text)};

		oracle_init(&o, f);
		compare_format(&o, extra_formats[i].system, text);
		ck_assert_uint_gt(o.compared, 0);
		oracle_fini(&o);
	}
}

START_TEST(plugins)
{
	struct totals t = {0, 0};

	corpus_each(compare_file, &t);
	ck_assert_msg(t.compared > part_of(500), "only %zu events compared", t.compared);
}
END_TEST

/* ---- functions of print fmt ---- */

static const char dev_event[] = "name: f\nID: 700\nformat:\n" COMMON F(
	"unsigned int n", 8, 4) "\nprint fmt: \"%s\", jbd2_dev_to_name(REC->n)\n";
static const char xen_event[] = "name: f\nID: 700\nformat:\n" COMMON F(
	"unsigned int n", 8, 4) "\nprint fmt: \"%s\", xen_hypercall_name(REC->n)\n";
static const char jiffies_event[] = "name: f\nID: 700\nformat:\n" COMMON F(
	"unsigned long n", 8, 8) "\nprint fmt: \"%s\", jiffies_to_msecs(REC->n)\n";
static const char cdb_event[] = "name: f\nID: 700\nformat:\n" COMMON F(
	"__data_loc u8[] n", 40,
	4) "\nprint fmt: \"%s\", scsi_trace_parse_cdb(p, __get_dynamic_array(n), 32)\n";

static void compare_func(const char *name, const char *text, const uint8_t *bytes, size_t len,
			 uint64_t num, struct model_tep *tep)
{
	const struct print_func *f = plugin_func_find(name, strlen(name));
	struct func_args args = {.func = f};
	struct tdat_event_format *format = NULL;
	uint8_t record[44] = {0};
	struct model_event event = {.record = {record, sizeof(record)}};
	struct tdat_build ours, theirs;
	size_t i;

	ck_assert_ptr_nonnull(f);
	for (i = 0; i < FUNC_ARGS; i++)
		args.v[i] = (struct func_arg){num, {bytes, len}};
	tdat_store16(record, 700, false);
	memcpy(record + 8, bytes, len);
	tdat_store32(record + 40, 32u << 16 | 8, false); /* the dynamic array: bytes */
	ck_assert_int_eq(model_format_parse(&format, "sys", lit(text), 0, false, 8, NULL), TDAT_OK);
	tdat_build_init(&ours, false);
	tdat_build_init(&theirs, false);
	f->run(&args, &ours);
	ask(tep, 0, format, MODEL_PRINT_FMT, &event, &theirs);
	ck_assert_msg(ours.len == theirs.len &&
			      (!ours.len || !memcmp(ours.ptr, theirs.ptr, ours.len)),
		      "%s of %02x %02x...: '%.*s', theirs '%.*s'", name, bytes[0], bytes[1],
		      (int)ours.len, (char *)ours.ptr, (int)theirs.len, (char *)theirs.ptr);
	tdat_build_fini(&ours);
	tdat_build_fini(&theirs);
	model_format_free(format);
}

static struct model_tep *new_tep(void)
{
	const struct model_tep_opts opts = {
		.long_size = 8, .plugin_dirs = plugin_dirs, .every_event = true};
	struct model_tep *tep = NULL;

	ck_assert_int_eq(model_tep_new(&tep, &opts, NULL), TDAT_OK);
	return tep;
}

static void compare_number_func(const char *name, const char *text, size_t len)
{
	struct model_tep *tep = new_tep();
	uint64_t seed = 4711;
	uint8_t bytes[8];
	uint64_t i;

	for (i = 0; i < 200; i++) {
		uint64_t v = i < 70 ? i : rnd(&seed) >> (i % 64);

		if (len == 4)
			v = (uint32_t)v;
		tdat_store64(bytes, v, false);
		compare_func(name, text, bytes, len, v, tep);
	}
	model_tep_free(tep);
}

START_TEST(print_functions)
{
	static const uint8_t codes[] = {0x08, 0x0a, 0x28, 0x2a, 0x2f, 0x41, 0x42, 0x7f, 0x88,
					0x8a, 0x8f, 0x93, 0x9e, 0xa8, 0xaa, 0xaf, 0x00, 0xff};
	struct model_tep *tep = new_tep();
	uint64_t seed = 99;
	uint8_t cdb[32];
	size_t i, k;

	compare_number_func("jbd2_dev_to_name", dev_event, 4);
	compare_number_func("xen_hypercall_name", xen_event, 4);
	compare_number_func("jiffies_to_msecs", jiffies_event, 8);
	for (i = 0; i < 4000; i++) {
		for (k = 0; k < sizeof(cdb); k++)
			cdb[k] = (uint8_t)(rnd(&seed) >> 11);
		cdb[0] = codes[i % sizeof(codes)];
		if (cdb[0] == 0x7f && i % 8) {
			cdb[8] = 0;
			cdb[9] = (uint8_t)(0x08 + rnd(&seed) % 6);
		}
		if (cdb[0] == 0x9e && i % 8)
			cdb[1] = i & 16 ? 0x10 : 0x12;
		compare_func("scsi_trace_parse_cdb", cdb_event, cdb, sizeof(cdb), 32, tep);
	}
	model_tep_free(tep);
	ck_assert_ptr_null(plugin_func_find("jbd2_dev_to_nam", 15));
	ck_assert_ptr_nonnull(plugin_func_find("__le16_to_cpup", 14));
	ck_assert_ptr_nonnull(plugin_func_find("is_writable_pte", 15));
}
END_TEST

/* What tep_print_event() makes of trace-cmd's formats "%6.1000d", "%9.1d" and "%12d". */
START_TEST(repeat_times)
{
	static const char text[] =
		EVENT("func_repeats", 19,
		      F("unsigned long ip", 8, 8) F("unsigned long parent_ip", 16, 8)
			      F("u16 count", 24, 2) F("u16 top_delta_ts", 26, 2)
				      F("u32 bottom_delta_ts", 28, 4));
	static const struct {
		enum model_time time;
		uint64_t ts;
		const char *text;
	} cases[] = {
		{MODEL_TIME_US, 240077, "0x5 (count: 7  last_ts:     0.000240)"},
		{MODEL_TIME_US, 217582111986, "0x5 (count: 7  last_ts:   217.582112)"},
		{MODEL_TIME_US, 1234567890123456789, "0x5 (count: 7  last_ts: 1234567890.123457)"},
		{MODEL_TIME_NS, 240077, "0x5 (count: 7  last_ts:     0.000240077)"},
		{MODEL_TIME_NS, 217582111986, "0x5 (count: 7  last_ts:   217.582111986)"},
		{MODEL_TIME_TICKS, 240077, "0x5 (count: 7  last_ts:       240077)"},
		{MODEL_TIME_TICKS, 1234567890123456789,
		 "0x5 (count: 7  last_ts: 1234567890123456789)"},
	};
	struct tdat_event_format *format = NULL;
	uint8_t record[32] = {0};
	size_t i;

	ck_assert_int_eq(model_format_parse(&format, "ftrace", lit(text), 0, false, 8, NULL),
			 TDAT_OK);
	record[8] = 5;
	record[24] = 7;
	record[26] = 1;
	record[28] = 2;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct model_event event = {.record = {record, sizeof(record)},
					    .ts = cases[i].ts + 0x100000002};
		struct model_native *n = NULL;
		struct model_env env;
		struct tdat_build out;

		memset(&env, 0, sizeof(env));
		env.time = cases[i].time;
		tdat_build_init(&out, false);
		ck_assert_int_eq(model_native_new(&n, format, &env, MODEL_PRINT_FMT, NULL),
				 TDAT_OK);
		ck_assert(n->run(n, &event, &out));
		ck_assert_msg(out.len == strlen(cases[i].text) &&
				      !memcmp(out.ptr, cases[i].text, out.len),
			      "'%.*s', want '%s'", (int)out.len, (char *)out.ptr, cases[i].text);
		tdat_build_fini(&out);
		model_native_free(n);
	}
	model_format_free(format);
}
END_TEST

/* ---- function_graph: texts as trace-cmd report printed them for such times ---- */

#define GRAPH_EXIT_FIELDS                                                                          \
	F("unsigned long func", 8, 8)                                                              \
	F("unsigned long retval", 16, 8)                                                           \
	F("int depth", 24, 4)                                                                      \
	F("unsigned long long calltime", 32, 8) F("unsigned long long rettime", 40, 8)

static const char graph_entry[] =
	EVENT("funcgraph_entry", 11, F("unsigned long func", 8, 8) F("int depth", 16, 4));
static const char graph_long_entry[] =
	EVENT("funcgraph_entry", 11, F("unsigned long func", 8, 8) F("unsigned long depth", 16, 8));
static const char graph_exit[] = EVENT("funcgraph_exit", 10, GRAPH_EXIT_FIELDS);
static const char graph_cut_exit[] = EVENT("funcgraph_exit", 10, F("unsigned long func", 8, 8));

struct graph_test {
	struct tdat_event_format *entry, *exit;
	struct model_graph_exits *exits;
	struct model_symbols *symbols;
	struct model_env env;
};

static const struct model_graph_exits *graph_exits_of(void *ctx)
{
	struct graph_test *g = ctx;

	return g->exits;
}

static void graph_init_entry(struct graph_test *g, const char *entry_text, const char *exit_text)
{
	memset(g, 0, sizeof(*g));
	ck_assert_int_eq(
		model_format_parse(&g->entry, "ftrace", lit(entry_text), 0, false, 8, NULL),
		TDAT_OK);
	if (exit_text)
		ck_assert_int_eq(
			model_format_parse(&g->exit, "ftrace", lit(exit_text), 0, false, 8, NULL),
			TDAT_OK);
	ck_assert_int_eq(model_symbols_new(&g->symbols,
					   lit("0000000000001000 t mutex_unlock\n"
					       "0000000000002000 t vfs_open\n"),
					   NULL),
			 TDAT_OK);
	g->env.long_size = 8;
	g->env.symbols = g->symbols;
	g->exits = model_graph_exits_new((const struct tdat_event_format *const *)&g->exit,
					 g->exit ? 1 : 0);
	ck_assert_ptr_nonnull(g->exits);
	g->env.graph_exits = graph_exits_of;
	g->env.ctx = g;
}

static void graph_init(struct graph_test *g, const char *exit_text)
{
	graph_init_entry(g, graph_entry, exit_text);
}

static void graph_fini(struct graph_test *g)
{
	model_format_free(g->entry);
	model_format_free(g->exit);
	free(g->exits);
	model_symbols_free(g->symbols);
}

struct graph_case {
	bool entry, leaf;
	uint64_t func, ns, retval;
	uint32_t depth;
	const char *text;
};

static void graph_check(const struct graph_test *g, const struct graph_case *c, bool more)
{
	uint8_t entry[24] = {0}, leaf[48] = {0};
	struct model_event event = {.record = {NULL, 0}};
	struct model_native *n = NULL;
	struct tdat_build out;

	tdat_store64(entry + 8, c->func, false);
	tdat_store32(entry + 16, c->depth, false);
	tdat_store64(leaf + 8, c->func, false);
	tdat_store64(leaf + 16, c->retval, false);
	tdat_store32(leaf + 24, c->depth, false);
	tdat_store64(leaf + 32, 1000000, false);
	tdat_store64(leaf + 40, 1000000 + c->ns, false);
	event.record.ptr = c->entry ? entry : leaf;
	event.record.len = c->entry ? sizeof(entry) : sizeof(leaf);
	if (c->leaf) {
		event.leaf.ptr = leaf;
		event.leaf.len = sizeof(leaf);
	}
	tdat_build_init(&out, false);
	ck_assert_int_eq(
		model_native_new(&n, c->entry ? g->entry : g->exit, &g->env, MODEL_PRINT_FMT, NULL),
		TDAT_OK);
	ck_assert_ptr_nonnull(n);
	ck_assert_int_eq(n->run(n, &event, &out), !more);
	ck_assert_msg(out.len == strlen(c->text) && !memcmp(out.ptr, c->text, out.len),
		      "'%.*s', want '%s'", (int)out.len, (char *)out.ptr, c->text);
	tdat_build_fini(&out);
	model_native_free(n);
}

START_TEST(graph_lines)
{
	static const struct graph_case cases[] = {
		{true, false, 0x2000 - 1, 0, 0, 0, "             |  mutex_unlock() {"},
		{true, false, 0x2001, 0, 0, 2, "             |      2001() {"},
		{true, true, 0x1000, 20536, 0, 0, "+ 20.536 us  |  mutex_unlock();"},
		{true, true, 0x1000, 3572, 0, 4, "  3.572 us   |          mutex_unlock();"},
		{true, true, 0x2000, 171090, 0, 0, "! 171.090 us |  vfs_open();"},
		{true, true, 0x2000, 0, 0, 0xffffffff, "  0.000 us   |  vfs_open();"},
		{true, true, 0x2000, 10000, 0, 0, "  10.000 us  |  vfs_open();"},
		{true, true, 0x2000, 100000, 0, 0, "+ 100.000 us |  vfs_open();"},
		{true, true, 0x2000, 1000001, 0, 0, "# 1000.001 us |  vfs_open();"},
		{true, true, 0x2000, 1000000001, 0, 0, "$ 1000000 us |  vfs_open();"},
		{true, true, 0x2000, UINT64_MAX, 0, 0, "  18446744073709551 us |  vfs_open();"},
		{false, false, 0x2000, 15289, 0, 3, "+ 15.289 us  |        }"},
		{false, false, 0x2000, 999999999, 0, 1, "# 999999.999 us |    }"},
	};
	static const struct graph_case values[] = {
		{true, true, 0x2000, 1, 0, 0, "  0.001 us   |  vfs_open(); (ret=0x0)"},
		{true, true, 0x2000, 1, UINT64_MAX, 0, "  0.001 us   |  vfs_open(); (ret=-1)"},
		{false, false, 0x2000, 1, 0xfffffff6, 0, "  0.001 us   |  } (ret=0xfffffff6)"},
		{false, false, 0x2000, 1, 0xffff888003462d80, 0,
		 "  0.001 us   |  } (ret=0xffff888003462d80)"},
	};
	struct graph_test g;
	size_t i;

	graph_init(&g, graph_exit);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		graph_check(&g, &cases[i], false);
	g.env.compat33 = true;
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		graph_check(&g, &values[i], false);
	graph_fini(&g);
}
END_TEST

/* Newer kernels have a long there. */
START_TEST(graph_long_depth)
{
	static const struct graph_case cases[] = {
		{true, false, 0x2000, 0, 0, 1, "             |    vfs_open() {"},
		{true, true, 0x2000, 20536, 0, 12,
		 "+ 20.536 us  |                          vfs_open();"},
	};
	struct graph_test g;
	size_t i;

	graph_init_entry(&g, graph_long_entry, graph_exit);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		graph_check(&g, &cases[i], false);
	graph_fini(&g);
}
END_TEST

/* A depth that a damaged record gives is no reason for gigabytes of blanks. */
START_TEST(graph_limits)
{
	static const struct graph_case deep = {
		true, false, 0x2000, 0, 0, 0x3fffffff, "             |            vfs_open() {"};
	struct tdat_limits limits = TDAT_LIMITS_INIT;
	struct graph_test g;

	graph_init(&g, graph_exit);
	limits.print_len = 10;
	g.env.limits = &limits;
	graph_check(&g, &deep, false);
	graph_fini(&g);
}
END_TEST

START_TEST(graph_missing_fields)
{
	static const struct graph_case leaf = {
		true, true, 0x2000, 0, 0, 0, "<CANT FIND FIELD rettime>!"};
	static const struct graph_case gone = {
		false, false, 0x2000, 0, 0, 0, "<CANT FIND FIELD rettime>!"};
	struct model_native *n = NULL;
	struct graph_test g;

	graph_init(&g, graph_cut_exit);
	graph_check(&g, &leaf, false);
	graph_check(&g, &gone, true);
	graph_fini(&g);
	graph_init(&g, NULL);
	ck_assert_int_eq(model_native_new(&n, g.entry, &g.env, MODEL_PRINT_FMT, NULL), TDAT_OK);
	ck_assert_ptr_null(n);
	graph_fini(&g);
}
END_TEST

/* The depth of func called by parent: letters that stack_of_functions has symbols of, or 0. */
static uint32_t push(struct func_stack *s, const struct model_symbols *symbols, uint32_t cpu,
		     char func, char parent)
{
	static const char names[] = "?abcdefxyz";
	static const struct func_stack_format ff = {
		.has_depth = true, .ip_len = 8, .parent_off = 8, .parent_len = 8, .big = true};
	uint8_t record[16];

	tdat_store64(record, func ? 0x1000 * (uint64_t)(strchr(names, func) - names) : 1, true);
	tdat_store64(record + 8, parent ? 0x1000 * (uint64_t)(strchr(names, parent) - names) : 1,
		     true);
	return func_stack_record(s, &ff, symbols, cpu, (struct tdat_span){record, sizeof(record)});
}

/* Names are those of libtraceevent's plugin: see plugins above for the oracle. */
START_TEST(stack_of_functions)
{
	static const char kallsyms[] = "1000 t a\n2000 t b\n3000 t c\n4000 t d\n5000 t e\n"
				       "6000 t f\n7000 t x\n8000 t y\n9000 t z\n";
	struct model_symbols *symbols;
	struct func_stack s;

	ck_assert_int_eq(model_symbols_new(&symbols, lit(kallsyms), NULL), TDAT_OK);
	func_stack_init(&s);
	ck_assert_uint_eq(push(&s, symbols, 3, 'b', 'a'), 0);
	ck_assert_uint_eq(push(&s, symbols, 3, 'c', 'b'), 1);
	ck_assert_uint_eq(push(&s, symbols, 3, 'd', 'c'), 2);
	ck_assert_uint_eq(push(&s, symbols, 0, 'd', 'c'), 0);
	ck_assert_uint_eq(push(&s, symbols, 3, 'e', 'b'), 1);
	/* "d" is still where it was. */
	ck_assert_uint_eq(push(&s, symbols, 3, 'f', 'd'), 3);
	ck_assert_uint_eq(push(&s, symbols, 3, 0, 'e'), 2);
	ck_assert_uint_eq(push(&s, symbols, 3, 'f', 0), 0);
	ck_assert_uint_eq(push(&s, symbols, 3, 'y', 'x'), 0);
	ck_assert_uint_eq(push(&s, symbols, 3, 'z', 'y'), 1);
	func_stack_fini(&s);
	model_symbols_free(symbols);
}
END_TEST

static void learn_switch(struct learned_tasks *l, const struct learned_tasks_format *lf, int prev,
			 const char *prev_comm, int next, const char *next_comm, uint64_t place)
{
	uint8_t record[48] = {0};
	struct tdat_span span = {record, sizeof(record)};

	memcpy(record + 8, prev_comm, strnlen(prev_comm, 16));
	tdat_store32(record + 24, (uint32_t)prev, false);
	memcpy(record + 28, next_comm, strnlen(next_comm, 16));
	tdat_store32(record + 44, (uint32_t)next, false);
	learned_tasks_record(l, lf, span, place);
}

static void is_comm(const struct learned_tasks *l, int pid, uint64_t place, const char *want)
{
	struct tdat_span got = learned_tasks_find(l, pid, place);

	ck_assert_msg(got.len == strlen(want) && !memcmp(got.ptr, want, got.len),
		      "pid %d at %llu: '%.*s', want '%s'", pid, (unsigned long long)place,
		      (int)got.len, (const char *)got.ptr, want);
}

START_TEST(learning)
{
	static const char text[] =
		EVENT("sched_switch", 300,
		      F("char prev_comm[16]", 8, 16) F("pid_t prev_pid", 24, 4)
			      F("char next_comm[16]", 28, 16) F("pid_t next_pid", 44, 4));
	struct learned_tasks_format lf;
	struct tdat_event_format *format = NULL;
	struct model_tasks *tasks = NULL;
	struct learned_tasks l;
	char name[16];
	int i;

	ck_assert_int_eq(model_format_parse(&format, "sched", lit(text), 0, false, 8, NULL),
			 TDAT_OK);
	ck_assert_int_eq(model_tasks_new(&tasks, lit("10 known\n"), NULL), TDAT_OK);
	learned_tasks_format_init(&lf, format, false);
	ck_assert_uint_eq(lf.pair_count, 0);
	learned_tasks_format_init(&lf, format, true);
	ck_assert_uint_eq(lf.pair_count, 2);
	learned_tasks_init(&l, tasks);
	learned_tasks_start(&l);
	is_comm(&l, 20, 1, "<...>");
	learn_switch(&l, &lf, 10, "other", 20, "twenty", 5);
	learn_switch(&l, &lf, 20, "changed", 0, "swapper", 6);
	is_comm(&l, 10, 100, "known");
	is_comm(&l, 0, 100, "<idle>");
	is_comm(&l, 20, 5, "<...>");
	is_comm(&l, 20, 6, "twenty");
	learn_switch(&l, &lf, 21, "", 22, "sixteen bytes 16", 7);
	is_comm(&l, 21, 8, "");
	is_comm(&l, 22, 8, "sixteen bytes 16");
	for (i = 1000; i < 3000; i++) {
		snprintf(name, sizeof(name), "t%d", i);
		learn_switch(&l, &lf, i, name, i, "late", (uint64_t)i);
	}
	for (i = 1000; i < 3000; i++) {
		snprintf(name, sizeof(name), "t%d", i);
		is_comm(&l, i, UINT64_MAX, name);
		is_comm(&l, i, (uint64_t)i, "<...>");
	}
	learned_tasks_fini(&l);
	model_tasks_free(tasks);
	model_format_free(format);
}
END_TEST

static void teach_both(struct learned_tasks *l, const struct learned_tasks_format *lf,
		       struct tep_handle *tep, int pid, const char *comm)
{
	learn_switch(l, lf, pid, comm, 0, "idle", 1);
	tep_register_comm(tep, comm, pid);
	tep_register_comm(tep, "idle", 0);
}

static void same_names(const struct learned_tasks *l, struct tep_handle *tep)
{
	int pid;

	for (pid = 0; pid < 70; pid++)
		is_comm(l, pid, UINT64_MAX, tep_data_comm_from_pid(tep, pid));
}

/* Names told before any look-up, beside stored ones: libtraceevent is the judge. */
START_TEST(learning_early)
{
	static const char text[] =
		EVENT("sched_switch", 300,
		      F("char prev_comm[16]", 8, 16) F("pid_t prev_pid", 24, 4)
			      F("char next_comm[16]", 28, 16) F("pid_t next_pid", 44, 4));
	struct tep_handle *tep = tep_alloc();
	struct learned_tasks_format lf;
	struct tdat_event_format *format = NULL;
	struct model_tasks *tasks = NULL;
	char stored[1024], comm[16];
	struct learned_tasks l;
	uint32_t seed = 77u + (uint32_t)_i;
	size_t used = 0;
	int i;

	ck_assert_ptr_nonnull(tep);
	for (i = 1; i < 40; i += 1 + _i % 3) {
		used += (size_t)snprintf(stored + used, sizeof(stored) - used, "%d s%d\n", i, i);
		snprintf(comm, sizeof(comm), "s%d", i);
		tep_register_comm(tep, comm, i);
	}
	ck_assert_int_eq(model_format_parse(&format, "sched", lit(text), 0, false, 8, NULL),
			 TDAT_OK);
	ck_assert_int_eq(model_tasks_new(&tasks, lit(stored), NULL), TDAT_OK);
	learned_tasks_format_init(&lf, format, true);
	learned_tasks_init(&l, tasks);
	for (i = 0; i < 10 * _i; i++) {
		seed = seed * 1664525 + 1013904223;
		snprintf(comm, sizeof(comm), "e%d", i);
		teach_both(&l, &lf, tep, (int)(seed >> 16) % 50, comm);
	}
	learned_tasks_start(&l);
	same_names(&l, tep);
	for (i = 0; i < 60; i++) {
		seed = seed * 1664525 + 1013904223;
		snprintf(comm, sizeof(comm), "n%d", i);
		teach_both(&l, &lf, tep, (int)(seed >> 16) % 70, comm);
		same_names(&l, tep);
	}
	learned_tasks_fini(&l);
	model_tasks_free(tasks);
	model_format_free(format);
	tep_free(tep);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("native");
	TCase *tc = tcase_create("all");

	ADD_COMPARISON(tc, plugins);
	ADD_COMPARISON(tc, print_functions);
	tcase_add_test(tc, repeat_times);
	tcase_add_test(tc, graph_lines);
	tcase_add_test(tc, graph_long_depth);
	tcase_add_test(tc, graph_limits);
	tcase_add_test(tc, graph_missing_fields);
	tcase_add_test(tc, stack_of_functions);
	tcase_add_test(tc, learning);
	tcase_add_loop_test(tc, learning_early, 0, 8);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
