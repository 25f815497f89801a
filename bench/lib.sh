# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by the scripts here: sourced, never run.

# input FILE: sets $file to FILE, unpacked if it is an .xz (empty: the shared
# big/mixed.dat.xz), and $tmp to a folder that goes away at the end.
input() {
	here=$(cd "$(dirname "$0")/.." && pwd)
	file=${1:-${TDAT_SHARED:-$here/../shared}/corpus/big/mixed.dat.xz}
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/tdat-bench-XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	case $file in
	*.xz)
		xz -dc "$file" >"$tmp/in.dat"
		file=$tmp/in.dat
		;;
	esac
}

# Nanoseconds of one command; its output goes to $out, a new file or a device: to empty
# an old one takes time, too.
nanoseconds() {
	[ ! -f "$out" ] || rm -f "$out"
	start=$(date +%s%N)
	# shellcheck disable=SC2154 # out is the caller's
	"$@" >"$out" 2>"$tmp/err"
	echo $(($(date +%s%N) - start))
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# Least CPU time of $runs runs of a command, in milliseconds.
least_cpu() {
	# shellcheck disable=SC2154 # runs is the caller's
	python3 "$(dirname "$0")/cpu.py" "$runs" "$@"
}

# Peak resident memory of one command, in KiB.
peak() {
	"$@" >/dev/null 2>&1 &
	pid=$!
	most=0
	while kill -0 "$pid" 2>/dev/null; do
		now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true)
		[ "${now:-0}" -gt "$most" ] && most=$now
		sleep 0.01
	done
	wait "$pid" || true
	echo "$most"
}

# memory: sets $mem to a folder in memory where that is to be had, which goes away at
# the end; else to $tmp, and the disk is measured.
memory() {
	mem=$tmp
	[ ! -w /dev/shm ] || mem=$(mktemp -d /dev/shm/tdat-bench-XXXXXX)
	trap 'rm -rf "$tmp" "$mem"' EXIT
}
