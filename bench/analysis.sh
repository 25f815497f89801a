#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Derived tables: million events a second of one core (user and system time, least of some runs),
# and tdat latency against tdat stat on one thread.
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

# table NAME EVENT: the table, if the file has that event.
table() {
	grep -q "\"$2\"" "$tmp/stat.json" || return 0
	ms=$(least_cpu "$tdat" export -q --to arrow --threads 1 --table "$1" -o - "$file")
	awk -v n="export --table $1" -v e="$events" -v t="$ms" 'BEGIN {
		printf "%-30s %8d events %7.1f ms CPU %6.1f M events/s\n", n, e, t, e / t / 1000 }'
}

for one in sched:sched_switch thread_state:sched_switch wakeup:sched_waking migration:sched_switch \
	irq:irq_handler_entry softirq:softirq_entry timer:timer_expire_entry syscall:sys_enter \
	function:funcgraph_entry counter:kmalloc block_io:block_rq_issue; do
	table "${one%:*}" "${one#*:}"
done

stat=$(least_cpu "$tdat" stat --threads 1 "$file")
echo "stat --threads 1: $stat ms CPU"
for one in syscall:sys_enter wakeup:sched_waking irq:irq_handler_entry; do
	grep -q "\"${one#*:}\"" "$tmp/stat.json" || continue
	ms=$(least_cpu "$tdat" latency --table "${one%:*}" "$file")
	awk -v n="latency --table ${one%:*}" -v t="$ms" -v s="$stat" 'BEGIN {
		printf "%-30s %7.1f ms CPU %5.1f x stat\n", n, t, t / s }'
done
