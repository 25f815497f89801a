# SPDX-License-Identifier: GPL-2.0-or-later
# A pid has one name in a file: without saved names that which events say, whatever is selected.
# Expectation: by hand: the names that the kernel saved, but of the pid whose exec is no event here
f=$FIXTURES/valid/x64-61-v6-tiny.dat
cp "$FIXTURES/valid/i386-61-v6-sched.dat" bare.dat
chmod u+w bare.dat
# The first line of the saved names is no more of the form PID NAME: none is read.
at=$(grep -obaE '^[0-9]+ [^ ]+$' bare.dat | tail -200 | awk -F: '
	$1 != end { start = $1 } { end = $1 + length($2) + 1 } END { print start }')
printf 'x' | dd of=bare.dat bs=1 seek="$at" conv=notrunc 2>/dev/null
names() {
	"$TDAT" dump --json "$@" 2>/dev/null | jq -r 'select(.event) | "\(.comm)-\(.pid)"' | LC_ALL=C sort -u
}
lines() {
	"$TDAT" dump "$@" 2>/dev/null | sed -n 's/^ *\(.*-[0-9]*\) *\[[0-9]*\].*/\1/p' | sed 's/ *$//' | LC_ALL=C sort -u
}
names "$FIXTURES/valid/i386-61-v6-sched.dat" >saved
names bare.dat >told
comm -3 saved told
grep -c . told
for o in "--cpu 1" "-e sched_wakeup" "--from +0.05s"; do
	# shellcheck disable=SC2086
	names $o bare.dat >some
	# shellcheck disable=SC2086
	lines $o bare.dat | cmp - some && comm -13 told some
done
"$TDAT" sql --csv bare.dat "SELECT DISTINCT comm || '-' || pid AS t FROM events" 2>/dev/null |
	sed 1d | tr -d '\r' | LC_ALL=C sort -u | cmp - told
# --comm takes them, derived tables have them, and the table tasks says where they are from.
"$TDAT" dump --comm work.sh bare.dat 2>/dev/null | grep -c '^ *work.sh-'
"$TDAT" sql --csv bare.dat "SELECT count(*) AS differ FROM sched s JOIN tasks t ON t.used AND t.pid = s.pid
	WHERE s.comm <> t.comm" 2>/dev/null || echo "exit $?: names are damaged"
"$TDAT" sql --csv "$f" "SELECT source, used, count(*) FROM tasks GROUP BY 1, 2"
