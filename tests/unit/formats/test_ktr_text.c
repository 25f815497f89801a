/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listings in every form their programs print. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "collect.h"
#include "ktr_print.h"

struct listing {
	const char *text;
	const char *expected;
	const char *clock;
};

static const struct listing listings[] = {
	/* ktrdump -ctfH; %p of a null thread; text that begins with blanks. */
	{"index  cpu timestamp        file and line                            tid                "
	 "trace\n"
	 "------ --- ---------------- ---------------------------------------- ------------------ "
	 "----- \n"
	 "   712   1       9223375104 kern/sched_ule.c:2040                    0xfffff80003a55000 "
	 "sched_add: x\n"
	 "   711   0       9223374204 a/very/long/path/that/is/longer/than/forty/x.c:7 0x0   two "
	 "blanks\n"
	 "   710   0       9223374204 kern/x.c:8                               (nil) \n",
	 "# layout=ktrdump-text endian=- entries=3 cpus=2\n"
	 "[000] 9223374204 td=- kern/x.c:8: \n"
	 "[000] 9223374204 td=- a/very/long/path/that/is/longer/than/forty/x.c:7:   two blanks\n"
	 "[001] 9223375104 td=0xfffff80003a55000 kern/sched_ule.c:2040: sched_add: x\n",
	 "counter"},
	/* ktrdump -cq: no time, rows are numbered. */
	{"     1   1 newer 12\n"
	 "     0   0 older\n"
	 "  1023   0 oldest\n",
	 "# layout=ktrdump-text endian=- entries=3 cpus=2\n"
	 "[000] 0 td=- -: oldest\n"
	 "[000] 1 td=- -: older\n"
	 "[001] 2 td=- -: newer 12\n",
	 "counter"},
	/* ktrdump -qctf -i: oldest first. */
	{"     0   0             1000 kern/a.c:1                               one\n"
	 "     1   1             1001 kern/b.c:22                              two\n",
	 "# layout=ktrdump-text endian=- entries=2 cpus=2\n"
	 "[000] 1000 td=- kern/a.c:1: one\n"
	 "[001] 1001 td=- kern/b.c:22: two\n",
	 "counter"},
	/* ktrdump -q alone: nothing but index and text. */
	{"    12 only text: 5\n"
	 "    11 more text\n",
	 "# layout=ktrdump-text endian=- entries=2 cpus=1\n"
	 "[000] 0 td=- -: more text\n"
	 "[000] 1 td=- -: only text: 5\n",
	 "counter"},
	/* ktrdump -tr: each row counts from the newer one above it. */
	{"index  timestamp        trace\n"
	 "------ ---------------- ----- \n"
	 "     9                0 newest\n"
	 "     8              100 middle\n"
	 "     7               30 oldest\n",
	 "# layout=ktrdump-text endian=- entries=3 cpus=1\n"
	 "[000] 0 td=- -: oldest\n"
	 "[000] 30 td=- -: middle\n"
	 "[000] 130 td=- -: newest\n",
	 "counter"},
	/* ktrdump -ctr -i: oldest first. */
	{"index  cpu timestamp        trace\n"
	 "------ --- ---------------- ----- \n"
	 "     0   0                0 oldest\n"
	 "     1   0               30 middle\n"
	 "     2   0              100 newest\n",
	 "# layout=ktrdump-text endian=- entries=3 cpus=1\n"
	 "[000] 0 td=- -: oldest\n"
	 "[000] 30 td=- -: middle\n"
	 "[000] 130 td=- -: newest\n",
	 "counter"},
	/* A CPU's clock goes back; the others do not mind. */
	{"index  cpu timestamp        trace\n"
	 "------ --- ---------------- ----- \n"
	 "     4   0             2000 d\n"
	 "     3   1             3000 c\n"
	 "     2   0             2500 b\n"
	 "     1   0             1000 a\n",
	 "# layout=ktrdump-text endian=- entries=4 cpus=2\n"
	 "# warning: 1 timestamp earlier than the one before it on the same cpu\n"
	 "[000] 1000 td=- -: a\n"
	 "[000] 2000 td=- -: d\n"
	 "[000] 2500 td=- -: b\n"
	 "[001] 3000 td=- -: c\n",
	 "counter"},
	/* Lines of something else, and a last one that is cut. */
	{"index  cpu timestamp        trace\n"
	 "------ --- ---------------- ----- \n"
	 "     2   9999             2000 b\n"
	 "ktrdump: kvm_read: bad address\n"
	 "     1   0             1000 a",
	 "# layout=ktrdump-text endian=- entries=2 cpus=1\n"
	 "# warning: list.txt: 1 line not understood\n"
	 "# warning: list.txt: the last line has no newline and may be truncated\n"
	 "# warning: 1 entry with a cpu outside 0..4095 put on cpu 0\n"
	 "[000] 1000 td=- -: a\n"
	 "[000] 2000 td=- -: b\n",
	 "counter"},
	/* tdump -a, newer column name. */
	{"C Index Time Stamp       Trace\n"
	 "= ===== ================ =====\n"
	 "1 0a1       311a5899992c newest\n"
	 "0 35f       311a58999900 oldest\n",
	 "# layout=tdump-text endian=- entries=2 cpus=2\n"
	 "[000] 53989225371904 td=- -: oldest\n"
	 "[001] 53989225371948 td=- -: newest\n",
	 "counter"},
	/* DragonFly: cycles, ID and place; its heading comes again. */
	{"TSC frequency is 2394.230 MHz\n"
	 "index  cpu timestamp        ID                             file and line                 "
	 " trace\n"
	 " 0002c8 0   1000             tokens_fail                      kern/lwkt_token.c:77   "
	 "token 5\n"
	 "index  cpu timestamp        ID                             file and line                 "
	 " trace\n"
	 " 0002c9 0   3000             tokens_fail                      kern/lwkt_token.c:77   "
	 "token 6\n"
	 " 000001 1   2000             ipiq_run                          kern/lwkt_ipiq.c:1234 \n",
	 "# layout=dragonfly-text endian=- entries=3 cpus=2\n"
	 "[000] 1000 td=- kern/lwkt_token.c:77: tokens_fail: token 5\n"
	 "[001] 2000 td=- kern/lwkt_ipiq.c:1234: ipiq_run\n"
	 "[000] 3000 td=- kern/lwkt_token.c:77: tokens_fail: token 6\n",
	 "counter"},
	/* DragonFly -a: microseconds since the row before, callers. */
	{"TSC frequency is 2394.230 MHz\n"
	 "index  cpu timestamp        caller2              caller1             ID                  "
	 " trace\n"
	 " 0002c8 0           0.000 uS main+5                    fork1+77                  sched_a "
	 "             one\n"
	 " 0002c9 0           1.500 uS main+5                    fork1+77                  sched_a "
	 "             two\n",
	 "# layout=dragonfly-text endian=- entries=2 cpus=1\n"
	 "[000] 0 td=- -: sched_a: one <- fork1+77 <- main+5\n"
	 "[000] 1500 td=- -: sched_a: two <- fork1+77 <- main+5\n",
	 "local"},
	/* ddb without /v, one CPU, with its pager. */
	{"db> show ktr\n"
	 "2 (0xfffff80003a55000): newer: x\n"
	 "--More--\r        \r1 (0xfffff80003a54740): older\n"
	 "--- End of trace buffer ---\n",
	 "# layout=ddb-text endian=- entries=2 cpus=1\n"
	 "[000] 0 td=0xfffff80003a54740 -: older\n"
	 "[000] 1 td=0xfffff80003a55000 -: newer: x\n",
	 "counter"},
	/* ddb of 2000, /v. */
	{"5: 1234.000150 cpu1 ../../kern/kern_synch.c.470\tmi_switch: new\n"
	 "4: 1234.000100 cpu0 ../../kern/kern_synch.c.460\tmi_switch: old\n"
	 "--- End of trace buffer ---\n",
	 "# layout=ddb-text endian=- entries=2 cpus=2\n"
	 "[000] 1234000100000 td=- ../../kern/kern_synch.c:460: mi_switch: old\n"
	 "[001] 1234000150000 td=- ../../kern/kern_synch.c:470: mi_switch: new\n",
	 "local"},
	/* debug.ktr.verbose=2 on the console. */
	{"cpu0 kern/kern_synch.c.471\tmi_switch: old\n"
	 "cpu1 kern/sched_ule.c.2040\tsched_add\n",
	 "# layout=console-text endian=- entries=2 cpus=2\n"
	 "[000] 0 td=- kern/kern_synch.c:471: mi_switch: old\n"
	 "[001] 1 td=- kern/sched_ule.c:2040: sched_add\n",
	 "counter"},
	/* DragonFly without a heading: it comes with each twentieth index only. */
	{"TSC frequency is 2394.230 MHz\n"
	 " 0002c8 0           0.000 uS main+5                    fork1+77                  sched_a "
	 "             one\n"
	 " 0002c9 0          -0.250 uS 0xffffffff80001234        fork1+77                  sched_b "
	 "             two x\n",
	 "# layout=dragonfly-text endian=- entries=2 cpus=1\n"
	 "[000] 0 td=- -: sched_a: one <- fork1+77 <- main+5\n"
	 "[000] 0 td=- -: sched_b: two x <- fork1+77 <- 0xffffffff80001234\n",
	 "local"},
	/* DragonFly -ctp -o: the first line went elsewhere. */
	{"index  cpu timestamp        trace\n"
	 " 0002c8 0   1000             one\n"
	 " 0002c9 1   2000             two\n",
	 "# layout=dragonfly-text endian=- entries=2 cpus=2\n"
	 "[000] 1000 td=- -: one\n"
	 "[001] 2000 td=- -: two\n",
	 "counter"},
	/* DragonFly -pq: nothing but index and text. */
	{"TSC frequency is  0.000 MHz\n"
	 " 0002c8 one\n"
	 " 0002c9 two\n",
	 "# layout=dragonfly-text endian=- entries=2 cpus=1\n"
	 "[000] 0 td=- -: one\n"
	 "[000] 1 td=- -: two\n",
	 "counter"},
	/* schedgraph.d: one CPU after the other. */
	{"0 1000200 KTRGRAPH group:\"load\", id:\"CPU 0 load\", counter:\"5\", attributes: "
	 "\"none\"\n"
	 "0 1000300 KTRGRAPH group:\"thread\", id:\"a/b tid 7\", state:\"idle\", attributes: "
	 "prio:1\n"
	 "1 1000250 KTRGRAPH group:\"load\", id:\"global load\", counter:\"1\", attributes: "
	 "\"none\"\n",
	 "# layout=dtrace-text endian=- entries=3 cpus=2\n"
	 "[000] 1000200 td=- -: KTRGRAPH group:\"load\", id:\"CPU 0 load\", counter:\"5\", "
	 "attributes: \"none\"\n"
	 "[001] 1000250 td=- -: KTRGRAPH group:\"load\", id:\"global load\", counter:\"1\", "
	 "attributes: \"none\"\n"
	 "[000] 1000300 td=- -: KTRGRAPH group:\"thread\", id:\"a/b tid 7\", state:\"idle\", "
	 "attributes: prio:1\n",
	 "local"},
	/* The same behind make_ktr.sh: the newest first, numbered from 1. */
	{"     1\t1 1000300 KTRGRAPH group:\"load\", id:\"x\", counter:\"2\"\n"
	 "     2\t0 1000200 KTRGRAPH group:\"load\", id:\"x\", counter:\"1\"\n",
	 "# layout=dtrace-text endian=- entries=2 cpus=2\n"
	 "[000] 1000200 td=- -: KTRGRAPH group:\"load\", id:\"x\", counter:\"1\"\n"
	 "[001] 1000300 td=- -: KTRGRAPH group:\"load\", id:\"x\", counter:\"2\"\n",
	 "local"},
	/* ktrdump -qt has as many numbers, but aligned. */
	{"   712 9223375104123456 KTRGRAPH group:\"load\", id:\"x\", counter:2\n"
	 "   711 9223375104123400 KTRGRAPH group:\"load\", id:\"x\", counter:1\n",
	 "# layout=ktrdump-text endian=- entries=2 cpus=1\n"
	 "[000] 9223375104123400 td=- -: KTRGRAPH group:\"load\", id:\"x\", counter:1\n"
	 "[000] 9223375104123456 td=- -: KTRGRAPH group:\"load\", id:\"x\", counter:2\n",
	 "counter"},
	/* A mail that quotes ktrdump -cq, with marks of two levels. */
	{"| >    1   1 newer 12\n"
	 "| >    0   0 older\n",
	 "# layout=ktrdump-text endian=- entries=2 cpus=2\n"
	 "[000] 0 td=- -: older\n"
	 "[001] 1 td=- -: newer 12\n",
	 "counter"},
	/* Indented in a mail, with a heading. */
	{"> \tindex  cpu timestamp        trace\n"
	 "> \t------ --- ---------------- ----- \n"
	 "> \t     2   0             2000 b\n"
	 "> \t     1   0             1000 a\n",
	 "# layout=ktrdump-text endian=- entries=2 cpus=1\n"
	 "[000] 1000 td=- -: a\n"
	 "[000] 2000 td=- -: b\n",
	 "counter"},
	/* tdump as its manual prints it. */
	{"     C Idx Delta-T  Trace\n"
	 "     = === ======== =====\n"
	 "     0 1a2\t 1f open: start fd=0x3\n"
	 "     1 07f\t 20 intr: done irq=e\n",
	 "# layout=tdump-text endian=- entries=2 cpus=2\n"
	 "[001] 0 td=- -: intr: done irq=e\n"
	 "[000] 32 td=- -: open: start fd=0x3\n",
	 "counter"},
	/* ddb /V: no place; an empty text. */
	{"db> show ktr/V\n"
	 "2 (0xfffff80003a55000:cpu1) 9223375104: newer: x\n"
	 "1 (0xfffff80003a54740:cpu0) 9223374204: \n"
	 "--- End of trace buffer ---\n",
	 "# layout=ddb-text endian=- entries=2 cpus=2\n"
	 "[000] 9223374204 td=0xfffff80003a54740 -: \n"
	 "[001] 9223375104 td=0xfffff80003a55000 -: newer: x\n",
	 "counter"},
	/* ddb /v of FreeBSD 5 with one CPU; without /v a number may begin the text. */
	{"102: 0000009300 ../../../kern/a.c.10\tswitch\n"
	 "101: 0000009200 ../../../kern/b.c.20\t\n"
	 "--- End of trace buffer ---\n",
	 "# layout=ddb-text endian=- entries=2 cpus=1\n"
	 "[000] 9200 td=- ../../../kern/b.c:20: \n"
	 "[000] 9300 td=- ../../../kern/a.c:10: switch\n",
	 "counter"},
	{"102: cpu1 0000009300 a b\n"
	 "101: cpu0 1 a\n"
	 "--- End of trace buffer ---\n",
	 "# layout=ddb-text endian=- entries=2 cpus=2\n"
	 "[000] 0 td=- -: 1 a\n"
	 "[001] 1 td=- -: 0000009300 a b\n",
	 "counter"},
	/* The same of DragonFly, and of the kernel of 2000 with a colon behind the time. */
	{"cpu1 5: 0000012345 kern/a.c.470\tname\tfrom(0xc1,0xc2) new\n"
	 "cpu0 4: 0000012340 kern/a.c.470\tname\tfrom(0xc1,0xc2) old\n",
	 "# layout=ddb-text endian=- entries=2 cpus=2\n"
	 "[000] 12340 td=- kern/a.c:470: name\tfrom(0xc1,0xc2) old\n"
	 "[001] 12345 td=- kern/a.c:470: name\tfrom(0xc1,0xc2) new\n",
	 "counter"},
	{"5: 1234.000150: cpu1 kern/a.c.470\tnew\n"
	 "4: 1234.000100: cpu0 kern/a.c.460\told\n",
	 "# layout=ddb-text endian=- entries=2 cpus=2\n"
	 "[000] 1234000100000 td=- kern/a.c:460: old\n"
	 "[001] 1234000150000 td=- kern/a.c:470: new\n",
	 "local"},
	/* tdump -v: five words before the text. */
	{"C Idx Delta-T  Trace\n"
	 "= === ======== =====\n"
	 "0 360       ff f07e5600 00000001 00000002 00000003 00000004 newest\n"
	 "0 35f       7e f07e5600 00000005 00000006 00000007 00000008 oldest\n",
	 "# layout=tdump-text endian=- entries=2 cpus=1\n"
	 "[000] 0 td=- -: oldest\n"
	 "[000] 126 td=- -: newest\n",
	 "counter"},
};

