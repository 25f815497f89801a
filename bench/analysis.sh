#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Derived tables: million events a second of one core (user and system time, least of some runs),
# tdat latency of each against tdat stat on one thread, and of all the peak memory.
# usage: bench/analysis.sh TDAT [FILE.dat] [RUNS]
#   FILE.dat may also be an .xz; without a file the shared big/mixed.dat.xz is used. Tables whose
#   events the file does not have are left out.
set -eu

tdat=${1:?usage: analysis.sh TDAT [FILE.dat] [RUNS]}
runs=${3:-9}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
input "${2:-}"

"$tdat" stat --json "$file" >"$tmp/stat.json"
events=$(sed -nE '0,/"events":/s/.*"events": ([0-9]+).*/\1/p' "$tmp/stat.json")

# row NAME EVENT COMMAND...: events a second, ratio to stat and memory, if the file has that event.
row() {
	name=$1
	grep -q "\"$2\"" "$tmp/stat.json" || return 0
	shift 2
	ms=$(least_cpu "$@")
	mem=$(peak "$@")
	awk -v n="$name" -v e="$events" -v t="$ms" -v s="$stat" -v m="$mem" 'BEGIN {
		printf "%-30s %7.1f ms CPU %6.1f M events/s %5.1f x stat %6.1f MiB\n",
			n, t, e / t / 1000, t / s, m / 1024 }'
}

stat=$(least_cpu "$tdat" stat --threads 1 "$file")
echo "$events events, stat --threads 1: $stat ms CPU"
for one in sched:sched_switch thread_state:sched_switch wakeup:sched_waking migration:sched_switch \
	irq:irq_handler_entry softirq:softirq_entry timer:timer_expire_entry \
	workqueue:workqueue_execute_start syscall:sys_enter function:funcgraph_entry \
	counter:kmalloc block_io:block_rq_issue; do
	row "export --table ${one%:*}" "${one#*:}" "$tdat" export -q --to arrow --threads 1 \
		--table "${one%:*}" -o - "$file"
	row "latency --table ${one%:*}" "${one#*:}" "$tdat" latency --table "${one%:*}" "$file"
done
row "latency --pair, sys_enter" sys_enter "$tdat" latency --table mine --pair \
	'mine: raw_syscalls/sys_enter(common_pid) -> raw_syscalls/sys_exit(common_pid)' "$file"
row "latency --pair, kmem" kmem_cache_alloc "$tdat" latency --table mine --pair \
	'mine: kmem/kmem_cache_alloc(ptr) -> kmem/kmem_cache_free(ptr)' "$file"
row "profile" sched_switch "$tdat" profile "$file"
row "flame --of off-cpu" sched_switch "$tdat" flame --of off-cpu "$file"
row "flame --of function" funcgraph_entry "$tdat" flame --of function "$file"
row "diff, of the file with itself" sched_switch "$tdat" diff --threads 1 "$file" "$file"
row "stat --by comm,pid" sched_switch "$tdat" stat --by comm,pid "$file"
