# SPDX-License-Identifier: GPL-2.0-or-later
# enable_hist and disable_hist: events of one type switch the histograms of another.
# Expectation: by hand: hits counted in the lines of tdat dump; lines of triggers are those of
# event_enable_trigger_print() of Linux
f=$FIXTURES/hist/s390x-61-pause
set -- "$f/trace.dat" 'sched/sched_switch hist:keys=next_pid:pause' \
	'sched/sched_waking enable_hist:sched:sched_switch:1 if prio < 120' \
	'sched/sched_waking hist:keys=prio'
"$TDAT" hist --triggers "$@"
"$TDAT" hist "$@" | grep -A 1 -e Hits -e '^###'
"$TDAT" dump -e sched_switch -e sched_waking "$f/trace.dat" |
	awk '/sched_waking/ && / prio=0 / { on = 1 } /sched_switch/ && on { n++ } END { print n + 0 " switches" }'
