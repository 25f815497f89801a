# SPDX-License-Identifier: GPL-2.0-or-later
# A selection that no event passes is told on standard error, with exit status 0; one that no
# trace can meet, a span that ends before it starts, is wrong usage.
# Expectation: by hand: each prints which option chose nothing, or exits with 2
f=x64-61-v6-tiny.dat
cp "$FIXTURES/valid/$f" .
t() {
	rc=0
	"$TDAT" "$@" >out || rc=$?
	echo "$rc $*"
}
for words in '--cpu 99' '--cpu 90-99' '--pid 999999' '--comm nobody' '--from 99999999' '--until 0.1' \
	'--from +500s' '--pid 999999 --comm nobody --cpu 0' '--from +1s --until -1s'; do
	for cmd in dump 'dump --json' 'dump --csv' 'dump --reverse' stat 'stat --json'; do
		# shellcheck disable=SC2086
		t $cmd $words $f
	done
	# shellcheck disable=SC2086
	t split -q $(echo "$words" | sed 's/--cpu/-C/') -f -i $f -o x
done
t dump -F 'sched_switch: next_pid == 999999' $f
t dump -e 'nosuch*' $f
t dump --buffer nosuch $f
for words in '--from 12 --until 11' '--from 12.5 --until 12499ms' '--from +2s --until +1999ms' \
	'--from -1s --until -2s' '--from -1ns --until +1ns' '--from 5 --until 4.999999999'; do
	for cmd in dump 'dump --csv' stat 'split --exact -o x -i'; do
		# shellcheck disable=SC2086
		t $cmd $f $words
	done
done
# Whatever is chosen, nothing is said.
"$TDAT" dump --cpu 0,99 --pid 0 $f >out
"$TDAT" stat --from +0s --until -0s $f >out
"$TDAT" dump --from 5 --until 5000ms $f >out
