# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks are given out as folded text, SVG and JSON; sources that a file lacks are reported.
# Expectation: made by tdat; that the sums are right is what tests/analysis/commands.py compares
f=$FIXTURES/valid/arm64-16k-612-kstack.dat
"$TDAT" flame "$f" | head -n 2
"$TDAT" flame --by-task "$f" | head -n 1
"$TDAT" flame --to svg "$f" | grep -c '<g data-x'
"$TDAT" flame --of user-stack "$f" 2>&1 || echo "exit $?"
"$TDAT" flame --of nothing "$f" 2>&1 || echo "exit $?"
