#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Records programs of this folder and looks at the trace with trace-cmd and tdat. A case with
# "notify_" before it is recorded by notifications of system calls, one with "static_" with programs
# that are linked statically.
# usage: run.sh CASE TDAT FOLDER_OF_PROGRAMS SOURCE_DIR
set -eu
. "${0%/*}/common.sh"

case $case in
abi)
	if [ "$way$suffix" ]; then
		record 0 -- "$bin/record_abi$suffix" notify
	else
		record 0 -- "$bin/record_abi"
	fi
	grep -q 'all as it should be' "$tmp/stdout" || die "$(cat "$tmp/stdout")"
	for n in 17 18 19 20 21 30; do count "field1=$n " 1; done
	count 'field1=50 ' 2
	count 'field1=60 ' 1
	count 'field1=70 ' 1
	count 'checked: *data=Test$' 1
	count 'empty:' 1
	count 'multi_0: *a=80$' 1
	count 'multi_1: *b=81$' 1
	count 'other_multi_2: *a=82$' 1
	# Those, the one of the untouched page, and the line that tells the CPUs.
	count . 17
	same_as_trace_cmd
	;;
early)
	record 0 -- "$bin/record_early$suffix"
	count 'early: *count=7$' 1
	same_as_trace_cmd
	;;
threads)
	n=${TDAT_RECORD_EVENTS:-20000} threads=8
	[ -z "$suffix" ] || n=${TDAT_RECORD_EVENTS:-100000} threads=4
	record 0 -- "$bin/record_load$suffix" $threads "$n"
	count . $((threads * n + 1))
	# Each thread's numbers from 0, none left out, in order.
	awk '/load:/ { sub(/.*thread=/, ""); sub("number=", ""); if ($2 != next_of[$1] + 0) exit 1
		next_of[$1]++ }' "$tmp/text" || die "numbers of a thread are not in order"
	in_order
	same_as_trace_cmd
	;;
forks)
	record 0 -- "$bin/record_forks$suffix" 200 50
	count 'fork: ' 10000
	awk '/fork:/ { pid = $0; sub(/.*pid=/, "", pid); sub(/ .*/, "", pid)
		sub(/.*number=/, ""); if ($0 + 0 != n[pid] + 0) exit 1; n[pid]++ }' "$tmp/text" ||
		die "numbers of a process are not in order"
	# The task of each event is the process that wrote it.
	awk '/fork:/ { task = $1; sub(/.*-/, "", task); sub(/.*pid=/, ""); if ($1 != task) exit 1 }' \
		"$tmp/text" || die "an event of another task"
	;;
kill)
	record 137 -- "$bin/record_killed$suffix"
	while read -r thread least; do
		n=$(grep -c "thread=$thread " "$tmp/text")
		[ "$n" -ge "$least" ] || die "thread $thread: $n events of $least"
	done <"$tmp/stdout"
	awk '/killed:/ { sub(/.*thread=/, ""); sub("number=", ""); if ($2 != next_of[$1] + 0) exit 1
		next_of[$1]++ }' "$tmp/text" || die "an event is missing"
	;;
lost)
	# A ring of 64 KiB that is not waited for: what is there and what is lost make all.
	record 1 --ring-size 64K --wait 0 -- "$bin/record_load$suffix" 4 200000
	lost=$(sed -n 's/.*: \([0-9]*\) events were lost.*/\1/p' "$tmp/stderr")
	n=$(grep -c 'load:' "$tmp/text")
	[ $((n + lost)) = 800000 ] || die "$n events and $lost lost are not 800000"
	told=$("$tdat" stat --json "$out" | jq '.[0] | .lost + .lost_unknown')
	[ "$told" -gt 0 ] || die "the trace tells of no loss"
	;;
python)
	python3=$(command -v python3) || exit 77
	! "$tdat" user-events record -q -f -o "$out" -- "$python3" -c 'pass' 2>&1 |
		grep -q 'cannot be recorded' || exit 77
	record 0 -- "$python3" "$source/tests/user-events/ctypes_events.py"
	count 'python: *number=3 text=line 3$' 2
	count 'python: *number=10 text=file$' 2
	count . 23
	same_as_trace_cmd
	;;
