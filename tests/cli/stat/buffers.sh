# SPDX-License-Identifier: GPL-2.0-or-later
cp "$FIXTURES/valid/i386-61-v7-buffers.dat" buffers.dat
"$TDAT" stat --top 5 buffers.dat
