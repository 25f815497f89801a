# SPDX-License-Identifier: GPL-2.0-or-later
# Without the events that a table needs: which they are, what the trace has, how to record them, and
# exit status 1. Where the options left none: 0.
# Expectation: by hand: the events are those of docs/analysis.md, the numbers those of tdat stat
f=$FIXTURES/valid
cd "$f" || exit
try() {
	echo "$*"
	"$TDAT" "$@" 2>&1 >/dev/null && echo "exit 0" || echo "exit $?"
}
try latency i386-61-function.dat
try latency --table block_io --table syscall --json i386-61-v6-sched.dat
try latency --cpu 99 i386-61-v6-sched.dat
try latency --pid 999999 i386-61-v6-sched.dat
# An interval that is open at the end has a moment after it, but no length.
try latency --from +500s i386-61-v6-sched.dat
try flame i386-61-v6-sched.dat
try flame --of function i386-61-function.dat
try export --to csv --table wakeup -o - i386-61-function.dat
try export --to csv --table wakeup --cpu 99 -o - i386-61-v6-sched.dat
try stat --kmem i386-61-function.dat
try profile i386-61-markers.dat
# Events that the trace has and the option leaves out: 1, too.
try latency -e sched_switch i386-61-v6-sched.dat
try profile -e sched_wakeup i386-61-v6-sched.dat
try latency --pid 999999 -e sched_switch,sched_wakeup i386-61-v6-sched.dat
