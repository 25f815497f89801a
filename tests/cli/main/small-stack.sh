# SPDX-License-Identifier: GPL-2.0-or-later
# Under a small limit of the stack commands do what they do without one, with threads, too.
# Expectation: compared here: the output of the same command without the limit
f=$FIXTURES/valid/i386-61-v6-sched.dat
for args in "dump" "dump --reverse" "dump --json --threads 3" "info" "stat" "profile" "view -o -"; do
	[ "$args" != "view -o -" ] || [ -x "$(dirname "$TDAT")/tdat-view" ] || continue
	"$TDAT" $args "$f" >want 2>&1
	for kib in 32 64; do
		(ulimit -s $kib && "$TDAT" $args "$f") >got 2>&1 || echo "$args: exit $?"
		cmp want got
	done
done
