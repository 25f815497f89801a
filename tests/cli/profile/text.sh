# SPDX-License-Identifier: GPL-2.0-or-later
# Profiles are printed as text and CSV, but not as both JSON and CSV.
# Expectation: made by tdat; that the numbers are right is what tests/analysis/commands.py compares
cp "$FIXTURES/valid/i386-61-v6-sched.dat" sched.dat
"$TDAT" profile --top 2 sched.dat
"$TDAT" profile --csv --comm trace-cmd sched.dat
"$TDAT" profile --json --csv sched.dat 2>&1 || echo "exit $?"
