#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A file of 2,600 event types, each with rows, becomes the same bytes with one thread and with three,
# and an export of a file with three times as many rows takes at most 200 MiB with two threads.
# Rows of later pieces of the file alone fill the memory for rows that wait, which must not make
# all threads wait for each other.
# usage: many_types.sh MAKE_TYPES TDAT FOLDER
set -euo pipefail

make_types=$1 tdat=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
types=2600
! grep -q __asan_init "$tdat" || types=600 # its memory is not looked at, and it is slow
"$make_types" "$folder/types.dat" $types 100
# Most memory that a command had, in KiB, is the status line that it leaves in $folder/memory.
measured() {
	python3 -c '
import resource, subprocess, sys
rc = subprocess.run(sys.argv[2:]).returncode
open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(rc)' "$folder/memory" "$@"
}
# Fails where the last command had more than so many MiB; a sanitizer's own memory is not counted.
at_most() {
	local had
	had=$(($(cat "$folder/memory") / 1024))
	echo "$2: $had MiB"
	grep -q __asan_init "$tdat" || [ "$had" -le "$1" ] || { echo "$2: more than $1 MiB"; exit 1; }
}
for to in arrow parquet; do
	for threads in 1 3; do
		"$tdat" export -q --to $to --threads $threads -o "$folder/$to.$threads" "$folder/types.dat"
	done
	diff -r "$folder/$to.1" "$folder/$to.3"
	count=$(find "$folder/$to.1" -name "*.$to" | wc -l)
	[ "$count" -ge $types ] || { echo "only $count tables"; exit 1; }
	rm -rf "$folder/$to".[13]
done
"$make_types" "$folder/rows.dat" $types 300
measured "$tdat" export -q --to parquet --threads 2 -o "$folder/out" "$folder/rows.dat"
at_most 200 parquet
rm -rf "$folder/out"
for to in arrow csv; do
	measured "$tdat" export -q --to $to --threads 2 -o "$folder/out" "$folder/types.dat"
	at_most 150 $to
	rm -rf "$folder/out"
done
measured "$tdat" export -q --to parquet --threads 2 -o "$folder/lake" "$folder/rows.dat" \
	"$folder/types.dat"
at_most 260 'two files at once'
rm -rf "$folder"
