# SPDX-License-Identifier: GPL-2.0-or-later
# What a changed number hides is noticed, by check and by the exit status of dump.
# Expectation: made by tdat, proves only that nothing changed; by hand: where the bytes are
# changed, and exit status 1

# hide NAME OFFSET BYTES FILE: FILE with these bytes (octal) there
hide() {
	cp "$FIXTURES/valid/$4" "$1.dat"
	chmod u+w "$1.dat"
	printf "$3" | dd of="$1.dat" bs=1 seek=$(($2)) conv=notrunc 2>/dev/null
	"$TDAT" check --exact "$1.dat" || status=$?
	[ "$status" = 1 ] || echo "check ended with $status"
	status=0
	"$TDAT" dump "$1.dat" >"$1.txt" || status=$?
	echo "dump: exit $status, $(wc -l <"$1.txt") of $("$TDAT" dump "$FIXTURES/valid/$4" | wc -l) lines"
}

status=0
hide commit 0x8008 '\0\0' x64-61-v6-tiny.dat
head -c 4096 /dev/zero >zeros
cp "$FIXTURES/valid/x64-61-v6-tiny.dat" zero.dat
chmod u+w zero.dat
dd if=zeros of=zero.dat bs=4096 seek=7 conv=notrunc 2>/dev/null
"$TDAT" check zero.dat || true
hide list 0xa029 '\1' x64-61-v7-none-tiny.dat
hide option 0x7010 '\342' x64-lab612-trace-printk.dat
hide chunks 0x2003 '\0' s390x-61-v7-zstd-sched.dat
table=$(grep -abo flyrecord "$FIXTURES/valid/x64-61-v6-tiny.dat" | head -n 1 | cut -d: -f1)
hide table "$((table + 10 + 16 + 8))" '\0\0\0\0' x64-61-v6-tiny.dat
# Bytes between the table and the pages, and behind the last page; zeros there are no bytes of anybody.
hide gap 0x5ff0 '\1' x64-61-v6-tiny.dat
hide gap7 0x5ff0 '\1' x64-61-v7-none-tiny.dat
size=$(wc -c <"$FIXTURES/valid/x64-61-v6-tiny.dat")
hide behind "$size" '\0\1\0' x64-61-v6-tiny.dat
cp "$FIXTURES/valid/x64-61-v6-tiny.dat" zeros.dat
chmod u+w zeros.dat
head -c 5000 /dev/zero >>zeros.dat
"$TDAT" check zeros.dat
