# SPDX-License-Identifier: GPL-2.0-or-later
# A filter that looks at names of tasks changes none of them: the names that events teach
# count from the first name that is looked up, also by a filter that drops the event.
# Expectation: trace-cmd, run here, prints the same
set -eu
for f in s390x-61-v6-sched x64-61-clock-x86-tsc x64-lab612-stack-v6-fgraph x64-lab612-trace-printk; do
	for filter in 'sched_switch: COMM !~ "rcu."' 'sched_switch: COMM !~ "rcu" || prev_pid < 10' \
		'sched_switch: next_pid > 100 && COMM !~ "rcu"' '.*: COMM !~ "^sh"'; do
		trace-cmd report -F "$filter" "$FIXTURES/valid/$f.dat" >want 2>/dev/null
		"$TDAT" dump --compat debian12 -F "$filter" "$FIXTURES/valid/$f.dat" >got
		cmp want got || echo "$f: $filter"
	done
done
