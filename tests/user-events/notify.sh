#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Records by notifications of system calls what only these can record, and ends recordings early.
# usage: notify.sh CASE TDAT FOLDER_OF_PROGRAMS SOURCE_DIR
set -eu
. "${0%/*}/common.sh"

# wait_for FILE PATTERN: until a line of a program is there.
wait_for() {
	i=0
	until grep -q "$2" "$1"; do
		[ $((i += 1)) -lt 600 ] || die "no '$2': $(cat "$tmp/stdout" "$tmp/stderr")"
		can_notify "$tmp/stderr"
		sleep 0.05
	done
}

case $case in
calls)
	for program in "$bin/record_notify" "$bin/record_notify_static"; do
		[ -x "$program" ] || continue
		# One event is too long for a page, and counted as lost.
		record 1 -- "$program" "$bin/record_forks"
		grep -q 'all as it should be' "$tmp/stdout" || die "$(cat "$tmp/stdout")"
		grep -q ': 1 event was lost' "$tmp/stderr" || die "$(cat "$tmp/stderr")"
		count 'signalled: ' 20000
		count 'numbers: ' 1
		count 'fork: ' 100
		count 'long: ' 1
		awk '/signalled:/ { sub(/.*number=/, ""); if ($0 + 0 != n + 0) exit 1; n++ }' \
			"$tmp/text" || die "an event is missing, or there twice"
		same_as_trace_cmd
	done
	;;
go)
	# Compiled once for each build folder, as the compiler makes its own library first.
	go=$(command -v go || echo /usr/local/go/bin/go)
	[ -x "$go" ] || { echo "go is not installed" && exit 77; }
	GOCACHE=$bin/go-cache CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS='' "$go" build -o "$tmp/go" \
		"$source/tests/user-events/events.go" 2>"$tmp/stderr" ||
		die "does not compile: $(cat "$tmp/stderr")"
	record 0 -- "$tmp/go"
	count 'golang: ' 8000
	awk '/golang:/ { sub(/.*thread=/, ""); sub("number=", ""); if ($2 != n[$1] + 0) exit 1
		n[$1]++ }' "$tmp/text" || die "numbers of a thread are not in order"
	in_order
	same_as_trace_cmd
	;;
mixed)
	# Static and dynamic programs that a static and a dynamic one start.
	[ -x "$bin/record_forks_static" ] || exit 77
	record 0 -- /bin/sh -c "'$bin/record_forks_static' 8 10 && '$bin/record_forks' 8 10 &&
		'$bin/record_early_static' && '$bin/record_load' 2 100"
	count 'fork: ' 160
	count 'early: ' 1
	count 'load: ' 200
	same_as_trace_cmd
	;;
refused)
	# Under a recorder that answers calls already, and where memory cannot be read.
	got=0
	"$tdat" user-events record --notify -f -o "$out" -- "$tdat" user-events record --notify \
		-f -o "$tmp/inner.dat" -- "$bin/record_load" 1 1 >"$tmp/stdout" 2>"$tmp/stderr" ||
		got=$?
	[ "$got" = 1 ] || die "exit status $got: $(cat "$tmp/stderr")"
	grep -q 'another process already handles' "$tmp/stderr" || can_notify "$tmp/stderr"
	grep -q 'another process already handles' "$tmp/stderr" || die "$(cat "$tmp/stderr")"
	[ ! -e "$tmp/inner.dat" ] || die "left a file"
	got=0
	"$bin/record_blocks" "$tdat" user-events record --notify -o "$tmp/inner.dat" -- \
		"$bin/record_load" 1 1 >"$tmp/stdout" 2>"$tmp/stderr" || got=$?
	[ "$got" != 77 ] || exit 77
	grep -q 'its memory cannot be read' "$tmp/stderr" || die "$got: $(cat "$tmp/stderr")"
	[ "$got" = 1 ] && [ ! -s "$tmp/stdout" ] && [ ! -e "$tmp/inner.dat" ] ||
		die "exit status $got, or left a file"
	;;
ends)
	# After the recording was ended its programs go on, and their calls are answered.
	mkfifo "$tmp/go"
	program='echo ready $$; read line <"$0"; exec 3</dev/null; (exit 0) && echo done'
	"$tdat" user-events record --notify -f -o "$out" -- /bin/sh -c "$program" "$tmp/go" \
		>"$tmp/stdout" 2>"$tmp/stderr" &
	recorder=$!
	wait_for "$tmp/stdout" ready
	kill -INT $recorder
	kill -QUIT $recorder
	wait_for "$tmp/stderr" 'the recording has ended'
	"$tdat" check "$out" >"$tmp/check" || die "$(cat "$tmp/check")"
	echo >"$tmp/go"
	wait_for "$tmp/stdout" done
	wait $recorder || die "exit status $?: $(cat "$tmp/stderr")"
	! grep -q 'the recorder ends' "$tmp/stderr" || die "did not stay"
	# A recorder that is killed leaves programs whose calls fail, and that end.
	: >"$tmp/stdout" >"$tmp/stderr"
	"$tdat" user-events record --notify -f -o "$out" -- /bin/sh -c "$program" "$tmp/go" \
		>"$tmp/stdout" 2>"$tmp/stderr" &
	recorder=$!
	wait_for "$tmp/stdout" ready
	child=$(sed -n 's/^ready //p' "$tmp/stdout")
	kill -KILL $recorder
	wait $recorder || :
	# It may have opened the pipe before, or fail to open it now.
	timeout 5 sh -c 'echo >"$0"' "$tmp/go" || :
	i=0
	while kill -0 "$child" 2>/dev/null; do
		[ $((i += 1)) -lt 600 ] || die "a program hangs"
		sleep 0.05
	done
	;;
*)
	die "unknown case"
	;;
esac
