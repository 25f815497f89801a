# SPDX-License-Identifier: GPL-2.0-or-later
# Times of a clock that counts ticks choose events.
# Expectation: compared here: two lines with those of the whole dump; complaints are made by
# tdat
f=$FIXTURES/valid/x64-61-clock-x86-tsc.dat
"$TDAT" dump --raw-ts "$f" | sed 1d >all
from=$(sed -nE '11s/.*\[[0-9]+\] *([0-9]+):.*/\1/p' all)
sed -n 11,12p all >want
"$TDAT" dump --raw-ts --from "$from" --limit 2 "$f" | sed 1d | cmp - want
"$TDAT" dump --raw-ts --from 1.5 "$f" || echo "status $?"
