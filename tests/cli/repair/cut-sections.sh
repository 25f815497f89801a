# SPDX-License-Identifier: GPL-2.0-or-later
# Version 7, cut within the CPU data: the section says how much should follow, and the overview names
# the CPUs that are left.
# Expectation: by hand: the file lacks its second half, the data of one CPU
f=$FIXTURES/valid/x64-61-v7-none-tiny.dat
size=$(wc -c <"$f")
head -c "$((size * 6 / 10))" "$f" >cut.dat
"$TDAT" repair -o whole.dat cut.dat || echo "exit $?"
"$TDAT" repair --json -f -o whole.dat cut.dat | jq -c '.lost.missing_bytes, [.findings[].offset]'
"$TDAT" cut.dat 2>/dev/null | grep -e Time -e Events
# Version 6: the bytes that are missing are known, unless the table of a buffer is beyond the end.
"$TDAT" convert -q --file-version 6 -o v6.dat "$FIXTURES/valid/i386-61-v7-buffers.dat"
size=$(wc -c <v6.dat)
for part in 9 6; do
	head -c "$((size * part / 10))" v6.dat >cut.dat
	"$TDAT" repair -f -o whole.dat cut.dat 2>&1 | tail -n 1
done
