# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel would reject is refused with its error_log, all of it at once, and nothing is read.
# Expectation: from the kernel: lines before "tdat:", tests/fixtures/hist/x64-612-edge/refused.txt; by hand: the
# others
"$TDAT" hist "$FIXTURES/hist/x64-612-edge/trace.dat" \
	'syscalls/sys_exit_read hist:keys=ret:x=ret+1+2+3+4' \
	'syscalls/sys_exit_read hist:keys=ret if nosuch == 1' \
	'syscalls/sys_exit_read hist:keys=ret:size=64' \
	'syscalls/sys_exit_read stacktrace' 'sched/nosuch hist:keys=pid' 'hist:keys=pid' || echo "exit $?"
# Of a text the kernel groups the address, which differs from run to run.
for key in prev_comm.log2 next_comm.buckets=4; do
	"$TDAT" hist "$FIXTURES/valid/i386-61-v6-sched.dat" "sched/sched_switch hist:keys=$key" || echo "exit $?"
done
