# SPDX-License-Identifier: GPL-2.0-or-later
# Offsets belong to the input before; --align lets all begin at once.
# Expectation: compared here: times with those of a dump of both files; the rest is made by tdat
a=$FIXTURES/valid/x64-61-date.dat
b=$FIXTURES/valid/x64-61-v6-tiny.dat
"$TDAT" merge -q -o out.dat -i "$a" -i "$b" --ts-offset 5 2>notes
"$TDAT" dump -t -i "$a" -i "$b" --ts-offset 5 | sed -n 's/^.*-[0-9]* *\[[0-9]*\]//p' >want
"$TDAT" dump -t out.dat | sed -n 's/^.*-[0-9]* *\[[0-9]*\]//p' | cmp - want
"$TDAT" merge -q -f --align -o out.dat "$a" "$b" 2>notes
for cpu in 0 2; do
	"$TDAT" dump -t --cpu $cpu,$((cpu + 1)) --limit 1 out.dat | sed -n '2s/.*\] *\([0-9.]*\):.*/\1/p'
done
# What all say of time stays an option.
"$TDAT" merge -q -f -o out.dat "$a" "$a"
"$TDAT" info --json out.dat | jq -c '[.[0].options[] | select(.name == "DATE") | .name]'
"$TDAT" merge --ts-offset 1 "$a" "$b" || echo "status $?"
"$TDAT" merge "$a" --ts-offset soon "$b" || echo "status $?"
