# SPDX-License-Identifier: GPL-2.0-or-later
# The length of a record is the truth. One that ends before the fields of its event contradicts its
# page, which ends there for all commands; one that is longer than all fields hides an unknown
# number of events, and reading goes on behind it. An event of an unknown type is one for all.
# Expectation: by hand; the page of the changed record has 68 of the 170 events
f=$FIXTURES/valid/x64-61-v6-tiny.dat
change() {
	cat "$f" >"$1"
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
look() {
	"$TDAT" check "$1" || echo "check: exit $?"
	"$TDAT" dump "$1" >events || echo "dump: exit $?"
	grep -c '\[0.*: ' events
	"$TDAT" sql --csv "$1" 'SELECT count(*) FROM events' || echo "sql: exit $?"
	"$TDAT" repair -f -o fixed.dat "$1" || echo "repair: exit $?"
	"$TDAT" check fixed.dat
	"$TDAT" dump fixed.dat >fixed
	grep -v DROPPED events | diff - fixed | grep -v -e DROPPED -e "^[0-9]" || true
}
cp "$f" whole.dat
"$TDAT" check whole.dat
# The first record of CPU 0, a sched_wakeup of 9 words, has 26 and takes in the next one.
change long.dat $((0x6010)) '\032'
look long.dat
# Then a record that ends beyond the page: it is one damaged page.
change both.dat $((0x618c)) '\300\000\000\000\377\377\377\377'
printf '\032' | dd of=both.dat bs=1 seek=$((0x6010)) conv=notrunc 2>/dev/null
look both.dat
# As a sched_switch, which has 64 bytes, it is too short: the page is lost.
change short.dat $((0x6014)) '\077\001'
look short.dat
# Nor does an event of any type have fewer bytes than the common fields.
change less.dat $((0x6010)) '\001'
look less.dat
# An id that no format describes.
change unknown.dat $((0x6014)) '\377\376'
look unknown.dat
# A commit beyond the page.
change commit.dat $((0x6008)) '\361\017'
look commit.dat
