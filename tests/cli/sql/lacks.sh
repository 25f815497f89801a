# SPDX-License-Identifier: GPL-2.0-or-later
# A derived table of events that the trace lacks says so once, and the query fails; one whose rows
# were not chosen is only empty.
# Expectation: by hand: the events of docs/analysis.md, exit status 1 and 0
f=$FIXTURES/valid/i386-61-v6-sched.dat
for query in 'SELECT count(*) FROM block_io' \
	'SELECT w.ts FROM wakeup w JOIN block_io b ON b.cpu = w.cpu; SELECT dur FROM block_io' \
	'SELECT count(*) FROM wakeup WHERE pid = 77777'; do
	"$TDAT" sql --csv "$f" "$query" 2>&1 && echo "exit 0" || echo "exit $?"
done
