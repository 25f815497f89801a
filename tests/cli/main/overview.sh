# SPDX-License-Identifier: GPL-2.0-or-later
# A file without a command: what it is, and what to ask.
# A capture has its own format and size. Without events, and without tdat-view, other commands are named.
# Expectation: by hand from tdat info and tdat stat; the commands are those that have rows for it.
cp "$FIXTURES/valid/i386-61-v7-buffers.dat" a.dat
"$TDAT" a.dat
"$TDAT" a.dat | grep -o 'tdat [a-z].*a.dat' | grep -v view >commands
while read -r line; do
	[ "$(eval "\"\$TDAT\" ${line#tdat }" 2>/dev/null | wc -l)" -gt 3 ] || echo "nothing: $line"
done <commands
head -c 30000 a.dat >cut.dat
"$TDAT" cut.dat | tail -n 5
"$TDAT" a.dat --json | jq -c '.[0] | [.events, .cpus, .damaged]'
cp "$FIXTURES/foreign/perf/s390x-ucall/perf.data" .
wc -c <perf.data
"$TDAT" perf.data | head -n 1
"$TDAT" perf.data --json | jq -c '.[0] | [.bytes, .version]'
"$TDAT" info --exact perf.data | grep -e Format -e Size
head -c 20000 "$FIXTURES/valid/x64-61-conv-v7-zstd.dat" >early.dat
("$TDAT" early.dat 2>/dev/null || :) | tail -n 2
"$TDAT" repair -q -o whole.dat early.dat 2>/dev/null || echo "exit $?"
"$TDAT" whole.dat | tail -n 2
"$TDAT" "$FIXTURES/valid/x64-lab612-latency-irqsoff-v7zstd.dat" | grep -o 'tdat [a-z]*'
mkdir bin && cp "$TDAT" bin/tdat
bin/tdat a.dat | grep -o 'tdat [a-z].*a.dat'
