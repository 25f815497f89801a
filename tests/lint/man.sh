#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The man pages format without a warning, their C examples compile, and libtdat(3) names all public functions.
# usage: man.sh SOURCE_DIR CC
set -eu
cc=$2
bad=0
count=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
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
# libtdat(3) has each public function, and no other.
grep -hv "^#" "$1"/include/tdat/*.h "$1"/user-events/include/tdat/*.h | tr '\n' ' ' |
	grep -oE '(TDAT_API|static inline enum tdat_status) [^;{}]*' | grep -oE '\btdat_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$tmp/headers"
grep -oE 'Fn tdat_[a-z0-9_]+' "$1/man/libtdat.3" | sed 's/Fn //' | sort -u >"$tmp/page"
diff -u "$tmp/headers" "$tmp/page" || { echo "functions of the headers (-) and of man/libtdat.3 (+) differ"; bad=1; }
[ "$count" -gt 0 ] || { echo "no man pages found"; bad=1; }
exit $bad
