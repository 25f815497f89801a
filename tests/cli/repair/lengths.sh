# SPDX-License-Identifier: GPL-2.0-or-later
# A record whose length takes in the one behind it: all events are given out, check and dump tell of
# it, and repair puts the length right and loses nothing.
# Expectation: by hand; the events are those of the unchanged file
f=$FIXTURES/valid/x64-61-v6-tiny.dat
cp "$f" long.dat
chmod u+w long.dat
# The first record of CPU 0 has 9 words and the next one 16, each behind a word of its own.
printf '\032' | dd of=long.dat bs=1 seek=$((0x6010)) conv=notrunc 2>/dev/null
"$TDAT" dump "$f" >events
"$TDAT" dump long.dat >found || echo "dump: exit $?"
cmp events found
"$TDAT" check long.dat || echo "check: exit $?"
"$TDAT" sql long.dat 'SELECT count(*) FROM sched' >/dev/null || echo "sql: exit $?"
"$TDAT" repair -o fixed.dat long.dat || echo "repair: exit $?"
"$TDAT" check fixed.dat
"$TDAT" dump fixed.dat | cmp events -
cmp fixed.dat "$f" | sed 's,/.*/,,'
# The format of that event is broken, and another file has it: its fields count in the new file.
sed 's/field:char comm\[16\];/field:char comm(16);/' long.dat >lost.dat
"$TDAT" repair -o taken.dat --formats-from "$f" lost.dat || echo "repair: exit $?"
"$TDAT" check taken.dat
"$TDAT" dump taken.dat | cmp events -
"$TDAT" repair -o left.dat lost.dat || echo "repair: exit $?"
"$TDAT" check left.dat
