/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints explanations as sentences and as CSV. The first line of each has its time and its greatest
 * cause, then a line for each cause with its time and share, the largest first, and the commands
 * that show the events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands/summary_text.h"
#include "output/csv_text.h"
#include "core/build.h"
#include "core/text.h"
#include "terminal/safe_text.h"
#include "terminal/units.h"

/* How long, in the unit of the trace. */
static const char *time_text(char buf[CLI_UNIT_ROOM], const struct tdat_summary *s, int64_t dur,
			     bool exact)
{
	return (tdat_summary_seconds(s) ? cli_unit_ns : cli_unit_count)(buf, (uint64_t)dur, exact);
}

static void put_task(const char *comm, int32_t pid, bool is_many)
{
	cli_put_str(stdout, comm ? comm : "<...>");
	if (!is_many)
		printf("-%" PRId32, pid);
}

/* A text of the trace behind others; nothing where it is null. */
static void put_what(const char *before, const char *what, const char *behind)
{
	if (!what)
		return;
	fputs(before, stdout);
	cli_put_str(stdout, what);
	fputs(behind, stdout);
}

/* What is said of a kind: before the task that it is by, and behind. */
static const struct {
	const char *kind, *by, *alone;
} sayings[] = {
	{"running", "%s ran", "it ran"},
	{"runnable", "%s had the CPU", "another task had the CPU"},
	{"migration", "%s sent it to another CPU", "it went to another CPU"},
	{"irq", NULL, "an interrupt had the CPU"},
	{"softirq", NULL, "a softirq had the CPU"},
	{"idle_exit", NULL, "its CPU had to leave an idle state"},
	{"lock", "%s ran and had the lock", "it waited for a lock"},
	{"futex", "%s ran before it gave the futex", "it waited for a futex"},
	{"pipe", "%s, at the other end of the pipe, ran", "it waited for a pipe"},
	{"signal", "%s ran before it sent the signal", "it waited for a signal"},
	{"page_fault", "%s ran before it ended the page fault", "it waited for a page"},
	{"block_io", "%s ran before it ended the I/O", "it waited for block I/O"},
	{"network", "%s ran before it sent on the network", "it waited for the network"},
	{"timer", "%s ran before it ended the sleep", "it waited for a timer"},
	{"blocked", "%s ran before it woke it", "it waited for an interrupt"},
	{"unknown", NULL, "unknown"},
};
enum { SAYINGS = sizeof(sayings) / sizeof(sayings[0]) };

static void put_saying(const struct tdat_why_cause *c)
{
	const char *const kind = c->kind;
	size_t i = 0;
	const char *text, *at;

	while (i < SAYINGS && strcmp(sayings[i].kind, kind) != 0)
		i++;
	text = i == SAYINGS ? kind : c->has_by && sayings[i].by ? sayings[i].by : sayings[i].alone;
	at = strstr(text, "%s");
	if (!at) {
		fputs(text, stdout);
		return;
	}
	fwrite(text, 1, (size_t)(at - text), stdout);
	put_task(c->by_comm, c->by_pid, c->is_many);
	fputs(at + 2, stdout);
}

/* A cause: what happened at the end, and through whom. */
static void put_cause(const struct tdat_why_cause *c, bool summary)
{
	put_saying(c);
	put_what(strcmp(c->kind, "unknown") != 0 ? " (" : ": ", c->what,
		 strcmp(c->kind, "unknown") != 0 ? ")" : "");
	for (size_t i = c->via_count; i--;) {
		const struct tdat_why_link *l = &c->via[i];

		fputs(i + 1 == c->via_count ? "; so waited " : ", for which waited ", stdout);
		put_task(l->by_comm, l->by_pid, summary);
		if (!strcmp(l->kind, "running")) {
			fputs(", its virtual CPU", stdout);
			continue;
		}
		printf(", by %s", l->kind);
		put_what(" (", l->what, ")");
	}
}

/* Who, how long, when, and the greatest cause. */
static void put_first(const struct tdat_summary *s, const struct tdat_why_interval *in,
		      const struct why_text *how)
{
	char dur[CLI_UNIT_ROOM], share[CLI_UNIT_ROOM];

	if (in->is_many && !in->comm)
		fputs("Tasks", stdout);
	else
		put_task(in->comm, in->pid, in->is_many);
	printf(how->of == TDAT_EXPLAIN_ALL	 ? ": %s"
	       : how->of == TDAT_EXPLAIN_WAKEUPS ? " waited %s for the CPU"
						 : " waited %s",
	       time_text(dur, s, in->dur, how->exact));
	printf(" from %s to %s", in->at, in->until);
	if (how->summary && how->of != TDAT_EXPLAIN_ALL)
		printf(", in %" PRIu64 " %s", in->count,
		       how->of == TDAT_EXPLAIN_WAKEUPS ? "wakeups" : "parts");
	if (in->cause_count) {
		printf(": %s %s",
		       cli_unit_share(share, (uint64_t)in->causes[0].dur, (uint64_t)in->dur),
		       strcmp(in->causes[0].kind, "unknown") != 0 ? "because " : "");
		put_cause(&in->causes[0], how->summary);
	}
	putchar('\n');
}

