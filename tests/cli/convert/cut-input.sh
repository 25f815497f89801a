# SPDX-License-Identifier: GPL-2.0-or-later
# A cut trace.dat is not copied: nothing is written, and the complaint names tdat repair.
# Expectation: by hand
head -c 30000 "$FIXTURES/valid/x64-61-v6-tiny.dat" >cut.dat
"$TDAT" convert -o out.dat cut.dat || echo "exit $?"
[ ! -e out.dat ]
