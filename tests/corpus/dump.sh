#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat dump of real files against the stored output of trace-cmd 3.1.6, byte by
# byte: plain, -N, and --raw-ts -R.
# usage: dump.sh TDAT fixtures SOURCE_DIR
#        dump.sh TDAT shared SOURCE_DIR   all core files of the shared corpus
set -euo pipefail
export LC_ALL=C TZ=UTC
tdat=$1
src=$3
# shellcheck source=tests/part.sh
. "$src/tests/part.sh"

case $2 in
fixtures)
	files=$src/tests/fixtures/valid
	refs=$files
	names=$(cd "$files" && printf '%s\n' *.dat | sed 's/\.dat$//')
	;;
shared)
	shared=${TDAT_SHARED:-$src/../shared}
	if [ ! -f "$shared/corpus/MANIFEST.md" ]; then
		echo "no shared corpus at $shared"
		exit 1
	fi
	files=$shared/corpus/files
	refs=$shared/corpus/ref
	names=$(awk -F'|' '/^\| / && $(NF - 1) ~ /yes/ { gsub(/ /, "", $2); print $2 }' \
		"$shared/corpus/MANIFEST.md")
	# shellcheck disable=SC2086 # no name has blanks
	names=$(part_of $names)
	;;
*)
	echo "what is $2?" >&2
	exit 2
	;;
esac

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
file_count=0
compared=0
differ=0
explained=0

# Says whether known.txt explains the difference; the rest must be equal.
known() {
	local event
	event=$(awk -v n="$1" -v w="$2" '$1 == n && $2 == w { print $3 }' \
		"$src/tests/corpus/known.txt")
	[ -n "$event" ] || return 1
	cmp -s <(grep -av " $event: " "$tmp/want") <(grep -av " $event: " "$tmp/got")
}

# compare NAME REFERENCE OPTION...
compare() {
	local name=$1 which=$2 ref=$refs/$1.$2.xz line
	shift 2
	if [ ! -f "$ref" ]; then
		echo "$name: $ref is missing"
		differ=$((differ + 1))
		return
	fi
	xz -dc "$ref" >"$tmp/want"
	compared=$((compared + 1))
	# The exit status tells of damage, and trace-cmd's files may be damaged.
	"$tdat" dump --compat 3.1 "$@" "$files/$name.dat" >"$tmp/got" 2>"$tmp/err" || true
	if cmp -s "$tmp/want" "$tmp/got"; then
		if known "$name" "$which"; then
			echo "$name $which: equal now, take it out of known.txt"
			differ=$((differ + 1))
		fi
		return
	fi
	if known "$name" "$which"; then
		explained=$((explained + 1))
		return
	fi
	differ=$((differ + 1))
	echo "$name: tdat dump $* differs from trace-cmd:"
	# The first line that differs, or that one of them lacks.
	line=$({ cmp "$tmp/want" "$tmp/got" 2>&1 || true; } |
		awk '{ n = $0; sub(/.*line /, "", n); print n + ($0 ~ /EOF/) }')
	sed -n "${line:-1}{p;q}" "$tmp/want" | cut -c1-300 | sed 's/^/  want: /'
	sed -n "${line:-1}{p;q}" "$tmp/got" | cut -c1-300 | sed 's/^/  got:  /'
	head -n 3 "$tmp/err" | sed 's/^/  /'
}

for name in $names; do
	file_count=$((file_count + 1))
	compare "$name" report
	compare "$name" report-N -N
	compare "$name" raw --raw-ts -R
done
echo "$2: $file_count files, $compared comparisons, $differ differ, $explained as known.txt says"
[ "$compared" -gt 20 ] || { echo "too few files: the check itself is broken"; exit 1; }
[ "$differ" = 0 ]
