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

# Nanoseconds of one command; its output goes to $out.
nanoseconds() {
	start=$(date +%s%N)
	# shellcheck disable=SC2154 # out is the caller's
	"$@" >"$out" 2>"$tmp/err"
	echo $(($(date +%s%N) - start))
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
