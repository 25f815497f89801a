#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat hist: million events a second of one core (user and system time, least of some runs), and
# the ratio of that time to the one tdat stat takes on one thread for the same file; peak memory.
# usage: bench/hist.sh TDAT [FILE.dat] [RUNS]
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used. It needs
#   events of raw_syscalls, kmem and sched.
set -eu

tdat=${1:?usage: hist.sh TDAT [FILE.dat] [RUNS]}
runs=${3:-9}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${2:-}"

# row NAME FILE TRIGGER...
row() {
	name=$1
	in=$2
	shift 2
	events=$("$tdat" stat --json "$in" | sed -nE '0,/"events":/s/.*"events": ([0-9]+).*/\1/p')
	groups=$("$tdat" hist "$in" "$@" | awk '/Entries:/ { n += $2 } END { print n }')
	stat=$(least_cpu "$tdat" stat --threads 1 "$in")
	ms=$(least_cpu "$tdat" hist "$in" "$@")
	mem=$(peak "$tdat" hist "$in" "$@")
	awk -v n="$name" -v e="$events" -v g="$groups" -v t="$ms" -v s="$stat" -v m="$mem" 'BEGIN {
		printf "%-36s %8d events %7d groups %6.1f ms CPU %6.1f M events/s %5.1f x stat %6.1f MiB\n",
			n, e, g, t, e / (t ? t : 1) / 1000, t / (s ? s : 1), m / 1024 }'
}

row "few events of many" "$file" 'sched/sched_switch hist:keys=prev_pid,next_pid:size=131072'
"$tdat" split -q -i "$file" -F 'raw_syscalls/.*' -o "$tmp/calls.dat" --exact
row "all events, two keys, few groups" "$tmp/calls.dat" \
	'raw_syscalls/sys_enter hist:keys=common_cpu,id' 'raw_syscalls/sys_exit hist:keys=common_cpu,id'
row "all events, two keys, many groups" "$tmp/calls.dat" \
	'raw_syscalls/sys_enter hist:keys=common_pid,common_timestamp.buckets=1600000:size=131072' \
	'raw_syscalls/sys_exit hist:keys=common_pid,common_timestamp.buckets=1600000:size=131072'
row "latencies by variables" "$tmp/calls.dat" \
	'raw_syscalls/sys_enter hist:keys=common_pid:ts=common_timestamp.usecs' \
	'raw_syscalls/sys_exit hist:keys=common_pid:us=common_timestamp.usecs-$ts:onmax($us).save(id)'
