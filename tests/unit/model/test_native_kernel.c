/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that the kernel's code makes of events (dump -N), and right values in the layouts of
 * plugins. Expectation: kernel/trace/trace_output.c, trace_syscalls.c, trace_probe.c and
 * trace_events_synth.c of Linux 6.1 to 6.19, by hand; what recordings of kernels have is compared
 * with the kernels' own text in tests/truth.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "core/endian.h"
#include "model/print.h"

#define COMMON                                                                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define F(decl, off, size, sign)                                                                   \
	"\tfield:" decl ";\toffset:" #off ";\tsize:" #size ";\tsigned:" #sign ";\n"

static const char kallsyms[] = "0000000000001000 T _stext\n"
			       "0000000000001000 T first\n"
			       "0000000000001100 t second\n"
			       "0000000000001200 T arch_rethook_trampoline\n"
			       "0000000000001240 D some_data\n"
			       "0000000000008000 t of_module\t[mod]\n"
			       "0000000000008040 t next_of_module\t[mod]\n"
			       "000000000000f000 t of_other\t[other]\n";
static const char printk[] = "0x9000 : \"a\\tb%d %s %5d|%-4x|%c %*d %.2s %pS %px %pI4 %%\\n\"\n"
			     "0x9100 : \"100%\\n\"\n";
static const char cmdlines[] = "7 seven\n";

struct put {
	uint32_t off, len; /* len 0: there is no more */
	uint64_t v;
	const char *text; /* instead of v */
};

struct event {
	const char *system, *name, *fields, *print_fmt;
	struct put puts[16];
	size_t len;
	const char *want;
	uint32_t kernel;
	bool plugins; /* not -N */
	bool is32;
	bool big;
};

static void fill(uint8_t *record, const struct event *e)
{
	for (const struct put *p = e->puts; p->len; p++) {
		if (p->text)
			memcpy(record + p->off, p->text, p->len);
		else if (p->len == 1)
			record[p->off] = (uint8_t)p->v;
		else if (p->len == 2)
			tdat_store16(record + p->off, (uint16_t)p->v, e->big);
		else if (p->len == 4)
			tdat_store32(record + p->off, (uint32_t)p->v, e->big);
		else
			tdat_store64(record + p->off, p->v, e->big);
	}
}

static struct tdat_span span(const char *s)
{
	return (struct tdat_span){(const uint8_t *)s, strlen(s)};
}

static struct tdat_span name(const void *ctx, int32_t pid)
{
	return model_tasks_find(ctx, pid);
}

static void check_event(const struct event *e)
{
	struct model_env env = {.big = e->big,
				.long_size = e->is32 ? 4 : 8,
				.kernel = true,
				.kernel_version = e->kernel ? e->kernel : 6 << 16 | 12 << 8};
	struct model_symbols *symbols = NULL;
	struct model_printk *strings = NULL;
	struct model_tasks *tasks = NULL;
	struct model_scratch *scratch = NULL;
	struct model_print *print = NULL;
	struct tdat_event_format *format = NULL;
	uint8_t record[256] = {0};
	const struct model_event event = {.record = {record, e->len}, .ts = 1234567891};
	struct tdat_build out;
	char text[4096];

	snprintf(text, sizeof(text), "name: %s\nID: 300\nformat:\n%s%s\nprint fmt: %s\n", e->name,
		 COMMON, e->fields, e->print_fmt ? e->print_fmt : "\"end\"");
	ck_assert_int_eq(model_symbols_new(&symbols, span(kallsyms), NULL), TDAT_OK);
	ck_assert_int_eq(model_printk_new(&strings, span(printk), NULL), TDAT_OK);
	ck_assert_int_eq(model_tasks_new(&tasks, span(cmdlines), NULL), TDAT_OK);
	env.symbols = symbols;
	env.printk = strings;
	env.name = name;
	env.ctx = tasks;
	ck_assert_int_eq(
		model_format_parse(&format, e->system, span(text), 0, e->big, env.long_size, NULL),
		TDAT_OK);
	ck_assert_int_eq(model_print_new(&print, format, &env,
					 e->plugins ? MODEL_PRINT_FMT : MODEL_PRINT_NO_PLUGINS,
					 NULL),
			 TDAT_OK);
	ck_assert_int_eq(model_scratch_new(&scratch, NULL), TDAT_OK);
	ck_assert_uint_le(e->len, sizeof(record));
	fill(record, e);
	tdat_build_init(&out, false);
	model_print_run(print, &event, scratch, &out);
	ck_assert_msg(out.len == strlen(e->want) && !memcmp(out.ptr, e->want, out.len),
		      "%s: '%.*s', not '%s'", e->name, (int)out.len, (const char *)out.ptr,
		      e->want);
	tdat_build_fini(&out);
	model_scratch_free(scratch);
	model_print_free(print);
	model_format_free(format);
	model_tasks_free(tasks);
	model_printk_free(strings);
	model_symbols_free(symbols);
}

