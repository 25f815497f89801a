# SPDX-License-Identifier: GPL-2.0-or-later
# Bytes behind the NUL of an option's text, and behind the fields of one, are told of by check and
# dump; repair cuts them off, and a copy that would lack them is refused.
# Expectation: by hand
# tell NAME: what the commands say of NAME.dat
tell() {
	"$TDAT" check "$1.dat" || echo "check: exit $?"
	"$TDAT" dump "$1.dat" >/dev/null || echo "dump: exit $?"
	"$TDAT" convert -q -o copy.dat "$1.dat" || echo "convert: exit $?"
	"$TDAT" repair -o fixed.dat -f "$1.dat" || echo "repair: exit $?"
	"$TDAT" check fixed.dat
	rm -f copy.dat
}
# The text of option UNAME begins with "Linux ".
cp "$FIXTURES/valid/x64-61-v6-tiny.dat" text.dat
chmod u+w text.dat
at=$(grep -abo 'Linux ' text.dat | tail -n 1 | cut -d: -f1)
printf '\0' | dd of=text.dat bs=1 seek=$((at + 5)) conv=notrunc 2>/dev/null
tell text
# The length of option TRACEID, 8 bytes at 21620, takes in the option behind it.
cp "$FIXTURES/valid/x64-61-v7-none-tiny.dat" fields.dat
chmod u+w fields.dat
printf '\234' | dd of=fields.dat bs=1 seek=21616 conv=notrunc 2>/dev/null
tell fields
"$TDAT" convert --endian big -q -o copy.dat fields.dat || echo "convert --endian: exit $?"
