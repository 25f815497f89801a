# SPDX-License-Identifier: GPL-2.0-or-later
# Words in another order, names in another form: the complaint says how they are written.
# Expectation: by hand: each complaint names the form that the manual page has
cp "$FIXTURES/valid/i386-61-v6-sched.dat" a.dat
cp "$FIXTURES/foreign/ftrace-text/tgid/trace.txt" tr.txt
try() {
	"$TDAT" "$@" 2>&1 || echo "exit $?"
}
try sql 'SELECT 1' a.dat
try hist 'sched/sched_switch hist:keys=next_pid' a.dat
try convert tr.txt tr.dat
try dump -F sched:sched_switch a.dat
try dump -F 'prev_pid > 0' a.dat
try dump -F 'sched:sched_switch: prev_pid > 0' a.dat
try latency --table sched_wakeup a.dat
