# SPDX-License-Identifier: GPL-2.0-or-later
# What a reader would take wrong without a word, and what repair says of it: an option of time that
# is no number, two clocks, a clock without brackets, sizes in header_page, an event with id 0, and
# files that end before the list of their buffers.
# Expectation: by hand; what is repaired is clean, and has the events and times that dump gave
look() {
	"$TDAT" check "$1" || echo "check: exit $?"
	"$TDAT" dump "$1" >events || echo "dump: exit $?"
	"$TDAT" repair -f -o fixed.dat "$1" || echo "repair: exit $?"
	"$TDAT" check fixed.dat
	"$TDAT" dump fixed.dat | diff events - || true
	"$TDAT" dump fixed.dat | grep -c "\[0"
}
put() {
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

v6=$FIXTURES/valid/x64-61-v6-tiny.dat v7=$FIXTURES/valid/x64-61-v7-none-tiny.dat
cat "$FIXTURES/valid/x64-61-date.dat" >date.dat
put date.dat 21621 zx
look date.dat
sed 's/\[local\] global/ local  global/' "$v7" >clock.dat
look clock.dat
sed 's/timestamp;\toffset:0;\tsize:8;/timestamp;\toffset:0;\tsize:0;/' "$v6" >stamp.dat
look stamp.dat
sed 's/commit;\toffset:8;\tsize:8;/commit;\toffset:8;\tsize:0;/' "$v6" >commit.dat
look commit.dat
cat "$v6" >zero.dat
put zero.dat 24596 '\0\0'
look zero.dat
for len in 24600 30000; do
	head -c $len "$v7" >cut.dat
	"$TDAT" repair -f -o fixed.dat cut.dat || echo "repair: exit $?"
done
