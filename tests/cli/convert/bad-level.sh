# SPDX-License-Identifier: GPL-2.0-or-later
# A level that a compression does not have is wrong usage.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
cp "$FIXTURES/foreign/kmemtrace/le64_basic/cpu0.out" .
"$TDAT" convert --compression zlib --level 10 cpu0.out || echo $?
"$TDAT" convert --compression zlib --level -1 cpu0.out || echo $?
"$TDAT" convert --compression zstd --level -8 cpu0.out || echo $?
"$TDAT" convert --compression zstd --level 23 cpu0.out
