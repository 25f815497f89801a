# SPDX-License-Identifier: GPL-2.0-or-later
# The words and the order of ties of two kernels, of the same events.
# Expectation: made by tdat; the order by 6.1 is that of hist.txt, which that kernel made
f=$FIXTURES/hist/s390x-61-pause
cp "$f/trace.dat" pause.dat
for kernel in 6.1 6.12; do
	"$TDAT" hist --kernel $kernel pause.dat 'sched/sched_switch hist:keys=next_pid:vals=next_prio' |
		tee $kernel | sed -n '7,12p'
done
sed -n '/next_pid/,/^Totals/p' "$f/hist.txt" | sed -n '/^{/p' | sed '/prev_comm/,$d' >want
sed -n '/^{/p' 6.1 | cmp want - && echo as in hist.txt
"$TDAT" hist --kernel 6.1 --triggers pause.dat 'sched/sched_switch hist:keys=stacktrace'
"$TDAT" hist --kernel 6.12 --triggers pause.dat 'sched/sched_switch hist:keys=stacktrace'
"$TDAT" hist --kernel 6.12 --triggers pause.dat \
	'sched/sched_switch hist:keys=next_pid:vals=hitcount.percent,next_prio.graph:NOHC'
"$TDAT" hist --kernel 6.1 --triggers pause.dat \
	'sched/sched_switch hist:keys=next_pid:vals=hitcount.percent:NOHC'
