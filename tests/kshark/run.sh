#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# KernelShark's library loads as many entries of a converted file as of the file it
# came from, and of a merged one as many as of its parts.
# usage: run.sh TDAT KSHARK_COUNT FIXTURES
set -eu
tdat=$1
count=$2
# In memory where that can be: each copy is synced to the disk.
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
tmp=$(TMPDIR=${TMPDIR:-/tmp} mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0 files=0 copies=0

# Nothing for a file that crashes the library, as latency text does.
entries() {
	{ "$count" "$1" || :; } 2>/dev/null | awk '{ print $1 }'
}

check() {
	have=$(entries "$tmp/out.dat")
	copies=$((copies + 1))
	[ "$have" = "$want" ] || { echo "$*: $have entries, not $want"; bad=1; }
}

convert() {
	"$tdat" convert -q -f -o "$tmp/out.dat" "$@" "$file" 2>"$tmp/err" && { check "$file" "$@"; return; }
	# What version 6 has no place for, and orders that no format tells.
	grep -q 'version 6\|byte order' "$tmp/err" || { cat "$tmp/err"; bad=1; }
}

for file in "$3"/valid/*.dat ${TDAT_SHARED:+"$TDAT_SHARED"/corpus/files/*.dat}; do
	case $file in
	*zlib*) continue ;; # Debian's libtracecmd knows no zlib
	esac
	want=$(entries "$file")
	[ "${want:--1}" -ge 0 ] || continue # latency text
	files=$((files + 1))
	convert --file-version 6
	convert --file-version 7 --compression none
	convert --file-version 7 --compression zstd
	convert --endian big
	convert --endian little
done

a=$3/valid/x64-61-v7-none-tiny.dat b=$3/valid/s390x-61-v7-zstd-sched.dat
want=$(($(entries "$a") + $(entries "$b")))
"$tdat" merge -q -f -o "$tmp/out.dat" "$a" "$b" 2>/dev/null
check merge

echo "$copies copies of $files files"
[ $files -ge 20 ] || { echo "too few files could be opened"; bad=1; }
exit $bad
