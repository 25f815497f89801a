#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check calls clean what the importers and the writer make and what recorders made;
# and what it calls clean dumps to its end: status 0, nothing on stderr, as many
# lines of events as check counts.
# usage: clean.sh TDAT SOURCE_DIR [SHARED]
set -eu
. "$(dirname "$0")/../part.sh"
tdat=$1
fixtures=$2/tests/fixtures
shared=${3:-}
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
export LC_ALL=C TZ=UTC
bad=0
made=0
recorded=0
captures=0

complain() {
	echo "$*"
	bad=$((bad + 1))
}

# clean FILE WHAT
clean() {
	if ! "$tdat" check --json "$1" >"$tmp/check" 2>&1; then
		complain "$2: not clean:"
		"$tdat" check "$1" | head -n 5
		return
	fi
	want=$(jq '.[0].events' "$tmp/check")
	got=$("$tdat" dump --json "$1" 2>"$tmp/err" | wc -l) || complain "$2: dump fails"
	[ ! -s "$tmp/err" ] || complain "$2: dump says $(head -n 1 "$tmp/err")"
	[ "$got" = "$want" ] || complain "$2: check counts $want events, dump prints $got"
	"$tdat" dump "$1" >/dev/null 2>"$tmp/err" || complain "$2: dump ends with an error"
}

# convert WHAT ARGUMENT...
convert() {
	what=$1
	shift
	rm -f "$tmp/out.dat"
	# Doubtful captures end with 1 and are written nevertheless.
	"$tdat" convert -q -f -o "$tmp/out.dat" "$@" >/dev/null 2>"$tmp/err" || :
	if [ ! -s "$tmp/out.dat" ]; then
		# What cannot be turned into the other byte order is named, and not written.
		case $* in *--endian*) return ;; esac
		complain "$what: not converted: $(head -n 1 "$tmp/err")"
		return
	fi
	made=$((made + 1))
	clean "$tmp/out.dat" "$what"
}

for file in "$fixtures"/valid/*.dat ${shared:+"$shared"/corpus/files/*.dat}; do
	name=$(basename "$file" .dat)
	recorded=$((recorded + 1))
	takes $recorded || continue
	if "$tdat" info --json "$file" | jq -e '.[0].latency' >/dev/null; then # text, no events
		"$tdat" check -q "$file" || complain "$name: not clean"
		continue
	fi
	clean "$file" "$name"
	# Each shape once is enough of the larger corpus.
	[ -z "$shared" ] || case $name in x64-lab612-* | i386-*) continue ;; esac
	convert "$name to version 6" --file-version 6 "$file"
	for codec in none zlib zstd; do
		convert "$name to $codec" --file-version 7 --compression $codec "$file"
	done
	convert "$name to the other order" --endian big "$file"
	convert "$name to this order" --endian little "$file"
done

for dir in "$fixtures"/foreign/*/*/ ${shared:+"$shared"/samples/*/*/}; do
	kind=$(basename "$(dirname "$dir")")
	name=$kind/$(basename "$dir")
	case $kind in kmemtrace | ktr | gtsc | tracefs) ;; *) continue ;; esac
	captures=$((captures + 1))
	takes $captures || continue
	for version in 6 7; do
		convert "$name, version $version" --from "$kind" --file-version $version "$dir"
	done
done
echo "$recorded recorded files and $captures captures${TDAT_PART:+, of which part $TDAT_PART}: $made made, $bad complaints"
[ "$made" -gt 50 ] || { echo "too few"; bad=1; }
[ "$bad" = 0 ]
