#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Single facts of tdat info against the options of trace-cmd report that they are
# named after. Needs trace-cmd; exits 77 (skipped) without it.
# usage: facts.sh TDAT DIRECTORY
set -eu
tdat=$1
command -v trace-cmd >/dev/null || exit 77
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C TZ=UTC
bad=0
count=0

# same FILE: what is in want and got
same() {
	count=$((count + 1))
	cmp -s "$tmp/want" "$tmp/got" && return
	bad=$((bad + 1))
	echo "$*: trace-cmd (-) and tdat (+) differ"
	diff -u "$tmp/want" "$tmp/got" | sed -n '3,9p'
}

for file in "$2"/*.dat; do
	# Debian builds trace-cmd without zlib; it has no facts of latency traces.
	"$tdat" info --json "$file" | jq -e '.[0] | .latency or .compression == "zlib"' \
		>/dev/null && continue
	for options in --stat --cpus --first-event --last-event \
		"--cpus --first-event --last-event"; do
		# shellcheck disable=SC2086
		trace-cmd report $options "$file" >"$tmp/want" 2>/dev/null || :
		# shellcheck disable=SC2086
		"$tdat" info $options "$file" >"$tmp/got"
		same "$file $options"
	done
	for option in --check-events --ts-check; do
		status=0
		trace-cmd report $option "$file" >/dev/null 2>&1 || status=1
		echo $status >"$tmp/want"
		status=0
		"$tdat" info $option "$file" >/dev/null 2>&1 || status=1
		echo $status >"$tmp/got"
		same "$file $option"
	done
	# trace-cmd prints the number of CPUs before, and the version behind.
	trace-cmd report --uname "$file" 2>/dev/null | sed '/^cpus=/d;/^$/d' >"$tmp/want"
	"$tdat" info --uname --version-of "$file" | sed '/^$/d' >"$tmp/got"
	same "$file --uname"
done
echo "$count comparisons, $bad differ"
[ "$count" -gt 100 ] && [ "$bad" = 0 ]
