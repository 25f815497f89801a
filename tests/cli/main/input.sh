# SPDX-License-Identifier: GPL-2.0-or-later
# -i FILE is what a plain FILE is, in every command, wherever it stands; list and split know a file when
# they see one.
# Expectation: compared here: the output with a plain FILE
f=$FIXTURES/valid/i386-61-v6-sched.dat
for command in info check stat latency profile dump report list; do
	"$TDAT" $command "$f" >want
	"$TDAT" $command -i "$f" | cmp - want
	"$TDAT" $command --input="$f" | cmp - want
done
"$TDAT" sql "$f" 'SELECT count(*) FROM events' >want
"$TDAT" sql 'SELECT count(*) FROM events' -i "$f" | cmp - want
"$TDAT" hist "$f" 'sched/sched_switch hist:keys=next_pid' >want
"$TDAT" hist 'sched/sched_switch hist:keys=next_pid' -i "$f" | cmp - want
"$TDAT" list sched:sched_switch "$f" >got
"$TDAT" list -i "$f" sched:sched_switch | cmp - got
"$TDAT" split -q -o a.dat --exact -i "$f" --event sched_switch
"$TDAT" split -q -o b.dat --exact "$f" --event sched_switch
cmp a.dat b.dat
