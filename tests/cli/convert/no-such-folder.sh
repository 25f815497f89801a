# SPDX-License-Identifier: GPL-2.0-or-later
cp "$FIXTURES/foreign/kmemtrace/le64_basic/cpu0.out" .
"$TDAT" convert -o missing/out.dat cpu0.out
