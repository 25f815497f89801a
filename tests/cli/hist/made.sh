# SPDX-License-Identifier: GPL-2.0-or-later
# Synthetic events are defined on the command line, made, and counted like others.
# Expectation: made by tdat; the sum at the end is that of the file's own synthetic events
f=$FIXTURES/hist/x64-612-edge
set -- --synth 'neg s64 v; long ret; int pid' "$f/trace.dat" \
	'syscalls/sys_exit_read hist:keys=common_pid:a=ret*3/4-1:onmax($a).trace(neg,$a,ret,common_pid)' \
	'synthetic/neg hist:keys=pid:vals=ret:sort=pid'
"$TDAT" hist --made "$@" | head -n 3
"$TDAT" hist "$@" | sed -n '/synthetic/,$p'
# Nothing makes it: the file's own ones are counted.
"$TDAT" hist "$f/trace.dat" 'synthetic/neg hist:keys=v.log2:vals=ret' | tail -n 4
