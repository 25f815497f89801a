# SPDX-License-Identifier: GPL-2.0-or-later
# What a file cannot give is said, and is no failure.
# Expectation: by hand
cp "$FIXTURES/hist/s390x-61-pause/trace.dat" pause.dat
cp "$FIXTURES/hist/x64-612-edge/trace.dat" edge.dat
"$TDAT" hist pause.dat 'sched/sched_switch hist:keys=stacktrace' | tail -n 4
"$TDAT" hist --kernel 6.12 edge.dat \
	'syscalls/sys_enter_openat hist:keys=dfd if filename ~ "/*"' \
	'syscalls/sys_exit_read hist:keys=ret:r=ret:onmax($r).snapshot()' | tail -n 8
