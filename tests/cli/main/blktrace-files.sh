# SPDX-License-Identifier: GPL-2.0-or-later
# The files of the CPUs of one block trace are one capture in each command that reads several files.
# Expectation: compared here: the same of what convert makes of them; made by tdat: the rest
cp "$FIXTURES/foreign/gtsc/blktrace_v7_le/"sda.blktrace.* "$FIXTURES/valid/i386-61-v6-sched.dat" .
"$TDAT" convert -q -o whole.dat sda.blktrace.0 sda.blktrace.1
same() {
	"$TDAT" "$@" whole.dat >want
	"$TDAT" "$@" sda.blktrace.1 sda.blktrace.0 >got
	cmp want got && echo "$1 $(wc -l <got)"
}
same dump
same dump --json
same stat --by cpu,event
same export --to jsonl --table events -o -
"$TDAT" check sda.blktrace.*
"$TDAT" dump -i sda.blktrace.0 -i i386-61-v6-sched.dat -i sda.blktrace.1 --head 1
"$TDAT" sql sda.blktrace.1 sda.blktrace.0 'SELECT count(*), count(DISTINCT cpu) FROM events'
