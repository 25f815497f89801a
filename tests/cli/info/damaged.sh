# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU whose first page cannot be taken apart is told of, though nothing is counted.
# Expectation: by hand: the commit of the first page of CPU 0 is beyond the page
cp "$FIXTURES/valid/i386-61-v6-sched.dat" bad.dat
chmod u+w bad.dat
page=$("$TDAT" sql --csv bad.dat 'SELECT "off" FROM cpus WHERE cpu = 0' | tr -d '\r' | tail -n1)
printf '\377\377' | dd of=bad.dat bs=1 seek=$((page + 8)) conv=notrunc 2>/dev/null
for option in '' --json; do
	"$TDAT" info $option bad.dat >out || echo "exit $?"
done
"$TDAT" sql bad.dat 'SELECT cpu FROM cpus' || echo "exit $?"
