# SPDX-License-Identifier: GPL-2.0-or-later
# Mistakes in statements are complained of, with the place.
# Expectation: made by tdat, read and found right by hand; proves only that nothing changed
cp "$FIXTURES/valid/i386-61-v7-buffers.dat" t.dat
run() {
	"$TDAT" sql "$@" 2>&1 && echo "exit 0" || echo "exit $?"
}
run t.dat "SELEC 1"
run t.dat "SELECT 1; SELECT 2 FROM nothing"
run t.dat "SELECT nothing FROM events"
run t.dat "SELECT time('soon')"
run t.dat "SELECT percentile(ts, 101) FROM events"
run t.dat "SELECT percentile(ts, cpu) FROM events"
run t.dat "SELECT percentile(comm, 50) FROM events"
run --csv --json t.dat "SELECT 1"
run -f missing.sql t.dat
run missing.dat "SELECT 1"
run t.dat ""
run t.dat "/* nothing */"
printf 'SELECT 1 AS a;\n/* two */ SELECT 2 AS b;\n' >two.sql
run -f two.sql t.dat
run -f - t.dat <two.sql
run --jsonl t.dat <two.sql
printf 'SELECT 1;\0SELECT 2;' >nul.sql
run -f nul.sql t.dat
# No value is longer than 64 MiB.
"$TDAT" sql "$FIXTURES/valid/x64-61-v6-tiny.dat" "SELECT length(printf('%.*c',2000000000,'x'))" || echo "exit $?"
