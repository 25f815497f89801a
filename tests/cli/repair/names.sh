# SPDX-License-Identifier: GPL-2.0-or-later
# A NUL in the command lines costs the names behind it: all commands tell, and repair brings them back.
# Expectation: by hand; the numbers of unknown tasks follow from where the NUL is
f=$FIXTURES/valid/x64-61-v6-tiny.dat
cp "$f" nul.dat
chmod u+w nul.dat
printf '\0' | dd of=nul.dat bs=1 seek=20600 conv=notrunc 2>/dev/null
unknown() {
	"$TDAT" dump --compat 3.1 "$1" >text || echo "dump: exit $?"
	echo "$1: $(grep -c '<\.\.\.>' text) of unknown tasks"
}
unknown "$f" | sed 's,.*/,,'
unknown nul.dat
"$TDAT" check nul.dat || echo "check: exit $?"
"$TDAT" stat nul.dat >/dev/null || echo "stat: exit $?"
"$TDAT" sql nul.dat 'SELECT count(*) FROM sched' >/dev/null || echo "sql: exit $?"
"$TDAT" repair -o fixed.dat nul.dat || echo "repair: exit $?"
unknown fixed.dat
"$TDAT" check fixed.dat
# No CPU has such a number.
for n in 65536 99999 -1 4294967297 1x; do
	cp "$FIXTURES/valid/x64-61-v6-tiny.dat" "part.dat.cpu$n"
	"$TDAT" repair -f -o no.dat --formats-from "$FIXTURES/valid/x64-61-v6-tiny.dat" /dev/null "part.dat.cpu$n" || echo "exit $?"
done
