/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three command lines of each command. They stand in its help and at the beginning of its manual
 * page; tests/lint/options.sh compares the two, tests/corpus/examples.sh runs them.
 */
#include "args/examples.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *command;
	const char *const lines[CLI_EXAMPLES];
} list[] = {
	{"info",
	 {"tdat info trace.dat", "tdat info --count trace.dat", "tdat info --json trace.dat"}},
	{"check",
	 {"tdat check trace.dat", "tdat check --verbose trace.dat", "tdat check --json trace.dat"}},
	{"list",
	 {"tdat list trace.dat", "tdat list --fields trace.dat 'sched:*'",
	  "tdat list trace.dat sched:sched_switch"}},
	{"dump",
	 {"tdat dump --head 20 trace.dat", "tdat dump -e sched_switch --cpu 0-1 trace.dat",
	  "tdat dump --from +1ms --until +2ms --json trace.dat"}},
	{"report",
	 {"tdat report -l -N trace.dat",
	  "tdat report --compat debian12 -F 'sched_switch: next_pid == 1' trace.dat",
	  "tdat report --first-event --last-event trace.dat"}},
	{"view",
	 {"tdat view --no-browser --port 8000 trace.dat",
	  "tdat view -o report.html --from +1ms --until +2ms trace.dat",
	  "tdat view --svg -o picture.svg trace.dat"}},
	{"stat",
	 {"tdat stat trace.dat", "tdat stat --by comm,event trace.dat",
	  "tdat stat --cpu 0-1 --json trace.dat"}},
	{"latency",
	 {"tdat latency trace.dat", "tdat latency --by comm,waker_comm trace.dat",
	  "tdat latency --table thread_state --by comm,state trace.dat"}},
	{"why",
	 {"tdat why trace.dat", "tdat why --task sh --worst 3 trace.dat",
	  "tdat why --summary --task sh trace.dat"}},
	{"profile",
	 {"tdat profile trace.dat", "tdat profile --cpu 0 trace.dat",
	  "tdat profile --csv trace.dat"}},
	{"diff",
	 {"tdat diff before.dat after.dat",
	  "tdat diff --a '--until +50ms' --b '--from +50ms' trace.dat",
	  "tdat diff --fail-on wakeup.p99:10% 'before/*.dat' 'after/*.dat'"}},
	{"flame",
	 {"tdat flame -o flame.svg trace.dat", "tdat flame --of kernel-stack --by-task trace.dat",
	  "tdat flame -o flame.json trace.dat"}},
	{"hist",
	 {"tdat hist trace.dat 'sched/sched_switch hist:keys=next_comm'",
	  "tdat hist --table trace.dat 'sched/sched_switch hist:keys=prev_state'",
	  "tdat hist --json trace.dat 'sched/sched_wakeup hist:keys=pid if prio < 100'"}},
	{"sql",
	 {"tdat sql trace.dat 'SELECT comm, count(*) FROM events GROUP BY 1'",
	  "tdat sql --csv trace.dat 'SELECT ts, next_comm FROM sched_switch LIMIT 10'",
	  "tdat sql --file questions.sql trace.dat"}},
	{"repair",
	 {"tdat repair -o whole.dat trace.dat", "tdat repair --json -o whole.dat trace.dat",
	  "tdat repair -o whole.dat --formats-from other.dat trace.dat.cpu*"}},
	{"split",
	 {"tdat split -o part.dat --exact --from +1ms --until +2ms trace.dat",
	  "tdat split -r -s 60 trace.dat",
	  "tdat split -o task.dat --exact --shrink --pid 1 trace.dat"}},
	{"merge",
	 {"tdat merge -o both.dat trace.dat guest.dat", "tdat merge --align -o all.dat a.dat b.dat",
	  "tdat merge -o all.dat a.dat b.dat --ts-offset 2000000"}},
	{"convert",
	 {"tdat convert --file-version 6 -o old.dat trace.dat",
	  "tdat convert --file-version 7 --compression zstd -o small.dat trace.dat",
	  "tdat convert --from kmemtrace -o kmem.dat capture/"}},
	{"export",
	 {"tdat export --to parquet -o tables trace.dat",
	  "tdat export --to perfetto -o trace.pftrace trace.dat",
	  "tdat export --table events --column ts --column comm -o x.arrow trace.dat"}},
	{"user-events",
	 {"tdat user-events format 'test u32 count'",
	  "tdat user-events status user_events_status page.bin",
	  "tdat user-events record -o out.dat --enable 'db_*' -- ./server --port 80"}},
};

const char *const *cli_examples(const char *command)
{
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (!strcmp(list[i].command, command))
			return list[i].lines;
	return NULL;
}
