# SPDX-License-Identifier: GPL-2.0-or-later
cp "$FIXTURES/foreign/kmemtrace/le64_basic/cpu0.out" .
"$TDAT" convert --compression zstd --file-version 6 cpu0.out
