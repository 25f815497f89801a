# SPDX-License-Identifier: GPL-2.0-or-later
# Latencies are printed as text and CSV.
# Expectation: made by tdat; that the numbers are right is what tests/analysis/latency.py compares
cp "$FIXTURES/valid/i386-61-v6-sched.dat" sched.dat
"$TDAT" latency --top 3 --worst 2 sched.dat
"$TDAT" latency --exact --top 1 --worst 1 sched.dat
"$TDAT" latency --table sched --by cpu --worst 0 --csv sched.dat
"$TDAT" latency --table thread_state --by state --pid 173 --from +50ms sched.dat
