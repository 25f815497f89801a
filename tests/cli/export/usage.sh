# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong arguments of export are complained of.
# Expectation: made by tdat, read and found right by hand; proves only that nothing changed
cp "$FIXTURES/valid/i386-61-v7-buffers.dat" t.dat
run() {
	"$TDAT" export "$@" 2>&1 && echo "exit 0" || echo "exit $?"
}
run t.dat
run --to parket t.dat
run --to parquet t.dat
run --to parquet --table 'nothing/*' -o out t.dat
run --to parquet -O level=fast -o out t.dat
run --to parquet -O no-such=1 -o out t.dat
run --to parquet --table tasks --column pid --column nothing -o tasks.parquet t.dat
run --to arrow --table tasks -o t.dat t.dat
run --to arrow --table tasks -o tasks.arrow t.dat
run --to arrow --table tasks -o tasks.arrow t.dat
run -q --to arrow --table tasks -o tasks.arrow -f t.dat
run --to arrow -e no_such_event -o out t.dat
ls -A