static void check_listing(const struct listing *l)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	const struct tdat_importer *im;
	struct collect c;
	char *got;

	collect_add_memory(&in, "list.txt", l->text, strlen(l->text));
	collect_init(&c);
	ck_assert_msg(collect_run(&c, "ktr", &in, NULL, &err) == TDAT_OK, "%s\n%s", err.message,
		      l->text);
	got = ktr_print_all(&c);
	ck_assert_msg(!strcmp(got, l->expected), "%s\n--- got\n%s--- expected\n%s", l->text, got,
		      l->expected);
	ck_assert_str_eq(c.clock, l->clock);
	ck_assert_msg(tdat_importer_probe(in.inputs, in.count, &im, &err) == TDAT_OK, "%s\n%s",
		      err.message, l->text);
	ck_assert_str_eq(im->name, "ktr");
	free(got);
	collect_fini(&c);
	collect_close(&in);
}

START_TEST(forms)
{
	check_listing(&listings[_i]);
}
END_TEST

START_TEST(raw_words)
{
	const struct listing *l = &listings[sizeof(listings) / sizeof(listings[0]) - 1];
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct collect c;
	struct tdat_span parms;

	collect_add_memory(&in, "list.txt", l->text, strlen(l->text));
	collect_init(&c);
	ck_assert(collect_run(&c, "ktr", &in, NULL, &err) == TDAT_OK);
	parms = collect_bytes(&c.events[0], "parms");
	ck_assert_uint_eq(parms.len, 48);
	ck_assert_uint_eq(parms.ptr[8], 5);
	ck_assert_uint_eq(parms.ptr[32], 8);
	collect_fini(&c);
	collect_close(&in);
}
END_TEST

