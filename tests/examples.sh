#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples do what they say: three events written, and three counted; user events recorded; a field
# printed between two times. The three smallest have at most 15, 20 and 25 lines of code.
# usage: examples.sh WRITE_THREE COUNT_EVENTS USER_EVENTS PRINT_FIELD
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

"$1" "$tmp/three.dat"
got=$("$2" "$tmp/three.dat")
[ "$got" = "3 events" ] || { echo "count_events printed: $got"; exit 1; }
[ "$("$4" "$tmp/three.dat" count 2000000 3500000)" = "2000000 1
3000000 2" ] || { echo "print_field printed: $("$4" "$tmp/three.dat" count 2000000 3500000)"; exit 1; }
lines() {
	count=$(grep -Ecv '^(/\*.*\*/)?$' "$(dirname "$0")/../examples/$1.c")
	[ "$count" -le "$2" ] || { echo "$1.c has $count lines of code"; exit 1; }
}
lines count_events 15
lines print_field 20
lines write_three 25
if "$1" "$tmp/three.dat" 2>"$tmp/err"; then
	echo "an existing file was replaced"
	exit 1
fi
grep -q "three.dat already exists" "$tmp/err" || { cat "$tmp/err"; exit 1; }
[ "$(ls -A "$tmp")" = "err
three.dat" ] || { ls -A "$tmp"; exit 1; }
command -v trace-cmd >/dev/null || { echo "no trace-cmd: its report is not compared"; exit 0; }
trace-cmd report -i "$tmp/three.dat" >"$tmp/report" 2>"$tmp/err"
[ ! -s "$tmp/err" ] || { cat "$tmp/err"; exit 1; }
grep -c "clock-42 .*tick:  *count=" "$tmp/report" | grep -qx 3 || { cat "$tmp/report"; exit 1; }
"$3" "$tmp/user.dat"
trace-cmd report -i "$tmp/user.dat" >"$tmp/report" 2>"$tmp/err"
[ ! -s "$tmp/err" ] || { cat "$tmp/err"; exit 1; }
grep -c "demo-42 .*test:  *count=[123] msg=hello$" "$tmp/report" | grep -qx 3 || { cat "$tmp/report"; exit 1; }
