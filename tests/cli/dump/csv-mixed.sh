# SPDX-License-Identifier: GPL-2.0-or-later
# CSV of several event types fails before a byte is written, wherever the other type comes.
# Expectation: by hand: nothing on standard output, exit status 2; one type passes
f=$FIXTURES/valid/i386-61-v6-sched.dat
for words in '--limit 40 --threads 1' '' '--reverse' '-e sched_*' '-e sched_switch -e sched_wakeup' \
	'--cpu 0' '-F .*:common_type>0' '--text --threads 2'; do
	rc=0
	set -f
	# shellcheck disable=SC2086
	"$TDAT" dump --csv $words "$f" >out || rc=$?
	set +f
	echo "$rc $words: $(wc -c <out) bytes"
done
# The other type is in another file, far behind, or beyond the limit.
"$TDAT" dump --csv -e sched_switch -i "$f" -i "$FIXTURES/valid/x64-61-v6-tiny.dat" >out || echo "$?"
"$TDAT" dump --csv --limit 1 "$f" | wc -l
"$TDAT" dump --csv -e sched_switch "$f" >csv
"$TDAT" dump -e sched_switch "$f" | grep -c : >lines
[ "$(($(wc -l <csv) - 1))" = "$(cat lines)" ]
