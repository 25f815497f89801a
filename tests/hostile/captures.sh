#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each part of each foreign capture, repeated up to 1 MB: convert, and dump of what it
# makes, within a number of steps (steps.h, where TDAT counts them) and little memory,
# ended by no signal. The address space is limited to more than 256 MB: threads and
# libraries have theirs.
# usage: captures.sh TDAT FOREIGN [any]   any: a sanitizer's build, no limits
set -eu
. "$(dirname "$0")/../part.sh"
tdat=$1
foreign=$2
any=${3:-}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
runs=0
parts=0

limited() {
	rc=0
	(
		if [ -z "$any" ]; then
			ulimit -v 450000
			export TDAT_STEPS_MOST=30000000000
		fi
		exec "$@"
	) >"$tmp/out" 2>"$tmp/err" || rc=$?
	runs=$((runs + 1))
	[ "$rc" -le 1 ] && ! grep -q 'no memory' "$tmp/err" && return
	echo "$what: status $rc: $(head -c 300 "$tmp/err")"
	bad=1
}

# 1 MB of it: whole, and its second half behind it, which is past most headers.
enlarge() {
	size=$(wc -c <"$1")
	cp "$1" "$tmp/big"
	tail -c $((size / 2 + 1)) "$1" >"$tmp/half"
	[ "$2" = whole ] && cp "$1" "$tmp/half"
	while [ "$(wc -c <"$tmp/half")" -lt 500000 ]; do
		cat "$tmp/half" "$tmp/half" >"$tmp/twice"
		mv "$tmp/twice" "$tmp/half"
	done
	cat "$tmp/half" "$tmp/half" >>"$tmp/big"
	head -c 1000000 "$tmp/big" >"$3"
}

convert() {
	rm -f "$tmp/made.dat"
	limited "$tdat" convert --from "$format" -f -q -o "$tmp/made.dat" "$@"
	if [ -s "$tmp/made.dat" ]; then
		limited "$tdat" dump "$tmp/made.dat"
	fi
}

for folder in "$foreign"/*/*; do
	[ -d "$folder" ] || continue
	format=$(basename "$(dirname "$folder")")
	[ "$format" != user_events ] || continue
	for part in "$folder"/*; do
		name=$(basename "$part")
		if [ ! -f "$part" ] || [ ! -s "$part" ] || [ "$name" = expected.txt ]; then
			continue
		fi
		parts=$((parts + 1))
		takes $parts || continue
		for how in whole half; do
			what="$format/$(basename "$folder") with $name ($how) repeated"
			rm -rf "$tmp/in"
			cp -r "$folder" "$tmp/in"
			rm -f "$tmp/in/expected.txt"
			enlarge "$part" "$how" "$tmp/in/$name"
			if [ -f "$tmp/in/ktr.out" ]; then
				set -- "$tmp/in/ktr.out"
				[ ! -f "$tmp/in/kernel.elf" ] || set -- --kernel "$tmp/in/kernel.elf" "$@"
				[ ! -f "$tmp/in/strings.txt" ] || set -- --strings "$tmp/in/strings.txt" "$@"
				convert "$@"
			else
				convert "$tmp/in"
			fi
		done
	done
done
format=user_events
defs=$foreign/user_events/defs.txt
for how in whole half; do
	what="user_events/defs.txt ($how) repeated"
	enlarge "$defs" "$how" "$tmp/in.txt"
	convert --definitions "$tmp/in.txt" "$foreign/user_events/writes_le.txt"
	for part in "$foreign"/user_events/writes_?e.txt "$foreign/user_events/writes_bad.txt"; do
		what="user_events/$(basename "$part") ($how) repeated"
		enlarge "$part" "$how" "$tmp/in.txt"
		convert --definitions "$defs" "$tmp/in.txt"
	done
done
# As many user_events as there can be: others' names, one name with other fields, and names that are
# the same once they are words.
python3 - "$tmp" <<'END'
import itertools, sys
def put(name, lines):
    with open(f"{sys.argv[1]}/{name}.txt", "w") as f:
        f.writelines(line + "\n" for line in lines)
put("names", (f"e{i} u8 x" for i in range(60000)))
put("fields", (f"m u{8 << i % 2} x; u8 f{i}" for i in range(40000)))
put("words", ("a" + "".join(c) for c in itertools.islice(itertools.product(".,/-+", repeat=7), 33000)))
END
for how in names fields words; do
	what="user_events with many $how"
	option=
	[ "$how" != fields ] || option=--multi-format
	[ "$how" != words ] || option=--word-names
	# shellcheck disable=SC2086
	convert --definitions "$tmp/$how.txt" $option "$foreign/user_events/writes_le.txt"
done
# As many KTR formats as get an event of their own, all with one name.
format=ktr
what="ktr with formats of one name"
python3 - "$tmp" <<'END'
import struct, sys
with open(sys.argv[1] + "/names.bin", "wb") as f:
    for i in range(4096):
        f.write(struct.pack("<IIIIIIII", 1000 + i, 0, 16 * i + 4096, 1, 2, 3, 4, 5))
with open(sys.argv[1] + "/names.txt", "w") as f:
    for i in range(4096):
        f.write('0x%x "a %%d"\n' % (16 * i + 4096))
END
convert --typed --layout freebsd-2000 --endian little --strings "$tmp/names.txt" "$tmp/names.bin"
if [ -z "$any" ] && ! "$tdat" list -i "$tmp/made.dat" | grep -q 'a_4096'; then
	echo "$what: no event a_4096"
	bad=1
fi
# A kernel of very many ranges, and texts in none of them.
what="ktr with a kernel of many ranges"
python3 - "$tmp" <<'END'
import struct, sys
n, at = 12000, 0xc0000000
head = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\1\1\1", 2, 3, 1, 0, 52, 0, 0, 52, 32, n, 40, 0, 0)
loads = b"".join(struct.pack("<8I", 1, 52, at + 64 * i, 0, 32, 32, 4, 1) for i in range(n - 1))
loads += struct.pack("<8I", 1, 52 + 32 * n, at + 64 * n, 0, 16, 16, 4, 1)
with open(sys.argv[1] + "/ranges.elf", "wb") as f:
    f.write(head + loads + b"a%s%s%s%s%s".ljust(16, b"\0"))
with open(sys.argv[1] + "/ranges.bin", "wb") as f:
    for i in range(17000):
        args = [0xd0000000 + 4099 * (5 * i + k) & 0xffffffff for k in range(5)]
        f.write(struct.pack("<Q6I", 1000 + i, at + 64 * n, *args))
END
convert --layout bsdos --endian little --kernel "$tmp/ranges.elf" "$tmp/ranges.bin"
# Lines that end with a NUL and never with a line feed.
format=gtsc
what="gtsc with NULs behind lines"
mkdir "$tmp/nuls"
python3 -c 'print("aaa\0" * 250000, end="")' >"$tmp/nuls/trace0"
convert "$tmp/nuls"
echo "$runs runs"
[ "$runs" -gt 100 ] && exit $bad
echo "too few captures"
exit 1
