# SPDX-License-Identifier: GPL-2.0-or-later
# The end of the output's name says the format; one that says none is refused, also by flame, view
# and convert; a single table is a file.
# Expectation: by hand: first bytes and JSON are those of the formats
cp "$FIXTURES/valid/s390x-61-kstack.dat" a.dat
try() {
	"$TDAT" "$@" 2>&1 && echo "exit 0" || echo "exit $?"
}
for name in x.pftrace x.perfetto-trace x.db x.sqlite x.json; do
	try export -q -o $name a.dat
done
for name in s.csv s.parquet s.arrow s.jsonl; do
	try export -q --table cpus -o $name a.dat
done
head -c 15 x.db && echo
cmp x.pftrace x.perfetto-trace && python3 -c "import json; json.load(open('x.json'))"
head -c 4 s.parquet && echo && head -c 6 s.arrow && echo && sed -n 1p s.csv
try export -o x.csv a.dat
try export -o x.png a.dat
try export a.dat
try flame -o x.png a.dat
try convert -o y.pftrace a.dat
try view -o x.png a.dat
try view -o x.svg a.dat
sed -n '1s/ .*//p' x.svg
ls
# A short name is the table of its event, as in SQL, but a table of that name comes first.
try export -q --table sched_switch -o short.csv "$FIXTURES/valid/i386-61-function.dat"
try export -q --table sched/sched_switch -o long.csv "$FIXTURES/valid/i386-61-function.dat"
cmp short.csv long.csv && wc -l <long.csv
try export -q --table function -o function.csv "$FIXTURES/valid/i386-61-function.dat"
