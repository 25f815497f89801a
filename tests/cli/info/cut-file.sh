# SPDX-License-Identifier: GPL-2.0-or-later
# A file that is cut anywhere ends in a sentence and exit status 1.
# Expectation: by hand: exit status 1 and a complaint at each length; jq parses the JSON
for file in i386-61-v6-sched i386-61-v7-zstd-sched; do
	for cut in 0 5 10 11 12 13 16 20 30 50 100 500 1000 3000 5000 10000 20000; do
		head -c $cut "$FIXTURES/valid/$file.dat" >cut.dat
		status=0
		"$TDAT" info -v --count cut.dat >out 2>err || status=$?
		[ $status = 1 ] || echo "$file cut at $cut: status $status"
		[ -s err ] || echo "$file cut at $cut: nothing said"
		! grep -v "^tdat: " err
		"$TDAT" info --json -v --count cut.dat 2>err | jq . >out || echo "$file cut at $cut: not JSON"
	done
done
