/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints explanations as sentences and as CSV. The first line of an explanation names the task and
 * the time. A line for each cause follows, with its time and share, the largest first, and then the
 * commands that show the events.
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

/* A sum counts the tasks with one name together: is_many. */
struct task {
	const char *comm;
	int32_t pid;
	bool is_many;
};

static void put_task(const struct task *t)
{
	cli_put_str(stdout, t->comm ? t->comm : t->is_many ? "the tasks" : "<...>");
	if (!t->is_many)
		printf("-%" PRId32, t->pid);
}

/*
 * The sentences of a kind; web/why.js has the same. %w is the task that waited, %b the task that it
 * waited for. A cause has the sentence by if %b is known, otherwise alone. A wait between the cause
 * and the task of the interval has the sentence via.
 */
#define HAD_CPU "%b had the CPU that %w waited for"
#define VIRTUAL_CPU "%b is the virtual CPU that %w waited for" /* of a guest */
#define WOKE(how) "%b ran before it " how, "%b later " how
#define WOKE_FROM(wait) WOKE("woke %w from " wait)
static const struct sentences {
	const char *kind, *by, *via, *alone;
} all_sentences[] = {
	{"running", "%b ran", "%b is the virtual CPU of %w", "%w ran"},
	{"runnable", HAD_CPU, HAD_CPU, "another task had the CPU that %w waited for"},
	{"migration", "%b moved %w to another CPU", "%w waited for %b", "%w moved to another CPU"},
	{"irq", NULL, VIRTUAL_CPU, "an interrupt ran on the CPU of %w"},
	{"softirq", NULL, VIRTUAL_CPU, "a softirq ran on the CPU of %w"},
	{"idle_exit", NULL, VIRTUAL_CPU, "the CPU of %w had to leave an idle state"},
	{"lock", WOKE_FROM("a wait for a lock"), "%w waited for a lock"},
	{"futex", WOKE_FROM("a wait for a futex"), "%w waited for a futex"},
	{"pipe", WOKE_FROM("a wait for a pipe"), "%w waited for a pipe"},
	{"signal", WOKE("sent a signal to %w"), "%w waited for a signal"},
	{"page_fault", WOKE_FROM("a page fault"), "%w waited for a page"},
	{"block_io", WOKE_FROM("a wait for block I/O"), "%w waited for block I/O"},
	{"network", WOKE_FROM("a wait for the network"), "%w waited for the network"},
	{"timer", WOKE_FROM("a sleep"), "%w waited for a timer"},
	{"blocked", WOKE("woke %w"), "%w waited for an interrupt"},
	{"unknown", NULL, VIRTUAL_CPU, "the cause is unknown for %w"},
};
enum { SENTENCES = sizeof(all_sentences) / sizeof(all_sentences[0]) };

static const struct sentences *sentences_of(const char *kind)
{
	size_t i = 0;

	while (i + 1 < SENTENCES && strcmp(all_sentences[i].kind, kind) != 0)
		i++;
	return &all_sentences[i];
}

/* what: a detail, such as the lock, or the reason why the cause is unknown; or NULL. */
static void put_sentence(const char *text, const struct task *waiter, const struct task *by,
			 const char *what)
{
	for (const char *at; (at = strchr(text, '%')); text = at + 2) {
		fwrite(text, 1, (size_t)(at - text), stdout);
		put_task(at[1] == 'w' ? waiter : by);
	}
	fputs(text, stdout);
	if (!what)
		return;
	fputs(" (", stdout);
	cli_put_str(stdout, what);
	putchar(')');
}

/* The task that waits in wait number i of the chain of waits of a cause. */
static struct task waiter_of(const struct tdat_why_interval *in, const struct tdat_why_cause *c,
			     size_t i, bool summary)
{
	return i ? (struct task){c->via[i - 1].by_comm, c->via[i - 1].by_pid, summary}
		 : (struct task){in->comm, in->pid, in->is_many};
}

/* A cause, then the waits that lead from it to the task of the interval. */
static void put_cause(const struct tdat_why_interval *in, const struct tdat_why_cause *c,
		      bool summary)
{
	const struct sentences *const s = sentences_of(c->kind);
	struct task by = {c->by_comm, c->by_pid, c->is_many};
	struct task waiter = waiter_of(in, c, c->via_count, summary);

	put_sentence(c->has_by && s->by ? s->by : s->alone, &waiter, &by, c->what);
	for (size_t i = c->via_count; i--;) {
		const struct tdat_why_link *l = &c->via[i];

		by = waiter;
		waiter = waiter_of(in, c, i, summary);
		fputs("; ", stdout);
		put_sentence(sentences_of(l->kind)->via, &waiter, &by,
			     strcmp(l->kind, "running") != 0 ? l->what : NULL);
	}
}

/* The task, the length and the time of an interval. */
static void put_first(const struct tdat_summary *s, const struct tdat_why_interval *in,
		      const struct why_text *how)
{
	char dur[CLI_UNIT_ROOM];

	if (in->is_many && !in->comm)
		fputs("Tasks", stdout);
	else
		put_task(&(struct task){in->comm, in->pid, in->is_many});
	printf(" %s %s", how->of == TDAT_EXPLAIN_ALL ? "spent" : "waited",
	       time_text(dur, s, in->dur, how->exact));
	if (how->of == TDAT_EXPLAIN_WAKEUPS)
		fputs(" for a CPU", stdout);
	if (how->summary && how->of != TDAT_EXPLAIN_ALL)
		printf(" in %" PRIu64 " %s", in->count,
		       how->of == TDAT_EXPLAIN_WAKEUPS ? "wakeups" : "task states");
	printf(" from %s to %s%s\n", in->at, in->until, in->cause_count ? ":" : "");
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
		put_cause(in, c, how->summary);
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
