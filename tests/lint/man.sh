#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The man pages format without a warning, and their C examples compile.
# usage: man.sh SOURCE_DIR CC
set -eu
cc=$2
bad=0
count=0
for page in "$1"/man/*.[1-9]; do
	count=$((count + 1))
	out=$(LC_ALL=C.UTF-8 groff -mandoc -Tutf8 -ww -z "$page" 2>&1) || bad=1
	if [ -n "$out" ]; then
		echo "$out"
		bad=1
	fi
	command -v mandoc >/dev/null || continue
	# Pages begin with examples, before they describe.
	lint=$(mandoc -Tlint -W warning "$page" | grep -v 'out of conventional order') || true
	[ -z "$lint" ] || { echo "$lint"; bad=1; }
done
for page in "$1"/man/*.3; do
	# The examples are the literal blocks that include something.
	awk '/^\.Bd -literal/ { on = 1; text = ""; next }
	     /^\.Ed/ { if (on && text ~ /#include/) printf "%s", text; on = 0; next }
	     on { gsub(/\\e/, "\\"); text = text $0 "\n" }' "$page" |
		"$cc" -std=c11 -Wall -Wextra -Werror -I"$1/include" -I"$1/user-events/include" -fsyntax-only -x c - || {
		echo "the example of $page does not compile"
		bad=1
	}
done
[ "$count" -gt 0 ] || { echo "no man pages found"; bad=1; }
exit $bad