/* Text that is none of these is left to others. */
START_TEST(strangers)
{
	static const char *const texts[] = {
		"# layout=ktrdump-text endian=- entries=4 cpus=2\n[001] 5 td=- -: x\n",
		"[    0.000000] Linux version 6.1\n[    0.000001] Command line\n",
		"hello\nworld\n",
		"cpu: 4\nmodel: 5\n",
		"12\n13\n14\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		struct collect_inputs in = {0};
		struct collect c;

		collect_add_memory(&in, "list.txt", texts[i], strlen(texts[i]));
		collect_init(&c);
		ck_assert_msg(collect_run(&c, "ktr", &in, NULL, &err) == TDAT_E_FORMAT, "%s",
			      texts[i]);
		ck_assert_uint_eq(tdat_importer_find("ktr")->probe(in.inputs, in.count), 0);
		collect_fini(&c);
		collect_close(&in);
	}
}
END_TEST

/* 100 ticks a second, 10 million cycles apart: 1 GHz. */
START_TEST(rate)
{
	static const char text[] =
		"index  cpu timestamp        trace\n"
		"------ --- ---------------- ----- \n"
		"     3   0         30000000 KTRGRAPH group:\"thread\", id:\"a tid 7\", "
		"point:\"statclock\", attributes: prio:40, stathz:100\n"
		"     2   1         21000000 KTRGRAPH group:\"thread\", id:\"b tid 8\", "
		"point:\"statclock\", attributes: prio:40, stathz:100\n"
		"     1   0         20000000 KTRGRAPH group:\"thread\", id:\"a tid 7\", "
		"point:\"statclock\", attributes: prio:40, stathz:100\n";
	static const char *const options[] = {"cpu-hz=auto", "graph", NULL};
	static const char *const given[] = {"cpu-hz=2000000000", NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct collect c;
	char buf[64];

	collect_add_memory(&in, "list.txt", text, sizeof(text) - 1);
	collect_init(&c);
	ck_assert(collect_run(&c, "ktr", &in, options, &err) == TDAT_OK);
	ck_assert_str_eq(collect_fact(&c, "cpu-hz"), "1000000000");
	ck_assert_str_eq(c.clock, "local");
	ck_assert_uint_eq(c.event_count, 6);
	ck_assert_uint_eq(c.events[0].ts, 20000000);
	ck_assert_int_eq(collect_int(&c.events[0], "common_pid"), 7);
	ck_assert_str_eq(c.events[1].format->name, "graph_point");
	ck_assert_str_eq(collect_string(&c.events[1], "point", buf, sizeof(buf)), "statclock");
	ck_assert_str_eq(collect_string(&c.events[1], "attributes", buf, sizeof(buf)),
			 "prio:40, stathz:100");
	ck_assert_uint_eq(c.comm_count, 2);
	ck_assert_str_eq(c.comms[0].key, "7");
	ck_assert_str_eq(c.comms[0].value, "a");
	collect_fini(&c);
	collect_init(&c);
	ck_assert(collect_run(&c, "ktr", &in, given, &err) == TDAT_OK);
	ck_assert_uint_eq(c.events[0].ts, 10000000);
	collect_fini(&c);
	collect_close(&in);
}
END_TEST

/* Who runs on a CPU, and why it left. */
START_TEST(sched)
{
	static const char text[] =
		"index  cpu timestamp        trace\n"
		"------ --- ---------------- ----- \n"
		"     4   0              500 KTRGRAPH group:\"thread\", id:\"b tid 8\", "
		"state:\"running\", attributes: prio:41\n"
		"     3   0              400 KTRGRAPH group:\"thread\", id:\"a tid 7\", "
		"state:\"sleep\", attributes: prio:40, wmesg:\"select\"\n"
		"     2   0              300 KTRGRAPH group:\"thread\", id:\"b tid 8\", "
		"state:\"runq add\", attributes: prio:41, linkedto:\"a tid 7\"\n"
		"     1   0              200 KTRGRAPH group:\"thread\", id:\"a tid 7\", "
		"state:\"running\", attributes: prio:40\n";
	static const char *const options[] = {"sched", NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct collect c;
	char buf[64];

	collect_add_memory(&in, "list.txt", text, sizeof(text) - 1);
	collect_init(&c);
	ck_assert(collect_run(&c, "ktr", &in, options, &err) == TDAT_OK);
	ck_assert_uint_eq(c.event_count, 7);
	ck_assert_str_eq(c.events[3].format->name, "sched_wakeup");
	ck_assert_int_eq(collect_int(&c.events[3], "common_pid"), 7);
	ck_assert_int_eq(collect_int(&c.events[3], "pid"), 8);
	ck_assert_str_eq(c.events[6].format->name, "sched_switch");
	ck_assert_int_eq(collect_int(&c.events[6], "prev_pid"), 7);
	ck_assert_int_eq(collect_int(&c.events[6], "prev_state"), 1);
	ck_assert_int_eq(collect_int(&c.events[6], "next_pid"), 8);
	ck_assert_int_eq(collect_int(&c.events[6], "next_prio"), 41);
	ck_assert_str_eq(collect_string(&c.events[6], "next_comm", buf, sizeof(buf)), "b");
	ck_assert(strstr(c.version, "synthesised"));
	collect_fini(&c);
	collect_close(&in);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ktr_text");
	TCase *t = tcase_create("listings");

	tcase_add_loop_test(t, forms, 0, sizeof(listings) / sizeof(listings[0]));
	tcase_add_test(t, raw_words);
	tcase_add_test(t, strangers);
	tcase_add_test(t, rate);
	tcase_add_test(t, sched);
	suite_add_tcase(s, t);
	return run_suite(s);
}
