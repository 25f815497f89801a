# SPDX-License-Identifier: GPL-2.0-or-later
# Commands with a point stand between statements of a script; a line of an open statement is none.
# Expectation: by hand
printf "SELECT 1 AS a;\n.mode csv\nSELECT\n 2 AS b;\n.mode jsonl\nSELECT '\n.mode' AS c;\n" |
	"$TDAT" sql "$FIXTURES/valid/x64-61-v6-tiny.dat"
printf ".mode csv\nSELECT 3 AS d;\n.nonsense\nSELECT 4;\n" | "$TDAT" sql "$FIXTURES/valid/x64-61-v6-tiny.dat"
