#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a write of an event costs in a program under tdat user-events record, beside the same program
# writing to /dev/null: nanoseconds of its thread and that passed, for each event, by turns. Recording
# by notifications, with a tenth of the events, is measured in the same turns.
# usage: user_events.sh TDAT [EVENTS] [RUNS] [THREADS...]
set -eu
tdat=$1
events=${2:-1000000}
runs=${3:-5}
[ $# -lt 3 ] || shift 3
[ $# -gt 0 ] && [ "$1" != "$tdat" ] || set -- 1 8
load=$(dirname "$tdat")/../tests/user-events/record_load
[ -x "$load" ] || { echo "$load is not built" >&2; exit 1; }
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
tmp=$(TMPDIR=${TMPDIR:-/tmp} mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# median FIELD FILE
median() {
	awk -v f="$1" '{ print $f }' "$2" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

for threads; do
	rm -f "$tmp/record" "$tmp/notify" "$tmp/null"
	lost=0
	i=0
	while [ $((i += 1)) -le "$runs" ]; do
		"$load" "$threads" "$events" /dev/null >>"$tmp/null"
		"$tdat" user-events record -f -o "$tmp/out.dat" -- "$load" "$threads" "$events" \
			>>"$tmp/record" 2>"$tmp/err" || lost=$((lost + 1))
		"$tdat" user-events record --notify -f -o "$tmp/out.dat" -- "$load" "$threads" \
			$((events / 10)) >>"$tmp/notify" 2>"$tmp/err" || lost=$((lost + 1))
	done
	# "wall N ns, cpu N ns for each event"
	echo "$threads threads, $events events each: recorded $(median 5 "$tmp/record") ns of CPU," \
		"$(median 2 "$tmp/record") ns passed; by notifications" \
		"$(median 5 "$tmp/notify") ns of CPU, $(median 2 "$tmp/notify") ns passed; /dev/null $(median 5 "$tmp/null") ns of CPU," \
		"$(median 2 "$tmp/null") ns passed; runs with losses: $lost of $runs"
done