#define CHECK(cases)                                                                               \
	for (size_t i = 0; i < sizeof(cases) / sizeof((cases)[0]); i++)                            \
	check_event(&(cases)[i])

#define READ_FIELDS                                                                                \
	F("int __syscall_nr", 8, 4, 1)                                                             \
	F("unsigned int fd", 16, 8, 0) F("char * buf", 24, 8, 0) F("size_t count", 32, 8, 0)
#define READ_VALUES                                                                                \
	{16, 8, 3, NULL}, {24, 8, 0x7ffe0, NULL},                                                  \
	{                                                                                          \
		32, 8, 0x400, NULL                                                                 \
	}
#define WRITE_FMT                                                                                  \
	"\"fd: 0x%08lx, buf: 0x%08lx (%s), count: 0x%08lx\", ((unsigned long)(REC->fd)), "         \
	"((unsigned long)(REC->buf)), __print_dynamic_array(__buf_val, 1), "                       \
	"((unsigned long)(REC->count))"
#define LINUX(major, minor) ((major) << 16 | (minor) << 8)

START_TEST(syscalls)
{
	static const struct event cases[] = {
		{"syscalls", "sys_enter_read", READ_FIELDS, .puts = {READ_VALUES}, .len = 40,
		 .want = "sys_read(fd: 3, buf: 7ffe0, count: 400)"},
		{"syscalls", "sys_enter_read", READ_FIELDS, .puts = {READ_VALUES}, .len = 40,
		 .want = "sys_read(fd: 3, buf: 0x7ffe0, count: 0x400)", .kernel = LINUX(6, 18)},
		{"syscalls", "sys_enter_write",
		 READ_FIELDS F("__data_loc char[] __buf_val", 40, 4, 0), WRITE_FMT,
		 .puts = {READ_VALUES, {40, 4, 3 << 16 | 44, NULL}, {44, 3, 0, "Hi\n"}}, .len = 48,
		 .want = "sys_write(fd: 3, buf: 0x7ffe0 (48:69:0a, ...) \"Hi.\"..., count: 0x400)",
		 .kernel = LINUX(6, 19)},
		{"syscalls", "sys_enter_chdir",
		 F("int __syscall_nr", 8, 4, 1) F("const char * filename", 16, 8, 0)
			 F("__data_loc char[] __filename_val", 24, 4, 0),
		 "\"filename: 0x%08lx \\\"%s\\\"\", ((unsigned long)(REC->filename)), "
		 "__get_str(__filename_val)",
		 .puts = {{16, 8, 9, NULL}, {24, 4, 5 << 16 | 28, NULL}, {28, 5, 0, "/tmp"}},
		 .len = 36, .want = "sys_chdir(filename: 9 \"/tmp\")", .kernel = LINUX(6, 19)},
		{"syscalls", "sys_enter_getpid", F("int __syscall_nr", 8, 4, 1), .len = 16,
		 .want = "sys_getpid()"},
		{"syscalls", "sys_exit_read",
		 F("int __syscall_nr", 8, 4, 1) F("long ret", 16, 8, 1),
		 .puts = {{16, 8, (uint64_t)-14, NULL}}, .len = 24,
		 .want = "sys_read -> 0xfffffffffffffff2"},
		{"syscalls", "compat_sys_exit_read",
		 F("int __syscall_nr", 8, 4, 1) F("long ret", 12, 4, 1),
		 .puts = {{12, 4, (uint64_t)-14, NULL}}, .len = 16, .is32 = true, .big = true,
		 .want = "compat_sys_read -> 0xfffffff2"},
	};

	CHECK(cases);
}
END_TEST

