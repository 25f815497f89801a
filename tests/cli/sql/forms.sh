# SPDX-License-Identifier: GPL-2.0-or-later
# Rows are printed in each form, with values of all kinds.
# Expectation: by hand; the forms of CSV and JSON are those of tdat export (docs/exports.md)
f=$FIXTURES/valid/i386-61-v7-buffers.dat
q="SELECT 1 AS i, -9223372036854775808 AS least, 0.1 AS r, 1e300 AS big, 2.0 AS two, NULL AS n,
	'a|b*' || char(10, 9, 27) || '\"\`' AS t, '' AS e, x'00ff' AS b, x'' AS nb, ' x' AS blank,
	char(8238, 228, 26085) AS u
UNION ALL SELECT 22, 5, 9e999, -9e999, -0.5, 7, 'c', 'd', x'01', x'', 'y', 'z'"
for form in --csv --json --jsonl --markdown; do
	echo "$form"
	"$TDAT" sql $form "$f" "$q"
done
echo table
"$TDAT" sql "$f" "$q"
for form in --csv --json --jsonl --markdown --no-pushdown; do
	echo "$form of no rows"
	"$TDAT" sql $form "$f" "SELECT 1 AS \"a,b\" WHERE 0"
done
