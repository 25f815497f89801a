# SPDX-License-Identifier: GPL-2.0-or-later
# --json-hex and --json-strings keep 64-bit numbers exact for readers that round them.
# Expectation: made by tdat; that all forms have the same numbers is compared here
f=$FIXTURES/valid/x64-lab612-lost-v6.dat
"$TDAT" dump --json --limit 400 "$f" >plain
"$TDAT" dump --json --json-strings --limit 400 "$f" >strings
"$TDAT" dump --json --json-hex --limit 400 "$f" >hex
"$TDAT" dump --json --json-hex --json-strings --limit 2 "$f"
grep -m 1 '"lost"' strings
# Strings without their quotes are the plain numbers.
sed -E 's/:"(-?[0-9]+)"/:\1/g' strings | cmp - plain
grep -o '"ip":"0x[0-9a-f]*"' hex | sed -E 's/.*"0x(.*)"/\1/' | while read -r x; do
	printf '%u\n' "0x$x"
done >want
grep -o '"ip":[0-9]*' plain | sed 's/.*://' | cmp - want
wc -l <want
"$TDAT" dump --json-hex "$f"