refused)
	for what in setuid missing script; do
		case $what in
		setuid)
			cp "$bin/record_load$suffix" "$tmp/setuid"
			chown 65534 "$tmp/setuid" 2>/dev/null || continue
			chmod u+s,a+x "$tmp/setuid"
			program=$tmp/setuid why='it is setuid' ;;
		missing) program=$tmp/nothing why='is not an executable program' ;;
		script)
			cp "$bin/record_load" "$tmp/setgid"
			chown 65534:65534 "$tmp/setgid" 2>/dev/null || continue
			chmod g+s,a+x "$tmp/setgid"
			printf '#!%s\n' "$tmp/setgid" >"$tmp/script"
			chmod +x "$tmp/script"
			program=$tmp/script why='it is setgid' ;;
		esac
		got=0
		"$tdat" user-events record -f -o "$out" -- "$program" 2>"$tmp/stderr" || got=$?
		[ "$got" = 1 ] || die "$what: exit status $got"
		grep -q "$why" "$tmp/stderr" || die "$what: $(cat "$tmp/stderr")"
		[ ! -e "$out" ] || die "$what: left a file"
	done
	# A child that cannot be recorded is told of.
	[ -x "$bin/record_early_static" ] || exit 0
	record 1 -- /bin/sh -c "$bin/record_early_static"
	grep -q 'cannot be recorded: .*record_early_static: it is linked statically' "$tmp/stderr" ||
		die "a static child: $(cat "$tmp/stderr")"
	;;
enable)
	record 1 --enable 'lo?d' --enable 'x*' -- "$bin/record_early$suffix"
	record 0 --enable 'lo?d' -- "$bin/record_load$suffix" 1 10
	count 'load:' 10
	# Disabled from elsewhere while it runs, and enabled again: the bits follow.
	"$tdat" user-events record $way -f -q -o "$out" --control "$tmp/socket" --enable none -- \
		"$bin/record_waits$suffix" >"$tmp/stdout" 2>"$tmp/stderr" &
	i=0
	until grep -q ready "$tmp/stdout" || [ $((i += 1)) -gt 100 ]; do sleep 0.05; done
	"$tdat" user-events enable --control "$tmp/socket" 'wait*' | grep -q 'enabled: 1 event' ||
		die "enable: $(cat "$tmp/stderr")"
	wait $! || die "waits: $(cat "$tmp/stdout" "$tmp/stderr")"
	"$tdat" dump "$out" | grep -q 'waits: *parent=1$' || die "no event of the parent"
	"$tdat" dump "$out" | grep -q 'waits: *parent=0$' || die "no event of the child"
	"$tdat" dump "$out" | grep -q 'waits: *parent=2$' || die "no event of the child's child"
	[ ! -e "$tmp/socket" ] || die "the socket stays"
	;;
cxx)
	command -v c++ >/dev/null || exit 77
	c++ -O1 -o "$tmp/cxx" "$source/tests/user-events/stream.cc" || die "does not compile"
	record 0 -- "$tmp/cxx"
	count 'stream: *count=1$' 1
	count 'stream: *count=2$' 1
	count . 3
	;;
rust)
	# rustup has a program of that name also for users who have no compiler.
	rustc --version >/dev/null 2>&1 || { echo "rustc is not installed" && exit 77; }
	rustc --edition 2021 -O -o "$tmp/rust" "$source/tests/user-events/events.rs" 2>"$tmp/stderr" ||
		die "does not compile: $(cat "$tmp/stderr")"
	record 0 -- "$tmp/rust"
	count 'rust: *thread=[0-3] number=[0-9]* text=line [0-9]*$' 400
	count 'rust: *thread=2 number=99 text=line 99$' 1
	count . 401
	same_as_trace_cmd
	in_order
	;;
scribble)
	# A program that destroys the memory it shares costs its own events, not the recorder.
	for seed in 1 2 3 4 5 6; do
		got=0
		timeout 60 "$tdat" user-events record -f -o "$out" -- "$bin/record_scribble" $seed \
			>"$tmp/stdout" 2>"$tmp/stderr" || got=$?
		[ "$got" -le 1 ] || die "seed $seed: exit status $got: $(cat "$tmp/stderr")"
		"$tdat" check "$out" >"$tmp/check" || die "seed $seed: $(cat "$tmp/check")"
		! grep -q 'not written' "$tmp/stdout" || die "$(cat "$tmp/stdout")"
	done
	;;
definition)
	# So it does with definitions of events: theirs are counted as lost, others are there.
	record 1 -- "$bin/record_scribble" definition
	count 'sound: *a=[258]$' 3
	count . 7 # the line that tells the CPUs, and those that tell the losses
	[ "$(grep -c '(the definition of event [01])' "$tmp/stderr")" = 2 ] || die "$(cat "$tmp/stderr")"
	grep -q ': 6 events were lost' "$tmp/stderr" || die "$(cat "$tmp/stderr")"
	;;
strict | filter)
	# A program that lets itself do no more than write and end: no call of ours ends it.
	record 0 -- "$bin/record_strict" "$case"
	count 'strict: *a=' 1000
	in_order
	same_as_trace_cmd
	;;
kshark)
	[ -x "$bin/../kshark/kshark_count" ] || exit 77
	record 0 -- "$bin/record_load$suffix" 4 1000
	n=$("$bin/../kshark/kshark_count" "$out" 2>/dev/null | awk '{ print $1 }')
	[ "$n" = 4000 ] || die "KernelShark loads $n entries, not 4000"
	;;
*)
	die "unknown case"
	;;
esac
