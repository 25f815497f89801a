# SPDX-License-Identifier: GPL-2.0-or-later
# Formats of more than 16 MiB that compress well: what is written can be read again.
# Expectation: compared here: the dump before and after
set -eu
awk 'BEGIN {
	for (i = 0; i < 32000; i++) {
		printf "event%d", i
		for (k = 0; k < 8; k++)
			printf "%s u32 value%d", k ? ";" : "", k
		print ""
	}
}' >defs.txt
fields=$(printf '%064d' 0)
printf '1000 0 9 00000000%s\n' "$fields" >log
"$TDAT" convert -q --from user_events --definitions defs.txt --file-version 6 -o six.dat log
[ "$("$TDAT" info --json six.dat | jq '.[0].size')" -gt 21000000 ]
"$TDAT" dump six.dat >want
"$TDAT" convert -q --file-version 7 --compression zstd -o seven.dat six.dat
"$TDAT" dump seven.dat | cmp - want
"$TDAT" split -q --exact -i six.dat -o part.dat
"$TDAT" convert -q -f --file-version 7 --compression zlib -o seven.dat part.dat
"$TDAT" repair -q -o fixed.dat seven.dat
"$TDAT" dump fixed.dat | cmp - want
