# SPDX-License-Identifier: GPL-2.0-or-later
# No trigger, and a way to print that is given twice.
# Expectation: by hand
cp "$FIXTURES/hist/x64-612-edge/trace.dat" edge.dat
"$TDAT" hist edge.dat || echo "status $?"
"$TDAT" hist --json --table x 'a/b hist:keys=c' || echo "status $?"
"$TDAT" hist --kernel six edge.dat 'a/b hist:keys=c'
