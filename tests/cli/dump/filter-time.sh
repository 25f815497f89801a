# SPDX-License-Identifier: GPL-2.0-or-later
# The options --from and --until choose the events between two times.
# Expectation: compared here: lines with those of the whole dump that awk picks; complaints are
# made by tdat
f=$FIXTURES/valid/i386-61-v6-sched.dat
"$TDAT" dump -t "$f" | sed 1d >all
# The times of the 101st and the 200th event, and what lies between them.
from=$(awk 'NR == 101 { sub(":", "", $3); print $3 }' all)
to=$(awk 'NR == 200 { sub(":", "", $3); print $3 }' all)
sed -n 101,200p all >want
"$TDAT" dump -t --from "$from" --until "$to" "$f" | sed 1d | cmp - want
first=$(awk 'NR == 1 { sub(":", "", $3); print $3 }' all)
"$TDAT" dump -t --until +0 "$f" | sed 1d | grep -c .
"$TDAT" dump -t --from -0ns "$f" | sed 1d | grep -c .
"$TDAT" dump -t --from +10ms --until +20000us "$f" | sed 1d >got
awk -v f="$first" '{ t = $3; sub(":", "", t); if (t - f >= 0.01 && t - f <= 0.02) print }' all | cmp - got
"$TDAT" dump --from 1x "$f" || echo "status $?"
"$TDAT" dump --from 18446744073.709551616 "$f" || echo "status $?"
