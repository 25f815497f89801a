# SPDX-License-Identifier: GPL-2.0-or-later
# Two recordings of different machines, as text, as Markdown and the first change as JSON.
# Expectation: made by tdat; tests/analysis/diff.py has an oracle of the numbers
cp "$FIXTURES/valid/i386-61-v6-sched.dat" before.dat
cp "$FIXTURES/valid/s390x-61-v7-zstd-sched.dat" after.dat
"$TDAT" diff before.dat after.dat
"$TDAT" diff --markdown --min-change 60% before.dat after.dat
"$TDAT" diff --json before.dat after.dat | jq -c '.changes[] | select(.what == "switches.rate") | keys'
"$TDAT" diff --json before.dat after.dat | jq -c '{a, b, n: (.changes | length), unchanged, too_few, left_out, others, one_side}'
# A file does not differ from itself, nor from two copies of it.
"$TDAT" diff before.dat before.dat
cp before.dat before2.dat
"$TDAT" diff before.dat 'before*.dat'
