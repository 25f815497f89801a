# SPDX-License-Identifier: GPL-2.0-or-later
# Binary records of one type, which needs no number to tell it: two CPUs' files.
# Expectation: made by tdat, proves only that nothing changed; by hand: times, pids and texts
# are those the script packs
rec() { # TS PID
	printf "\\$(printf %03o "$1")\0\0\0\0\0\0\0\\$(printf %03o "$2")\0\0\0work"
}
mkdir in
{ rec 1 7; rec 3 8; } >in/trace0
{ rec 2 9; rec 4 10; } >in/trace1
"$TDAT" convert -q --from gtsc --record 'step u64 ts; u32 pid; char what[4]' -o out.dat in
"$TDAT" dump out.dat