#define SWITCH                                                                                     \
	F("unsigned int prev_pid", 8, 4, 0)                                                        \
	F("unsigned int next_pid", 12, 4, 0)                                                       \
	F("unsigned int next_cpu", 16, 4, 0)                                                       \
	F("unsigned char prev_prio", 20, 1, 0)                                                     \
	F("unsigned char prev_state", 21, 1, 0)                                                    \
	F("unsigned char next_prio", 22, 1, 0) F("unsigned char next_state", 23, 1, 0)
#define SWITCH_VALUES                                                                              \
	{8, 4, 5, NULL}, {12, 4, 7, NULL}, {16, 4, 1, NULL}, {20, 1, 120, NULL}, {21, 1, 1, NULL}, \
	{                                                                                          \
		22, 1, 98, NULL                                                                    \
	}

START_TEST(ftrace_events)
{
	static const struct event cases[] = {
		{"ftrace", "function",
		 F("unsigned long ip", 8, 8, 0) F("unsigned long parent_ip", 16, 8, 0),
		 .puts = {{8, 8, 0x1004, NULL}, {16, 8, 0x1200, NULL}}, .len = 24,
		 .want = "_stext <-[unknown/kretprobe'd]"},
		{"ftrace", "kernel_stack",
		 F("int size", 8, 4, 1) F("unsigned long caller[8]", 16, 64, 0),
		 .puts = {{16, 8, 0x8010, NULL},
			  {24, 8, 0x7fffffff, NULL},
			  {32, 8, 0x77, NULL},
			  {40, 8, UINT64_MAX, NULL}},
		 .len = 56,
		 .want = "<stack trace>\n => of_module\n => [FTRACE TRAMPOLINE]\n => 0x00000077\n"},
		{"ftrace", "user_stack",
		 F("unsigned int tgid", 8, 4, 0) F("unsigned long caller[8]", 12, 32, 0),
		 .puts = {{12, 4, 0xb7f00a50, NULL}, {16, 4, 0x1000, NULL}}, .len = 44,
		 .is32 = true, .big = true,
		 .want = "<user stack trace>\n =>  <b7f00a50>\n =>  <00001000>\n"},
		{"ftrace", "func_repeats",
		 F("unsigned long ip", 8, 8, 0) F("unsigned long parent_ip", 16, 8, 0)
			 F("u16 count", 24, 2, 0) F("u16 top_delta_ts", 26, 2, 0)
				 F("u32 bottom_delta_ts", 28, 4, 0),
		 .puts = {{8, 8, 0x1100, NULL},
			  {16, 8, 0x1000, NULL},
			  {24, 2, 9, NULL},
			  {28, 4, 1000000, NULL}},
		 .len = 32, .want = "second <-_stext (repeats: 9, last_ts:     1.233568)"},
		{"ftrace", "print", F("unsigned long ip", 8, 8, 0) F("char buf[]", 16, 0, 0),
		 .puts = {{8, 8, 0, NULL}, {16, 4, 0, "hi\n"}}, .len = 24, .want = "0: hi\n"},
		{"ftrace", "bputs", F("unsigned long ip", 8, 8, 0) F("const char * str", 16, 8, 0),
		 .puts = {{8, 8, 0x1100, NULL}, {16, 8, 0x9100, NULL}}, .len = 24,
		 .want = "second: 100%"},
		{"ftrace", "bprint",
		 F("unsigned long ip", 8, 8, 0) F("const char * fmt", 16, 8, 0)
			 F("u32 buf[]", 24, 0, 0),
		 .puts = {{8, 8, 0x1100, NULL},
			  {16, 8, 0x9000, NULL},
			  {24, 4, (uint64_t)-1, NULL},
			  {28, 3, 0, "st"},
			  {32, 4, 42, NULL},
			  {36, 4, 0xab, NULL},
			  {40, 1, 'c', NULL},
			  {44, 4, 4, NULL},
			  {48, 4, 7, NULL},
			  {52, 4, 0, "cut"},
			  {56, 8, 0x1108, NULL},
			  {64, 8, 0x1100, NULL},
			  {72, 10, 0, "192.0.2.1"}},
		 .len = 84,
		 .want = "second: a\tb-1 st    42|ab  |c    7 cu second+0x8/0x100 0000000000001100 "
			 "192.0.2.1 %"},
		{"ftrace", "raw_data", F("unsigned int id", 8, 4, 0) F("char buf[]", 12, 0, 0),
		 .puts = {{8, 4, 0x2a, NULL}, {12, 4, 0, "ABCD"}}, .len = 16, .is32 = true,
		 .want = "# 2a buf: 41 42 43 44"},
		{"ftrace", "hwlat",
		 F("u64 duration", 8, 8, 0) F("u64 outer_duration", 16, 8, 0)
			 F("u64 nmi_total_ts", 24, 8, 0) F("s64 tv_sec", 32, 8, 1)
				 F("long tv_nsec", 40, 8, 1) F("unsigned int nmi_count", 48, 4, 0)
					 F("unsigned int seqnum", 52, 4, 0)
						 F("unsigned int count", 56, 4, 0),
		 .puts = {{8, 8, 12, NULL},
			  {16, 8, 13, NULL},
			  {24, 8, 500, NULL},
			  {32, 8, 1700000000, NULL},
			  {40, 8, 42, NULL},
			  {48, 4, 2, NULL},
			  {52, 4, 1, NULL},
			  {56, 4, 3, NULL}},
		 .len = 60,
		 .want = "#1     inner/outer(us):   12/13    ts:1700000000.000000042 count:3 "
			 "nmi-total:500 nmi-count:2"},
		{"ftrace", "osnoise",
		 F("u64 noise", 8, 8, 0) F("u64 runtime", 16, 8, 0) F("u64 max_sample", 24, 8, 0)
			 F("unsigned int hw_count", 32, 4, 0) F("unsigned int nmi_count", 36, 4, 0)
				 F("unsigned int irq_count", 40, 4, 0)
					 F("unsigned int softirq_count", 44, 4, 0)
						 F("unsigned int thread_count", 48, 4, 0),
		 .puts = {{8, 8, 1000, NULL},
			  {16, 8, 1000000, NULL},
			  {24, 8, 300, NULL},
			  {40, 4, 4, NULL}},
		 .len = 52,
		 .want = "1000000       1000  99.90000     300      0      0      4      0      0"},
		{"ftrace", "timerlat",
		 F("unsigned int seqnum", 8, 4, 0) F("int context", 12, 4, 1)
			 F("u64 timer_latency", 16, 8, 0),
		 .puts = {{8, 4, 3, NULL}, {12, 4, 1, NULL}, {16, 8, 1234, NULL}}, .len = 24,
		 .want = "#3     context thread timer_latency      1234 ns"},
		{"ftrace", "context_switch", SWITCH, .puts = {SWITCH_VALUES}, .len = 24,
		 .want = "       5:120:S ==> [001]       7: 98:R seven"},
		{"ftrace", "wakeup", SWITCH, .puts = {SWITCH_VALUES}, .len = 24,
		 .want = "       5:120:S   + [001]       7: 98:R seven"},
		{"ftrace", "branch",
		 F("unsigned int line", 8, 4, 0) F("char func[31]", 12, 31, 0)
			 F("char file[21]", 43, 21, 0) F("char correct", 64, 1, 0),
		 .puts = {{8, 4, 12, NULL}, {12, 3, 0, "fn"}, {43, 4, 0, "a.c"}}, .len = 66,
		 .want = "[ MISS ] fn:a.c:12"},
		{"ftrace", "mmiotrace_rw",
		 F("resource_size_t phys", 8, 8, 0) F("unsigned long value", 16, 8, 0) F(
			 "unsigned long pc", 24, 8, 0) F("int map_id", 32, 4, 1)
			 F("unsigned char opcode", 36, 1, 0) F("unsigned char width", 37, 1, 0),
		 .puts = {{8, 8, 0xfeb0, NULL},
			  {16, 8, 0x11, NULL},
			  {32, 4, 2, NULL},
			  {36, 1, 2, NULL},
			  {37, 1, 4, NULL}},
		 .len = 40, .want = "W 4 1.234568 2 0xfeb0 0x11 0x0 0"},
		{"ftrace", "mmiotrace_map",
		 F("resource_size_t phys", 8, 8, 0) F("unsigned long virt", 16, 8, 0)
			 F("unsigned long len", 24, 8, 0) F("int map_id", 32, 4, 1)
				 F("unsigned char opcode", 36, 1, 0),
		 .puts = {{8, 8, 0xfeb0, NULL},
			  {16, 8, 0x11, NULL},
			  {24, 8, 0x1000, NULL},
			  {36, 1, 3, NULL}},
		 .len = 40, .want = "MAP 1.234568 0 0xfeb0 0x11 0x1000 0x0 0"},
	};

	CHECK(cases);
}
END_TEST

