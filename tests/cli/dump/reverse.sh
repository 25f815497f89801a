# SPDX-License-Identifier: GPL-2.0-or-later
# The option --reverse gives the same events in the opposite order.
# Expectation: compared here: lines with those of the forward dump; counts of lines are made by
# tdat
for f in i386-61-fgraph i386-61-v7-buffers x64-lab612-lost-v6; do
	"$TDAT" dump --json --text "$FIXTURES/valid/$f.dat" >forward
	"$TDAT" dump --json --text --reverse "$FIXTURES/valid/$f.dat" >backward
	tac forward | cmp - backward
	wc -l <backward
done
# The lines are made in order: a folded leaf stays folded, names are learnt as ever.
f=$FIXTURES/valid/i386-61-fgraph.dat
"$TDAT" dump "$f" | sed 1d | tac >want
"$TDAT" dump --reverse "$f" | sed 1d | cmp - want
"$TDAT" dump --reverse --limit 9 "$f" | sed 1d >got
head -n 9 want | cmp - got
ls | sort
