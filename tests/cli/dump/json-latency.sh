# SPDX-License-Identifier: GPL-2.0-or-later
# A latency trace has no events for JSON.
# Expectation: made by tdat, proves only that nothing changed; exit status 1 is tdat(1)'s rule
cp "$FIXTURES/valid/x64-lab612-latency-irqsoff-v7zstd.dat" latency.dat
"$TDAT" dump --json latency.dat
