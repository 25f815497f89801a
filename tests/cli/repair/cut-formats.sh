# SPDX-License-Identifier: GPL-2.0-or-later
# Of a file that is cut before it tells where its events are, nobody knows how many are lost.
# Expectation: by hand: no count is claimed, neither as text nor as JSON; where one is known, it is
for n in 18000 21000; do
	head -c $n "$FIXTURES/valid/x64-61-v6-tiny.dat" >cut.dat
	"$TDAT" repair -f -o fixed.dat cut.dat || echo "status $?"
	"$TDAT" repair -f --json -o fixed.dat cut.dat | jq -c '[.lost.events_unknown, .complete]'
done
head -c 30000 "$FIXTURES/valid/x64-61-v6-tiny.dat" >cut.dat
"$TDAT" repair -f --json -o fixed.dat cut.dat | jq -c '[.lost.events_unknown, .complete]'
