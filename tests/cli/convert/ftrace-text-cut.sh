# SPDX-License-Identifier: GPL-2.0-or-later
# A text that was cut within a line is damaged, and the piece of a line is no part of the event above.
# Expectation: by hand: the texts end where they are cut; a text that ends with a line is whole
head -c 2000 "$FIXTURES/foreign/ftrace-text/tgid/trace.txt" >cut.txt
tail -n 2 cut.txt
echo
"$TDAT" dump cut.txt | tail -n 1
"$TDAT" check cut.txt || echo "exit $?"
head -c 2500 "$FIXTURES/foreign/ftrace-text/graph"/* >graph.txt
tail -n 1 graph.txt
echo
"$TDAT" dump graph.txt | tail -n 1
head -n 20 "$FIXTURES/foreign/ftrace-text/tgid/trace.txt" >lines.txt
"$TDAT" check lines.txt
