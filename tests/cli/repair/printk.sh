# SPDX-License-Identifier: GPL-2.0-or-later
# A record of trace_printk() whose length takes in the one behind it: its string tells how many
# arguments are its own.
# Expectation: by hand; the events are those of the file without that change
put() {
	printf "$3" | dd of="$1" bs=1 seek=$(($2)) conv=notrunc 2>/dev/null
}

cp "$FIXTURES/valid/x64-lab612-trace-printk.dat" short.dat
chmod u+w short.dat
# Behind a record of 10 words is one of 18: of 16 and padding it is short enough to be taken in.
put short.dat 0x6254 '\020'
put short.dat 0x6297 '\0\075\0\0\0\004\0\0\0'
"$TDAT" check short.dat
"$TDAT" dump short.dat >events
grep -c 'dynamic string' events
cp short.dat long.dat
put long.dat 0x6228 '\033'
"$TDAT" dump long.dat >found || echo "dump: exit $?"
cmp events found
"$TDAT" check long.dat || echo "check: exit $?"
"$TDAT" repair -o fixed.dat long.dat || echo "repair: exit $?"
"$TDAT" check fixed.dat
"$TDAT" dump fixed.dat | cmp events -
# Without the string nobody knows.
sed 's/0xffff888002b96180 :/0xffff888002b96181 :/' long.dat >unknown.dat
"$TDAT" check unknown.dat
