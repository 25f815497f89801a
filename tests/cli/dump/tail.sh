# SPDX-License-Identifier: GPL-2.0-or-later
# --tail prints the last lines of what is printed without it, also where lines depend on those before.
# Expectation: by hand, and tail of coreutils
for file in i386-61-v7-buffers s390x-61-v7-zstd-sched i386-61-fgraph x64-lab612-stack-v6-fgraph \
	x64-61-v6-tiny; do
	for n in 1 3 7 1000000; do
		"$TDAT" dump "$FIXTURES/valid/$file.dat" | grep -v ^cpus= | tail -n $n >want
		"$TDAT" dump --tail $n "$FIXTURES/valid/$file.dat" | grep -v ^cpus= >got
		cmp want got || echo "$file, $n"
	done
done
"$TDAT" dump -e sched_switch --cpu 1 "$FIXTURES/valid/s390x-61-v7-zstd-sched.dat" | tail -n 3 >want
"$TDAT" dump -e sched_switch --cpu 1 --tail 3 "$FIXTURES/valid/s390x-61-v7-zstd-sched.dat" | grep -v ^cpus= >got
cmp want got
"$TDAT" dump --tail 3 --head 3 "$FIXTURES/valid/x64-61-v6-tiny.dat"
