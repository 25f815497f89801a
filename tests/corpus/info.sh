#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat info --json of real files against "trace-cmd dump --all" of them: version,
# byte order, sizes and counts of the metadata, options, sections, CPU data.
# usage: info.sh TDAT fixtures SOURCE_DIR   asks the installed trace-cmd
#        info.sh TDAT shared SOURCE_DIR     uses the stored outputs of the corpus
set -euo pipefail
export LC_ALL=C
tdat=$1
which=$2
src=$3
# shellcheck source=tests/part.sh
. "$src/tests/part.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# The facts of trace-cmd's text. Option BUFFER is read by it and not counted the
# same way in both versions; DONE is no content.
facts_of_dump() {
	awk '
	$2 == "[Version]" { print "version " $1; version = $1 }
	$2 == "[Little" || $2 == "[Big" { print "endian " ($1 == 1 ? "big" : "little") }
	/\[Bytes in a long\]/ { print "long " $1 }
	/^\t\t[0-9]+\t\[Page size, bytes\]/ { print "page " $1 }
	/^\t\[Header page, / { print "header_page " $3 }
	/^\t\[Header event, / { print "header_event " $3 }
	/^\t\[Ftrace format, / { print "ftrace " $3 }
	/^\t\[Events format, / { print "systems " $3 }
	/^\t\t.* \[system, events\]$/ { events += $2 }
	/^\t\[Kallsyms, / { print "kallsyms " $2 }
	/^\t\[Trace printk, / { print "printk " $3 }
	/^\t\[Saved command lines, / { print "cmdlines " $4 }
	/^\t\t\[Option .* bytes\]/ && !/\[Option (BUFFER|DONE),/ {
		n = $0; sub(/ bytes\].*/, "", n); sub(/.*, /, "", n); print "option " n
	}
	/\[id, data offset and size\]/ { print "cpu " $1 " " $2 " " $3 }
	/\[offset, size of cpu / { c = $NF; sub(/\]/, "", c); print "cpu " c " " $1 " " $2 }
	/^\t\[Section +[0-9]+ @ [0-9]+: / {
		n = $0; sub(/ bytes\].*/, "", n); sub(/.*, /, "", n)
		o = $4; sub(/:/, "", o); print "section " $2 " " o " " n
	}
	END { print "events " events + 0 }' | sort -u
}

# Version 6 has no sections and tells CPU data of the top buffer only; the strings
# section is listed by trace-cmd without its stored size.
facts_of_info() {
	jq -r '.[0] as $f | $f | (
		"version \(.version)", "endian \(.endian)", "long \(.long_size)",
		"page \(.page_size)",
		(.metadata | "header_page \(.header_page_bytes)",
			"header_event \(.header_event_bytes)", "ftrace \(.ftrace_events)",
			"systems \(.systems)", "events \(.events)",
			"kallsyms \(.kallsyms_bytes)", "printk \(.printk_bytes)",
			"cmdlines \(.cmdlines_bytes)"),
		(.options[] | select(.name != "BUFFER" and .name != "BUFFER_TEXT"
			and .name != "DONE") | "option \(.bytes)"),
		(.buffers[] | select(.latency | not)
			| select($f.version == 7 or .name == "") | .cpus[]
			| "cpu \(.cpu) \(.offset) \(.bytes)"),
		(if .version == 7 then .sections[] | select(.id != 15)
			| "section \(.id) \(.offset) \(.bytes)" else empty end))' | sort -u
}

compared=0
differ=0
compare() {
	local name=$1
	facts_of_dump <"$tmp/dump" >"$tmp/want"
	if ! "$tdat" info --json -v "$2" 2>"$tmp/err" | facts_of_info >"$tmp/got"; then
		echo "$name: tdat info failed: $(head -n 1 "$tmp/err")"
		differ=$((differ + 1))
		return
	fi
	compared=$((compared + 1))
	[ "$(wc -l <"$tmp/want")" -ge 10 ] || { echo "$name: too few facts"; differ=$((differ + 1)); }
	if ! diff "$tmp/want" "$tmp/got" >"$tmp/diff"; then
		echo "$name: trace-cmd (<) and tdat info (>) differ:"
		head -n 12 "$tmp/diff"
		differ=$((differ + 1))
	fi
}

case $which in
fixtures)
	for file in "$src"/tests/fixtures/valid/*.dat; do
		# Debian builds trace-cmd without zlib.
		case $file in *zlib*) continue ;; esac
		trace-cmd dump --all "$file" >"$tmp/dump" 2>"$tmp/err"
		compare "$(basename "$file")" "$file"
	done
	;;
shared)
	shared=${TDAT_SHARED:-$src/../shared}
	for file in $(part_of "$shared"/corpus/files/*.dat); do
		name=$(basename "$file" .dat)
		# trace-cmd could not read these itself.
		grep -q "^$name\.dump " "$shared/corpus/ref/FAILURES.txt" && continue
		xz -dc "$shared/corpus/ref/$name.dump.xz" >"$tmp/dump"
		compare "$name" "$file"
	done
	;;
esac
echo "$which: $compared files, $differ differ"
[ "$compared" -gt 10 ] && [ "$differ" = 0 ]
