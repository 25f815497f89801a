# SPDX-License-Identifier: GPL-2.0-or-later
# Commands read a foreign capture as they read the trace.dat that convert makes of it: a file, a
# folder, packed, and from standard input. What no importer knows is named as before.
# Expectation: compared here: the same of the converted file; by hand: what a cut one, and what is none, says
f=$FIXTURES/foreign
cp "$f/ftrace-text/tgid/trace.txt" text
cp "$f/perf/s390x-ucall/perf.data" perf
cp -r "$f/gtsc/mmap_padcount_le" folder
xz -k text
tar -cf folder.tar folder
mkdir made
same() { # CAPTURE
	"$TDAT" convert -q -f --compression none -o "made/$1" "$1"
	for command in dump 'stat --json' 'list -e' 'latency --csv' 'profile --json' 'check --json' 'sql --csv' hist; do
		query=
		[ "$command" != 'sql --csv' ] || query='SELECT ts, event, comm FROM events'
		[ "$command" != hist ] || query='sched/sched_switch hist:keys=next_pid'
		for dir in made .; do
			# shellcheck disable=SC2086 # options are words
			(cd $dir && "$TDAT" $command "$1" ${query:+"$query"} 2>&1 || echo "exit $?") >"$dir/said"
		done
		cmp said made/said || { echo "$command $1"; diff said made/said | head -5; }
	done
}
for capture in text perf folder text.xz folder.tar; do
	same "$capture"
done
"$TDAT" dump text >want
"$TDAT" dump - <text | cmp - want
cat text.xz | "$TDAT" dump - | cmp - want
"$TDAT" merge -q -o both.dat text perf && "$TDAT" list --tables both.dat | grep '^events '
"$TDAT" info text | sed -n 's/^ *Made by *//p'
# A cut one is read as far as it goes, with what convert says and exit status 1.
head -c 9000 perf >cut
"$TDAT" dump cut >/dev/null || echo "exit $?"
"$TDAT" repair -o r.dat text || echo "exit $?"
"$TDAT" dump /etc/passwd || echo "exit $?"
# A text without times has ranks: nothing is computed of them.
sed 's/^ *[0-9.]* |  //; s/^#     TIME     /#/' "$FIXTURES/foreign/ftrace-text/graph/trace.txt" >ranks
"$TDAT" info ranks | grep 'Clock\|Duration'
"$TDAT" latency ranks || echo "exit $?"
"$TDAT" sql ranks 'select count(*), count(dur) from sched'
