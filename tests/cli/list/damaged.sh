# SPDX-License-Identifier: GPL-2.0-or-later
# A file cut within its formats: those before are listed, and that some are missing is told.
# Expectation: made by tdat, proves only that nothing changed; by hand: exit status 1, and some
# output
head -c 30000 "$FIXTURES/valid/i386-61-v6-sched.dat" >t.dat
for opts in '' --systems --json; do
	# shellcheck disable=SC2086
	"$TDAT" list $opts -i t.dat >out && rc=0 || rc=$?
	[ "$rc" = 1 ]
	[ -s out ]
done
