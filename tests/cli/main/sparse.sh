# SPDX-License-Identifier: GPL-2.0-or-later
# Files of 6 GiB and 2 TiB that are mostly hole: as fast as without it, and the same
# answers; whole, cut, and with a CPU that claims the hole.
# Expectation: compared here: dumps of a file with and without the hole
[ -n "$(command -v python3)" ] || { echo "no python3"; exit 1; }
truncate -s 2T probe 2>/dev/null || { echo "this file system has no files of 2 TiB"; exit 0; }
rm probe

look() {
	for cmd in info 'info --count' dump stat check 'repair -f -o o.dat'; do
		# shellcheck disable=SC2086
		timeout 20 "$TDAT" $cmd t.dat >out 2>err && rc=0 || rc=$?
		[ "$rc" -le 1 ] || { echo "$1: $cmd: exit $rc"; cat err; exit 1; }
		[ "$cmd" != dump ] || cp out "$1"
	done
}

for f in i386-61-v6-sched i386-61-v7-zstd-sched s390x-61-kstack; do
	src=$FIXTURES/valid/$f.dat
	size=$(stat -c %s "$src")
	"$TDAT" dump "$src" >want
	for to in 6G 2T; do
		cp "$src" t.dat
		truncate -s $to t.dat
		look "whole-$to"
		cmp "whole-$to" want
	done
	cp "$src" t.dat
	truncate -s $((size * 2 / 3)) t.dat
	look cut
	truncate -s 2T t.dat
	look cut-2T
	[ "$(wc -l <cut-2T)" -ge "$(($(wc -l <cut) - 5))" ]
	# Version 6 has a table of CPUs: the second claims all of the hole.
	python3 - "$src" <<'P'
import struct, sys
b = bytearray(open(sys.argv[1], 'rb').read())
i = b.find(b'flyrecord\0')
if b[10:11] == b'6' and i > 0:
    off, size = struct.unpack_from('<QQ', b, i + 26)
    struct.pack_into('<QQ', b, i + 26, off, (1 << 41) - off)
open('t.dat', 'wb').write(b)
P
	truncate -s 2T t.dat
	look claims
	cmp claims want
done
