#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Cut and damaged recordings, repaired: trace-cmd report reads the same events as
# tdat dump does. Needs trace-cmd; exits 77 (skipped) without it.
# usage: repair.sh TDAT FIXTURES
set -eu
. "$(dirname "$0")/../part.sh"
tdat=$1
fixtures=$2
command -v trace-cmd >/dev/null || exit 77
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C TZ=UTC
bad=0
count=0
files=0
events=0

# Task, CPU, time and name of each event; the text behind is not repair's matter.
heads() {
	sed -n 's/^\(.*-[0-9.]* *\[[0-9]*\] *[0-9.]*: *[^ :]*:\).*/\1/p' | tr -s ' '
}

compare() {
	rc=0
	"$tdat" repair -q -f -o "$tmp/fixed.dat" "$1" 2>"$tmp/err" || rc=$?
	[ "$rc" -lt 2 ] && [ -s "$tmp/fixed.dat" ] || { echo "$2: not repaired:"; cat "$tmp/err"; bad=1; return; }
	"$tdat" check "$tmp/fixed.dat" >"$tmp/check" || { echo "$2: repaired, but:"; cat "$tmp/check"; bad=1; }
	# Garbage that looks like records for a while is not repaired.
	want=$1
	[ "$3" = cut ] || want=$tmp/fixed.dat
	"$tdat" dump --compat 3.1 "$want" 2>/dev/null | heads >"$tmp/want" || :
	if ! trace-cmd report "$tmp/fixed.dat" >"$tmp/report" 2>"$tmp/err"; then
		echo "$2: trace-cmd report does not read what repair made:"
		cat "$tmp/err"
		bad=1
		return
	fi
	heads <"$tmp/report" >"$tmp/got"
	if ! cmp -s "$tmp/want" "$tmp/got"; then
		echo "$2: dump of the damaged (-) and report of the repaired file (+) differ"
		diff -u "$tmp/want" "$tmp/got" | head -n 10
		bad=1
	fi
	count=$((count + 1))
	events=$((events + $(wc -l <"$tmp/got")))
	rm -f "$tmp/fixed.dat"
}

for file in "$fixtures"/valid/*.dat; do
	name=$(basename "$file" .dat)
	case $name in
	*latency* | *zlib*) continue ;; # no events; a codec that Debian's trace-cmd lacks
	esac
	files=$((files + 1))
	takes $files || continue
	size=$(stat -c %s "$file")
	compare "$file" "$name" cut
	for percent in 55 83 97; do
		head -c $((size * percent / 100)) "$file" >"$tmp/cut.dat"
		compare "$tmp/cut.dat" "$name cut at $percent %" cut
	done
	# A page's worth of garbage in the midst of CPU data.
	cp "$file" "$tmp/cut.dat"
	chmod u+w "$tmp/cut.dat"
	head -c 600 /dev/zero | tr '\0' '\377' |
		dd of="$tmp/cut.dat" bs=1 seek=$((size * 7 / 10)) conv=notrunc 2>/dev/null
	compare "$tmp/cut.dat" "$name overwritten" garbage
done
echo "$count files, $events events"
[ "$count" -gt 20 ] && [ "$events" -gt 1000 ] || { echo "too few to tell"; bad=1; }
exit $bad
