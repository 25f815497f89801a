#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A file of 2,600 event types, each with rows, becomes the same bytes with one thread and with three.
# Rows of later pieces of the file alone fill the memory for rows that wait, which must not make
# all threads wait for each other.
# usage: many_types.sh MAKE_TYPES TDAT FOLDER
set -euo pipefail

make_types=$1 tdat=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
"$make_types" "$folder/types.dat" 2600 100
for threads in 1 3; do
	"$tdat" export --to arrow --threads $threads -o "$folder/$threads" "$folder/types.dat"
done
diff -r "$folder/1" "$folder/3"
count=$(find "$folder/1" -name '*.arrow' | wc -l)
[ "$count" -ge 2600 ] || { echo "only $count tables"; exit 1; }
rm -rf "$folder"
