# SPDX-License-Identifier: GPL-2.0-or-later
# -o names a file, whose end says the form; what exists, and an input, are kept.
# Expectation: by hand
cp "$FIXTURES/valid/i386-61-fgraph.dat" a.dat
for form in svg json txt; do
	"$TDAT" flame -o out.$form a.dat
done
"$TDAT" flame --to svg a.dat | cmp - out.svg
"$TDAT" flame --to speedscope a.dat | cmp - out.json
"$TDAT" flame a.dat | cmp - out.txt
"$TDAT" flame -o out.svg a.dat || echo "exit $?"
"$TDAT" flame -f -o out.svg a.dat
"$TDAT" flame --to svg -f -o a.dat a.dat || echo "exit $?"
cmp a.dat "$FIXTURES/valid/i386-61-fgraph.dat"
# A trace without stacks makes no file, and keeps an old one.
cp out.svg old.svg
for out in new.svg old.svg; do
	"$TDAT" flame -f -o $out "$FIXTURES/valid/i386-61-v6-sched.dat" && echo "exit 0"
done
cmp out.svg old.svg
ls -A
