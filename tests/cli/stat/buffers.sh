# SPDX-License-Identifier: GPL-2.0-or-later
# Statistics have a part for each buffer instance.
# Expectation: made by tdat, proves only that nothing changed
cp "$FIXTURES/valid/i386-61-v7-buffers.dat" buffers.dat
"$TDAT" stat --top 5 buffers.dat
