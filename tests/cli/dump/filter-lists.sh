# SPDX-License-Identifier: GPL-2.0-or-later
# A list is the option once for each of its words.
# Expectation: compared here: the options given one by one; the complaint is made by tdat, proves only
# that nothing changed
f=$FIXTURES/valid/i386-61-v6-sched.dat
b=$FIXTURES/valid/i386-61-v7-buffers.dat
"$TDAT" dump -e sched_switch -e 'sched_wak*' "$f" >want
"$TDAT" dump -e 'sched_switch,,sched_wak*' "$f" | cmp - want
"$TDAT" stat --json -e sched_switch -e 'sched_wak*' "$f" >want
"$TDAT" stat --json -e 'sched_switch,sched_wak*' "$f" | cmp - want
names=$("$TDAT" info --json "$b" | jq -r '[.[0].buffers[] | .name | select(. != "")] | join(",")')
case $names in *,*) ;; *) names=$names,top ;; esac
"$TDAT" dump --buffer "${names%%,*}" --buffer "${names#*,}" "$b" >want
[ -s want ]
"$TDAT" dump --buffer "$names" "$b" | cmp - want
"$TDAT" dump -e , "$f"