START_TEST(probes)
{
	static const struct event cases[] = {
		{"kprobes", "kp",
		 F("unsigned long __probe_ip", 8, 8,
		   0) F("s8 n", 16, 1, 1) F("u16 list[]", 17, 4, 0) F("u8 ch", 21, 1, 0)
			 F("__data_loc char[] name", 22, 4, 1) F("__data_loc char[] none", 26, 4, 1)
				 F("u64 at", 30, 8, 0) F("u64 x", 38, 8, 0),
		 "\"(%lx) n=%d list={%u,%u} ch='%c' name=\\\"%s\\\" none=\\\"%s\\\" at=%pS "
		 "x=0x%Lx\", REC->__probe_ip, REC->n",
		 .puts = {{8, 8, 0x8044, NULL},
			  {16, 1, 0xff, NULL},
			  {17, 2, 1, NULL},
			  {19, 2, 65535, NULL},
			  {21, 1, 'q', NULL},
			  {22, 4, 4 << 16 | 48, NULL},
			  {30, 8, 0x1100, NULL},
			  {38, 8, 16, NULL},
			  {48, 4, 0, "a b"}},
		 .len = 52,
		 .want = "(next_of_module+0x4/0xfc0 [mod]) n=-1 list={1,65535} ch='q' name=\"a b\" "
			 "none=(fault) at=second+0x0/0x100 x=0x10"},
		{"mine", "kr",
		 F("unsigned long __probe_func", 8, 8, 0) F("unsigned long __probe_ret_ip", 16, 8,
							    0) F("__data_loc char[] s[2]", 24, 8, 1)
			 F("__data_loc char[] y", 32, 4, 1),
		 "\"(%lx <- %lx) s={\\\"%s\\\",\\\"%s\\\"} y=%s\", REC->__probe_func",
		 .puts = {{8, 8, 0x1000, NULL},
			  {16, 8, 0x1110, NULL},
			  {24, 4, 2 << 16 | 36, NULL},
			  {32, 4, 6 << 16 | 38, NULL},
			  {36, 2, 0, "a"},
			  {38, 6, 0, "sym+1"}},
		 .len = 44, .want = "(second+0x10/0x100 <- _stext) s={\"a\",(fault)} y=sym+1"},
		{"uprobes", "ur",
		 F("unsigned long __probe_func", 8, 8, 0)
			 F("unsigned long __probe_ret_ip", 16, 8, 0),
		 "\"(%lx <- %lx)\", REC->__probe_func, REC->__probe_ret_ip",
		 .puts = {{8, 8, 0x1000, NULL}, {16, 8, 0x1110, NULL}}, .len = 24,
		 .want = "(0x1110 <- 0x1000)"},
		{"eprobes", "ep", F("__data_loc char[] file", 8, 4, 1) F("u32 flags", 12, 4, 0),
		 "\" file=\\\"%s\\\" flags=0x%x\", __get_str(file), REC->flags",
		 .puts = {{12, 4, 0x241, NULL}}, .len = 16, .want = " file=(fault) flags=0x241"},
		{"other", "no_probe", F("int n", 8, 4, 1), "\" n=%d\", REC->n + 1",
		 .puts = {{8, 4, 1, NULL}}, .len = 12, .want = " n=2"},
	};

	CHECK(cases);
}
END_TEST

