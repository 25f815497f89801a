# SPDX-License-Identifier: GPL-2.0-or-later
# The tree for people begins with the sum of all stacks; a function has the weight of the stacks through it.
# Expectation: compared here: with sums over the folded stacks; the golden lines are made by tdat
f=$FIXTURES/valid/s390x-61-kstack.dat
"$TDAT" flame --to text --exact "$f" >tree
"$TDAT" flame "$f" >folded
awk '{ all += $NF } /^rcu_sched;schedule;/ { one += $NF } END { print all, one }' folded >sums
awk '/ all$/ { all = $1 } / rcu_sched$/ { own = 1; next } own { own = 0; one = $1 }
	END { print all, one }' tree | cmp - sums && cat sums
head -n 12 tree
tail -n 1 tree
"$TDAT" flame --to text "$FIXTURES/valid/i386-61-fgraph.dat" | head -n 6
