#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Fails when a case of tests/cli does not say where its expectation comes from, in the
# comment at its beginning:
#   # Expectation: ORIGIN; ORIGIN...
# ORIGIN begins with one of
#   trace-cmd       with ", run here" the script runs it, with ", stored" its output is
#                   the golden file
#   from the kernel the kernel's own words
#   by hand         somebody worked it out without tdat
#   compared here   the script compares two ways of getting the same
#   jq              a program that knows the format reads the output
#   made by tdat    a golden file that proves only that nothing changed
# usage: expectations.sh SOURCE_DIR
set -eu
cd "$1/tests/cli"
bad=0
count=0

complain() {
	echo "tests/cli/$1: $2"
	bad=1
}

for case in */*.sh; do
	count=$((count + 1))
	base=${case%.sh}
	text=$(sed -n '/^#/!q; s/^# //p' "$case" | tr '\n' ' ' | sed -n 's/.*Expectation: //p')
	[ -n "$text" ] || { complain "$case" "has no '# Expectation:' in its first comment" && continue; }
	origins=$(echo "$text" | sed 's/; /\n/g')
	echo "$origins" | head -n 1 |
		grep -Eq '^(trace-cmd|from the kernel|by hand|compared here|jq|made by tdat)' ||
		complain "$case" "'$text' names no origin that this check knows"
	case $text in
	*"run here"*) grep -Eq '^[^#]*trace-cmd (report|list|split)' "$case" ||
		complain "$case" "says that trace-cmd is run here, but it is not" ;;
	esac
	case $text in
	*", stored"*) [ -s "$base.stdout.exact" ] ||
		complain "$case" "says that the output of trace-cmd is stored, but $base.stdout.exact is empty" ;;
	esac
	case $text in
	*"compared here"*) grep -Eq '^[^#]*\b(cmp|diff|wc|python3)\b' "$case" ||
		complain "$case" "says that it compares, but it does not" ;;
	esac
	# A golden file that nothing else vouches for was made by tdat, and has to say so.
	if [ -s "$base.stdout.exact" ] || [ -s "$base.stderr.exact" ]; then
		case $text in
		*"made by tdat"* | *trace-cmd* | *"by hand"* | *"the golden"*) ;;
		*) complain "$case" "has a golden file of which the expectation says nothing" ;;
		esac
	fi
done
if [ "$count" -lt 100 ]; then
	echo "only $count cases found: the check itself is broken"
	bad=1
fi
exit $bad
