# SPDX-License-Identifier: GPL-2.0-or-later
# Formats that are cut at the end of a line: without the print fmt, which the kernel writes behind
# all fields, some fields are gone, or all.
# Expectation: by hand; what is repaired is clean and shows the fields that are left
cut() {
	python3 - "$FIXTURES/valid/x64-61-v6-tiny.dat" "$1" <<'P' >cut.dat
import struct, sys
data = open(sys.argv[1], "rb").read()
name = data.index(b"name: sched_switch\n")
old = struct.unpack_from("<Q", data, name - 8)[0]
text = data[name:name + old]
kept = text[:text.index(sys.argv[2].encode())].rsplit(b"\n", 1)[0] + b"\n"
# Line feeds in place of what is cut off leave all else where it was.
text = kept.ljust(old, b"\n")
sys.stdout.buffer.write(data[:name] + text + data[name + old:])
P
	"$TDAT" check cut.dat || echo "check: exit $?"
	"$TDAT" dump cut.dat >events || echo "dump: exit $?"
	"$TDAT" repair -f -o fixed.dat cut.dat || echo "repair: exit $?"
	"$TDAT" check fixed.dat
	"$TDAT" dump --json -e sched_switch --limit 1 fixed.dat
	"$TDAT" list -i fixed.dat sched:sched_switch | tail -n 1
}
cut 'field:pid_t next_pid'
cut 'field:char prev_comm'
cut 'print fmt'