START_TEST(synthetic)
{
	static const struct event cases[] = {
		{"synthetic", "mixed",
		 F("s8 a", 8, 1, 1) F("s32 b", 16, 4, 1) F("u64 c", 24, 8, 0) F("gfp_t g", 32, 4, 0)
			 F("char comm[16]", 40, 16, 1) F("__data_loc char[] dyn", 296, 8, 1),
		 .puts = {{8, 1, 0xff, NULL},
			  {16, 4, (uint64_t)-2, NULL},
			  {24, 8, UINT64_MAX, NULL},
			  {32, 4, 0xcc0, NULL},
			  {40, 3, 0, "sh"}},
		 .len = 56, .want = "a=255 b=-2 c=18446744073709551615 g=cc0 comm=sh dyn="},
		{"synthetic", "stack",
		 F("__data_loc unsigned long[] s", 8, 8, 1) F("u8 n", 16, 1, 0),
		 .puts = {{8, 4, 24 << 16 | 24, NULL},
			  {16, 1, 5, NULL},
			  {24, 8, 2, NULL},
			  {32, 8, 0x1104, NULL},
			  {40, 8, 0x10, NULL}},
		 .len = 48, .want = "s=STACK:\n=> second+0x4/0x100\n=> 0x10\nn=5"},
		{"synthetic", "stack63", F("__data_loc unsigned long[] s", 8, 8, 1),
		 .puts = {{8, 4, 16 << 16 | 16, NULL}, {16, 8, 0x1104, NULL}}, .len = 32,
		 .want = "s=STACK:\n=> second+0x4/0x100\n"},
	};

	CHECK(cases);
}
END_TEST

