# SPDX-License-Identifier: GPL-2.0-or-later
# What is explained by default, of a task, at a time, in a window, and all together; wrong usage; a trace without
# switches.
# Expectation: made by tdat: the sentences; tests/analysis compares the segments with an oracle
f=$FIXTURES/valid/x64-61-conv-v7-zstd.dat
cp "$f" sched.dat
try() {
	echo "why $*"
	"$TDAT" why "$@" 2>&1 || echo "exit $?"
}
try sched.dat
try --task rcu_preempt --worst 2 --top 2 sched.dat
try --task 382 --from 64.8 --until 64.82 sched.dat
try --task 382 --from 64.8 --until 64.82 --csv sched.dat
try --at 65.04 sched.dat
try --at 65.04 --task 382 --of all sched.dat
try --at 65.04 --task 382 sched.dat
try --summary --top 3 sched.dat
try --summary --task work.sh --csv sched.dat
try --json --worst 1 --task work.sh --of wakeups sched.dat
try --task 382,work.sh sched.dat
try --worst 2 --summary sched.dat
try --at 65 --from 64 sched.dat
try --of all sched.dat
try --task nobody sched.dat
cp "$FIXTURES/valid/i386-61-function.dat" function.dat
try function.dat
for n in 1 3; do "$TDAT" why --json --task '*' --from 64 --until 66 --threads $n sched.dat >json.$n; done
cmp json.1 json.3
