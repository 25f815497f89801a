# SPDX-License-Identifier: GPL-2.0-or-later
# The option --by counts events by values of columns.
# Expectation: made by tdat; that the numbers are right is what tests/analysis/commands.py compares
f=$FIXTURES/valid/i386-61-v6-sched.dat
"$TDAT" stat --by cpu "$f"
"$TDAT" stat --by prev_comm,prev_state_name --sum next_prio --top 3 "$f"
"$TDAT" stat --by cpu --csv "$f"
"$TDAT" stat --by nothing "$f" 2>&1 || echo "exit $?"
"$TDAT" stat --sum pid "$f" 2>&1 || echo "exit $?"
"$TDAT" stat --by cpu,cpu "$f" 2>&1 || echo "exit $?"
