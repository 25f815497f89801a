#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# KernelShark's library loads as many entries of a converted file as of the file it
# came from, of a merged one as many as of its parts, and of a repaired one as many as tdat.
# usage: run.sh TDAT KSHARK_COUNT FIXTURES
set -eu
. "$(dirname "$0")/../part.sh"
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
	takes $files || continue
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

# Damaged files, repaired: what is there is what tdat counts of the result.
repaired() {
	what=$1
	"$tdat" repair -q -f -o "$tmp/out.dat" "$tmp/bad.dat" 2>/dev/null || :
	"$tdat" check -q "$tmp/out.dat" || { echo "$what: not clean"; bad=1; }
	want=$("$tdat" dump "$tmp/out.dat" | grep -c '\[[0-9][0-9][0-9]*\]')
	[ "$want" -gt 0 ] || { echo "$what: nothing is left"; bad=1; }
	check "$what"
}

# put FILE OFFSET OCTAL: other bytes at that place
put() {
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

for name in x64-61-v6-tiny x64-61-v7-none-tiny s390x-61-v7-zstd-sched i386-61-v6-sched; do
	file=$3/valid/$name.dat
	size=$(wc -c <"$file")
	head -c $((size * 9 / 10)) "$file" >"$tmp/bad.dat"
	repaired "$name cut"
	cp "$file" "$tmp/bad.dat"
	case $name in
	*zstd*) put "$tmp/bad.dat" $((size - 3000)) '\377\377\377\377' ;;
	*) # the commit of the page behind the last but one
		put "$tmp/bad.dat" $(((size / 4096 - 1) * 4096 + 8)) '\377\377\377\007' ;;
	esac
	repaired "$name with a broken page"
	sed 's/u64 timestamp/u64 timestomp/' "$file" >"$tmp/bad.dat"
	repaired "$name with another header_page"
	cp "$file" "$tmp/bad.dat"
	case $name in
	s390x*) put "$tmp/bad.dat" 14 '\000\000\010\000' ;;
	*) put "$tmp/bad.dat" 14 '\000\010\000\000' ;;
	esac
	repaired "$name with pages of 2048 bytes in its head"
done

echo "$copies copies of $files files"
[ $files -ge 20 ] || { echo "too few files could be opened"; bad=1; }
exit $bad
