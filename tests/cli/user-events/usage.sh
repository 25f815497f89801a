# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong arguments of user-events have exit status 2.
# Expectation: made by tdat, proves only that nothing changed; by hand: exit status 2
for words in '' format check status frmat; do
	rc=0
	"$TDAT" user-events $words || rc=$?
	[ "$rc" = 2 ] || exit 9
done
