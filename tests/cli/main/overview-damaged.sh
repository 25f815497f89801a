# SPDX-License-Identifier: GPL-2.0-or-later
# Of a damaged input check, overview and exit status say the same, and the command that the overview
# names writes what can be read: also of packed inputs, captures and names that a shell would split.
# Expectation: by hand: each input is cut, and each command makes a file that check calls clean
head -c 18000 "$FIXTURES/valid/i386-61-v7-zstd-sched.dat" >'a b.dat'
gzip -c "$FIXTURES/valid/i386-61-v6-sched.dat" | head -c 9000 >packed.gz
head -c 9000 "$FIXTURES/foreign/perf/s390x-ucall/perf.data" >perf
for f in 'a b.dat' packed.gz perf; do
	echo "$f"
	"$TDAT" check "$f" 2>/dev/null | tail -n 1
	"$TDAT" check --json "$f" 2>/dev/null | jq -c '.[0] | [.whole, .clean, .findings[-1].sentence]'
	"$TDAT" "$f" 2>/dev/null >said && echo "exit 0"
	grep -e Damage -e whole.dat said
	rm -f whole.dat
	eval "\"\$TDAT\" $(sed -n 's/^  tdat \(.*whole.dat [^#]*\)#.*/\1/p' said)" >/dev/null 2>&1 && echo "exit 0"
	"$TDAT" check whole.dat
done
