# SPDX-License-Identifier: GPL-2.0-or-later
# A latency trace has no events to count.
# Expectation: made by tdat, proves only that nothing changed
cp "$FIXTURES/valid/x64-lab612-latency-irqsoff-v7zstd.dat" latency.dat
"$TDAT" stat latency.dat
