# SPDX-License-Identifier: GPL-2.0-or-later
# A file may list its CPUs in any order: each is found by its number, in every command.
# Expectation: by hand: what is asked for is what the line of each event says
python3 - "$FIXTURES/valid/i386-61-v7-buffers.dat" <<'P' >t.dat
import re, struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
swapped = 0
# Two entries of option BUFFER: the CPU's number, offset and length of its data.
for at in range(len(data) - 40):
    a, b = struct.unpack_from("<IQQ", data, at), struct.unpack_from("<IQQ", data, at + 20)
    if (a[0], b[0]) == (0, 1) and a[1] % 4096 == b[1] % 4096 == 0 and 0 < a[1] < a[1] + a[2] <= b[1] < len(data):
        data[at:at + 20], data[at + 20:at + 40] = data[at + 20:at + 40], data[at:at + 20]
        swapped += 1
assert swapped, "no list of CPUs found"
sys.stdout.buffer.write(data)
P
for cpu in 0 1; do
	"$TDAT" dump --buffer top t.dat | grep "\[00$cpu\]" >want
	"$TDAT" dump --buffer top --cpu $cpu t.dat | grep '\[00' >got
	cmp want got
	wc -l <got
	"$TDAT" stat --cpu $cpu --json t.dat >stat.json
	"$TDAT" split --exact -q -f --buffer top --cpu $cpu -i t.dat -o part.dat
	"$TDAT" dump part.dat | grep -c '\[00'
done
"$TDAT" dump --cpu 1,0,1 --buffer top t.dat >some
"$TDAT" dump --buffer top t.dat >every
cmp some every && echo all
for more in 0 "0 --buffer foo"; do "$TDAT" dump --cpu $more t.dat | grep -c "\[00"; done
