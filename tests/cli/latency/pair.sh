# SPDX-License-Identifier: GPL-2.0-or-later
# The option --pair makes a table of pairs of events.
# Expectation: by hand; the numbers of the first are those of the table softirq, compared here
f=$FIXTURES/valid/s390x-61-v7-zstd-sched.dat
run() {
	"$TDAT" latency --table mine --pair "$@" "$f" 2>&1 || echo "exit $?"
}
run 'mine: irq/softirq_entry(CPU,vec) -> irq/softirq_exit(CPU,vec)' --by vec --csv | cut -d, -f3- |
	sort >mine
"$TDAT" latency --table softirq --by vec --csv "$f" | cut -d, -f3- | sort >table
cmp mine table && echo same
"$TDAT" latency --pair 'irq/softirq_entry(CPU,vec) -> irq/softirq_exit(CPU,vec)' --by vec --csv "$f" |
	cut -d, -f3- | sort >nameless
cmp nameless table && echo same
# An event of both types ends an interval, then begins the next one.
"$TDAT" latency --table sched --by cpu --csv "$f" 2>/dev/null | sed -n 's/.*,dur,//p' >table
run 'mine: sched/sched_switch(CPU) -> sched/sched_switch(CPU)' --by cpu --csv |
	sed -n 's/.*,dur,//p' >mine
[ -s mine ]
cmp mine table && echo same
run 'mine irq/softirq_entry(vec) -> irq/softirq_exit(vec)'
run 'mine: softirq_entry(vec) -> irq/softirq_exit(vec)'
run 'mine: irq/softirq_entry(vec) irq/softirq_exit(vec)'
run 'mine: irq/softirq_entry(vec) -> irq/softirq_exit()'
run 'mine: irq/softirq_entry(nothing) -> irq/softirq_exit(vec)'
run 'mine: irq/nothing(vec) -> irq/softirq_exit(vec)'
run 'mine: irq/softirq_entry(a,b,c,d) -> irq/softirq_exit(vec)'
run 'mine: irq/softirq_entry(vec) if vec == -> irq/softirq_exit(vec)'
run 'sched: irq/softirq_entry(vec) -> irq/softirq_exit(vec)'
