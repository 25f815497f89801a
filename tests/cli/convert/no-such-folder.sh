# SPDX-License-Identifier: GPL-2.0-or-later
# An output in a folder that is missing is a failure.
# Expectation: made by tdat, proves only that nothing changed; exit status 1 for what failed is
# tdat(1)'s rule
cp "$FIXTURES/foreign/kmemtrace/le64_basic/cpu0.out" .
"$TDAT" convert -o missing/out.dat cpu0.out
