# SPDX-License-Identifier: GPL-2.0-or-later
# One trigger of the recording, given on the command line: the kernel's own text of it.
# Expectation: compared here: with what the kernel said, tests/fixtures/hist/s390x-61-pause/hist.txt; the
# golden file is that text
f=$FIXTURES/hist/s390x-61-pause
"$TDAT" hist "$f/trace.dat" 'sched/sched_waking hist:keys=target_cpu,prio:sort=target_cpu,prio' >got
sed -n '/^### sched\/sched_waking/,$p' "$f/hist.txt" >want
cmp want got
cat got
