# SPDX-License-Identifier: GPL-2.0-or-later
# Version 6 has no compression, so that both together are refused.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
cp "$FIXTURES/foreign/kmemtrace/le64_basic/cpu0.out" .
"$TDAT" convert --compression zstd --file-version 6 cpu0.out
