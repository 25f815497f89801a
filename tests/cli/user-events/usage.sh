# SPDX-License-Identifier: GPL-2.0-or-later
for words in '' format check status frmat; do
	rc=0
	"$TDAT" user-events $words || rc=$?
	[ "$rc" = 2 ] || exit 9
done