static void put_causes(const struct tdat_summary *s, const struct tdat_why_interval *in,
		       const struct why_text *how)
{
	const size_t most =
		how->top && how->top < in->cause_count ? (size_t)how->top : in->cause_count;
	char dur[CLI_UNIT_ROOM], share[CLI_UNIT_ROOM];
	int64_t rest = 0;

	for (size_t i = 0; i < in->cause_count; i++) {
		const struct tdat_why_cause *c = &in->causes[i];

		if (i >= most) {
			rest += c->dur;
			continue;
		}
		printf("  %8s  %7s  ", time_text(dur, s, c->dur, how->exact),
		       cli_unit_share(share, (uint64_t)c->dur, (uint64_t)in->dur));
		if (how->summary)
			printf("%6" PRIu64 "x  ", c->count);
		put_cause(c, how->summary);
		putchar('\n');
	}
	if (most < in->cause_count)
		printf("  %8s  %7s  %zu more causes: --top 0 prints all\n",
		       time_text(dur, s, rest, how->exact),
		       cli_unit_share(share, (uint64_t)rest, (uint64_t)in->dur),
		       in->cause_count - most);
}

bool why_text(const struct tdat_summary *s, const struct why_text *how)
{
	const struct tdat_why_interval *in;

	for (size_t i = 0; (in = tdat_why_interval(s, i)); i++) {
		if (i)
			putchar('\n');
		put_first(s, in, how);
		put_causes(s, in, how);
		if (how->summary)
			continue;
		fputs("  ", stdout);
		cli_put_str(stdout, in->dump);
		printf("\n  tdat view -o why.html");
		cli_put_str(stdout, in->dump + strlen("tdat dump"));
		putchar('\n');
	}
	return true;
}

/* ---- CSV ---- */

static void csv(const char *text)
{
	putchar(',');
	cli_csv_text(text ? tdat_span_of(text) : (struct tdat_span){NULL, 0});
}

static void csv_by(bool has_by, int32_t pid, const char *comm)
{
	if (has_by)
		printf(",%" PRId32, pid);
	else
		putchar(',');
	csv(comm);
}

static void csv_segment(size_t number, const struct tdat_why_segment *g)
{
	printf("%zu,%" PRId64 ",%" PRId64 ",%" PRIu32 ",%" PRId32, number, g->ts, g->dur, g->depth,
	       g->pid);
	csv(g->comm);
	if (g->cpu >= 0)
		printf(",%" PRId64, g->cpu);
	else
		putchar(',');
	csv(g->kind);
	csv_by(g->has_by, g->by_pid, g->by_comm);
	csv(g->what);
	csv(g->state);
	putchar('\n');
}

/* The chain, the outermost wait first: "lock owner;blocked worker". */
static void csv_via(const struct tdat_why_cause *c)
{
	struct tdat_build b;

	tdat_build_init(&b, false);
	for (size_t i = 0; i < c->via_count; i++) {
		tdat_build_str(&b, i ? ";" : "");
		tdat_build_str(&b, c->via[i].kind);
		tdat_build_u8(&b, ' ');
		tdat_build_str(&b, c->via[i].by_comm ? c->via[i].by_comm : "");
	}
	putchar(',');
	cli_csv_text((struct tdat_span){b.ptr, b.failed ? 0 : b.len});
	putchar('\n');
	tdat_build_fini(&b);
}

void why_csv(const struct tdat_summary *s, bool causes)
{
	const struct tdat_why_interval *in;

	puts(causes ? "interval,dur,count,kind,by_pid,by_comm,what,via"
		    : "interval,ts,dur,depth,pid,comm,cpu,kind,by_pid,by_comm,what,state");
	for (size_t i = 0; (in = tdat_why_interval(s, i)); i++) {
		for (size_t k = 0; k < in->segment_count && !causes; k++)
			csv_segment(i + 1, &in->segments[k]);
		for (size_t k = 0; k < in->cause_count && causes; k++) {
			const struct tdat_why_cause *c = &in->causes[k];

			printf("%zu,%" PRId64 ",%" PRIu64, i + 1, c->dur, c->count);
			csv(c->kind);
			csv_by(c->has_by && !c->is_many, c->by_pid, c->by_comm);
			csv(c->what);
			csv_via(c);
		}
	}
}
