# SPDX-License-Identifier: GPL-2.0-or-later
# Tables with their rows: list --tables, latency --list and .tables of sql are one list.
# Expectation: by hand: rows are those that SELECT count(*) gives, which is compared here
f=$FIXTURES/valid/i386-61-v6-sched.dat
"$TDAT" latency --list "$f"
"$TDAT" sql "$f" '.tables *wakeup'
"$TDAT" list --tables -i "$f" event || echo "exit $?"
for f in "$f" "$FIXTURES/valid/x64-lab612-lost-v6.dat"; do
	"$TDAT" list --tables -i "$f" >list.txt
	sed "s/ .*//;s/.*/UNION ALL SELECT '&', count(*) FROM \"&\"/;1s/UNION ALL//" list.txt >all.sql
	"$TDAT" sql "$f" --csv "$(cat all.sql)" 2>/dev/null | tr -d '\r' | sed 1d >counted.txt
	awk '{ print $1 "," $2 }' list.txt | cmp - counted.txt && echo same
	grep '^lost' list.txt
done
