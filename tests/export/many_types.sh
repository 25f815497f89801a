#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A file of 2,600 event types, each with rows, becomes the same bytes with one thread and with three.
# Its export takes at most 200 MiB with any number of threads, also of a data set of four such files,
# and about as much with four times as many rows. Rows of later pieces of the file alone
# fill the memory for rows that wait, which must not make all threads wait for each other.
# With ROWS nothing but memory is looked at, of files with so many rows of each type:
# bench/export_memory.sh.
# usage: many_types.sh MAKE_TYPES TDAT FOLDER [ROWS]
set -euo pipefail

make_types=$1 tdat=$2 folder=$3 rows=${4:-300}
# Each export brings thousands of files to the disk, which takes minutes where it is slow.
if [ -z "${4:-}" ] && [ "$(df --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 2000000 ] 2>/dev/null; then
	folder=$(mktemp -d /dev/shm/many_types.XXXXXX)
	trap 'rm -rf "$folder"' EXIT
fi
rm -rf "$folder"
mkdir -p "$folder"
types=2600
! grep -q __asan_init "$tdat" || types=600 # its memory is not looked at, and it is slow
# Most memory that a command had, in KiB, is the status line that it leaves in $folder/memory.
measured() {
	python3 -c '
import resource, subprocess, sys
rc = subprocess.run(sys.argv[2:]).returncode
open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(rc)' "$folder/memory" "$@"
}
# export_at_most MIB WHAT FORMAT THREADS FILE...: fails where the export takes more, which is left in
# $had; a sanitizer's own memory is not counted.
export_at_most() {
	local most=$1 what=$2 to=$3 threads=$4
	shift 4
	measured "$tdat" export -q --to "$to" --threads "$threads" -o "$folder/out" "$@"
	had=$(($(cat "$folder/memory") / 1024))
	echo "$what: $had MiB"
	grep -q __asan_init "$tdat" || [ "$had" -le "$most" ] || { echo "more than $most MiB"; exit 1; }
	rm -rf "$folder/out"
}
same_bytes() { # of half as many types: memory is not looked at
	local types=$((types / 2))
	"$make_types" "$folder/types.dat" $types 100
	for to in arrow parquet; do
		for threads in 1 3; do
			"$tdat" export -q --to $to --threads $threads -o "$folder/$to.$threads" \
				"$folder/types.dat"
		done
		diff -r "$folder/$to.1" "$folder/$to.3"
		count=$(find "$folder/$to.1" -name "*.$to" | wc -l)
		[ "$count" -ge $types ] || { echo "only $count tables"; exit 1; }
		rm -rf "$folder/$to".[13]
	done
	export_at_most 150 "csv, 2 threads" csv 2 "$folder/types.dat"
}
[ -n "${4:-}" ] || same_bytes
"$make_types" "$folder/1.dat" $types "$rows"
for n in 2 3 4; do
	ln "$folder/1.dat" "$folder/$n.dat"
done
all_threads='1 2 4 8' set_threads='2 8'
[ -n "${4:-}" ] || all_threads='' set_threads=8
for threads in $all_threads; do
	export_at_most 200 "parquet of $rows rows each, $threads threads" parquet $threads "$folder/1.dat"
done
for threads in $set_threads; do
	export_at_most 200 "four files, $threads threads" parquet $threads "$folder"/[1234].dat
done
if [ -z "${4:-}" ] && ! grep -q __asan_init "$tdat"; then
	export_at_most 200 "2 threads" parquet 2 "$folder/1.dat"
	least=$had
	"$make_types" "$folder/rows.dat" $types $((4 * rows))
	export_at_most $((least + 16)) "with four times as many rows" parquet 2 "$folder/rows.dat"
fi
rm -rf "$folder"
