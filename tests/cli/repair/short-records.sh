# SPDX-License-Identifier: GPL-2.0-or-later
# Records that end before the fields of their event, because one has the type of a longer event, or
# because a format has a field further behind: told by all, and in the repaired file events with the
# fields that are there, for trace-cmd, too.
# Expectation: by hand
put() {
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
look() {
	for cmd in check stat 'dump --json' info; do
		"$TDAT" $cmd "$1" >"$(echo "out $cmd" | tr -d ' ')" || echo "$cmd: exit $?"
	done
	tail -n 2 outcheck
	"$TDAT" repair -f -o fixed.dat "$1" || echo "repair: exit $?"
	"$TDAT" check fixed.dat
	"$TDAT" dump fixed.dat >events
	grep -c '\[0' events
	grep _cut_ events | head -n 3 || true
}
file=$FIXTURES/valid/x64-61-v6-tiny.dat
sed 's/next_pid;\toffset:56;/next_pid;\toffset:99;/' "$file" >far.dat
look far.dat
# The first event, a sched_wakeup of 36 bytes, as a sched_switch of 64.
cat "$file" >type.dat
put type.dat 24596 '\077\001'
look type.dat
# A sched_wakeup of one word has no task, for which readers would look behind it: it is dropped. What
# it had before becomes padding.
python3 - "$file" <<'P' >word.dat
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at = 24592
head = struct.unpack_from("<I", data, at)[0]
assert head & 31 == 9, head
struct.pack_into("<I", data, at, head & ~31 | 1)
struct.pack_into("<II", data, at + 8, 29 | 1 << 5, 28)
sys.stdout.buffer.write(data)
P
look word.dat
# The same with a length word before it: there is no place for a time alone, so it stays an event.
python3 - "$file" <<'P' >long.dat
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at = 24592
head, ident = struct.unpack_from("<II", data, at)
struct.pack_into("<IIIII", data, at, head & ~31, 8, ident, 29 | 1 << 5, 24)
sys.stdout.buffer.write(data)
P
look long.dat
# The same as a sched_switch, and on a later page an event of an unknown id, the one that would be next for an
# event of its own: each has a format.
python3 - type.dat <<'P' >taken.dat
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at = 24592 + 4096
assert 1 <= struct.unpack_from("<I", data, at)[0] & 31 <= 28
struct.pack_into("<H", data, at + 4, 65535)
sys.stdout.buffer.write(data)
P
look taken.dat
grep -e _65535 -e 'cut_' events
