# SPDX-License-Identifier: GPL-2.0-or-later
# A file that is cut ends with status 1 and lines that are complaints.
# Expectation: by hand: exit status 1 and a complaint at each length
for file in i386-61-v6-sched i386-61-v7-zstd-sched; do
	for cut in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 30 40 100 500 1000 2000 \
		3000 4000 5000 10000 15000 20000; do
		head -c $cut "$FIXTURES/valid/$file.dat" >cut.dat
		status=0
		"$TDAT" dump cut.dat >out 2>err || status=$?
		[ $status = 1 ] || echo "$file cut at $cut: status $status"
		[ -s err ] || echo "$file cut at $cut: nothing said"
		! grep -v "^tdat: " err
	done
done
