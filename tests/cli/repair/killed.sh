# SPDX-License-Identifier: GPL-2.0-or-later
# What a killed recorder leaves: the file up to its CPU data, and files of raw
# pages. Both joined, and the pages with another file's metadata, are the
# recording again.
# Expectation: compared here: the dump of the whole file with that of the joined pieces; the
# report is made by tdat
whole=$FIXTURES/valid/x64-61-v7-none-tiny.dat
"$TDAT" info --json "$whole" >info.json
jq -r '.[0].buffers[0] | .cpus[] | "\(.cpu) \(.offset) \(.bytes)"' info.json >extents
first=
while read -r cpu off len; do
	[ -n "$first" ] || first=$off
	tail -c +$((off + 1)) "$whole" | head -c "$len" >"trace.dat.cpu$cpu"
done <extents
[ -n "$first" ]
# The head ends before the section of the buffer.
section=$(jq -r '[.[0].sections[] | select(.id == 3) | .offset] | min' info.json)
head -c "$section" "$whole" >trace.dat
"$TDAT" repair -q -o a.dat trace.dat trace.dat.cpu* || echo "head: exit $?"
"$TDAT" repair -o b.dat --formats-from "$whole" trace.dat.cpu*
"$TDAT" dump "$whole" >want
for f in a b; do
	"$TDAT" check $f.dat
	"$TDAT" dump $f.dat >got
	cmp want got
done
# An instance by its name.
cp trace.dat.cpu0 trace.dat.foo.cpu0
"$TDAT" repair -q -o c.dat --formats-from "$whole" trace.dat.cpu* trace.dat.foo.cpu0
"$TDAT" info --json c.dat | jq -c '[.[0].buffers[].name]'
! "$TDAT" check trace.dat.cpu1
# Without formats CPU data is no trace.dat.
"$TDAT" repair -o d.dat trace.dat.cpu0