START_TEST(plugin_layouts)
{
	static const struct event cases[] = {
		{"sched", "sched_wakeup",
		 F("char comm[16]", 8, 16, 1) F("pid_t pid", 24, 4, 1) F("int prio", 28, 4, 1)
			 F("int target_cpu", 32, 4, 1),
		 .puts = {{8, 3, 0, "dl"}, {24, 4, 9, NULL}, {28, 4, (uint64_t)-1, NULL}},
		 .len = 36, .plugins = true, .want = "dl:9 [-1] CPU:000"},
		{"timer", "hrtimer_start",
		 F("void * hrtimer", 8, 8, 0) F("void * function", 16, 8, 0)
			 F("s64 expires", 24, 8, 1) F("s64 softexpires", 32, 8, 1),
		 .puts = {{8, 8, 0x77, NULL}, {16, 8, 0x1104, NULL}, {24, 8, (uint64_t)-5, NULL}},
		 .len = 40, .plugins = true,
		 .want = "hrtimer=0x77 function=second/0x4 expires=-5 softexpires=0"},
		{"syscalls", "sys_enter_futex",
		 F("int __syscall_nr", 8, 4, 1) F("u32 * uaddr", 16, 8, 0) F("int op", 24, 8, 0)
			 F("u32 val", 32, 8, 0) F("struct timespec * utime", 40, 8, 0)
				 F("u32 * uaddr2", 48, 8, 0) F("u32 val3", 56, 8, 0),
		 .puts = {{16, 8, 0x7000, NULL},
			  {24, 8, UINT64_C(0xdead00000081), NULL},
			  {32, 8, UINT64_C(0xdead00000001), NULL}},
		 .len = 64, .plugins = true,
		 .want = "op=FUTEX_WAKE|FUTEX_PRIVATE_FLAG uaddr=0x00007000 val=1"},
		{"tlb", "tlb_flush", F("int reason", 8, 4, 1) F("unsigned long pages", 12, 4, 0),
		 "\"pages:%ld reason:%s (%d)\", REC->pages, __print_symbolic(REC->reason, { 0, "
		 "\"flush on task switch\" }, { 4, \"remote ipi send\" }), REC->reason",
		 .puts = {{8, 4, 4, NULL}, {12, 4, UINT32_MAX, NULL}}, .len = 16, .is32 = true,
		 .plugins = true, .want = "pages=-1 reason=remote ipi send (4)"},
		{"kvm", "kvm_exit",
		 F("unsigned int exit_reason", 8, 4, 0) F("unsigned long guest_rip", 16, 8, 0)
			 F("u32 isa", 24, 4, 0),
		 .puts = {{8, 4, 0x80000021, NULL}, {16, 8, 0x10, NULL}, {24, 4, 1, NULL}},
		 .len = 28, .plugins = true,
		 .want = "reason INVALID_STATE|FAILED_VMENTRY rip 0x10"},
		{"kvm", "kvm_exit", F("unsigned int esr_ec", 8, 4, 0), "\"TRAP: %x\", REC->esr_ec",
		 .puts = {{8, 4, 0x24, NULL}}, .len = 12, .plugins = true, .want = "TRAP: 24"},
		{"kvmmmu", "kvm_mmu_sync_page",
		 F("__u64 gfn", 8, 8, 0) F("__u32 role", 16, 4, 0) F("__u32 root_count", 20, 4, 0)
			 F("bool unsync", 24, 1, 0),
		 .puts = {{16, 4, 4, NULL}}, .len = 28, .plugins = true,
		 .want = "4 q0 --- pae !nxe !wp root 0 sync"},
		{"ftrace", "raw_data", F("unsigned int id", 8, 4, 0) F("char buf[]", 12, 0, 0),
		 .puts = {{8, 4, 0x2a, NULL}, {12, 8, 0, "ABCDEFGH"}}, .len = 20, .is32 = true,
		 .plugins = true, .want = "# 2a 41 42 43 44 45 46 47 48"},
		{"ftrace", "kernel_stack",
		 F("int size", 8, 4, 1) F("unsigned long caller[8]", 16, 64, 0),
		 .puts = {{16, 8, 0x8010, NULL},
			  {24, 8, UINT32_MAX, NULL},
			  {32, 8, 0x7fffffff, NULL},
			  {40, 8, UINT64_MAX, NULL}},
		 .len = 48, .plugins = true,
		 .want = "<stack trace >\n=> of_module (8010)\n=> ffffffff\n=> [FTRACE "
			 "TRAMPOLINE]\n"},
		{"ftrace", "bputs", F("unsigned long ip", 8, 8, 0) F("const char * str", 16, 8, 0),
		 .puts = {{8, 8, 0x1100, NULL}, {16, 8, 0x9100, NULL}}, .len = 24, .plugins = true,
		 .want = "second: 100%"},
	};

	CHECK(cases);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("native_kernel");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, syscalls);
	tcase_add_test(tc, ftrace_events);
	tcase_add_test(tc, probes);
	tcase_add_test(tc, synthetic);
	tcase_add_test(tc, plugin_layouts);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
