# SPDX-License-Identifier: GPL-2.0-or-later
# Counts and times of each CPU are those of tdat info --count.
# Expectation: compared here: stat with info --count; counts of lines are made by tdat
for f in s390x-61-v7-zstd-sched i386-61-v7-buffers x64-lab612-lost-v6; do
	for c in info stat; do
		opt=
		[ $c = stat ] || opt=--count
		"$TDAT" $c $opt --json "$FIXTURES/valid/$f.dat" | tr -d ' \n' |
			grep -oE '"cpu":[0-9]+,[^][{}]*' |
			grep -oE '"(cpu|events|lost|lost_unknown|first_ts|last_ts)":[0-9]+' | sort >$c
	done
	# Gaps have a "cpu", too; only the sums of both lists can be compared.
	grep -v '"cpu"' info >a
	grep -v '"cpu"' stat >b
	cmp a b
	wc -l <a
done
