# SPDX-License-Identifier: GPL-2.0-or-later
# The option --limit gives the first events.
# Expectation: compared here: lines with those of the whole dump
f=$FIXTURES/valid/i386-61-v6-sched.dat
"$TDAT" dump "$f" | sed 1d | sed -n 1,7p >want
"$TDAT" dump --limit 7 "$f" | sed 1d | cmp - want
