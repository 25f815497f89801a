# SPDX-License-Identifier: GPL-2.0-or-later
# One fact of the structure changed: nothing is left out without a word, dump, stat and check
# agree with exit status 1, and what repair makes is read whole by check and trace-cmd.
# Expectation: by hand: the numbers of events in the unchanged files, and trace-cmd report's
set -eu
export LC_ALL=C

# status PROGRAM...: its exit status; what it says goes to the file said.
status() {
	rc=0
	"$@" >out 2>said || rc=$?
	echo $rc
}

# try WHAT FILE: what the commands make of it, and of what repair makes of it.
try() {
	cmp -s "$2" "$f" && echo "$1: not changed"
	d=$(status "$TDAT" dump "$2")
	n=$(grep -c ' \[0..\] ' out) || :
	[ "$d" = 0 ] || [ -s said ] || echo "$1: dump says nothing"
	c=$(status "$TDAT" check "$2")
	s=$(status "$TDAT" stat "$2")
	rm -f r.dat
	r=$(status "$TDAT" repair -o r.dat "$2")
	k=$("$TDAT" check r.dat | sed 's/.*: //')
	t=$(trace-cmd report r.dat 2>/dev/null | grep -c ' \[0..\] ') || :
	echo "$1: dump $d, $n events; check $c; stat $s; repair $r: $k; trace-cmd $t"
}

f=$FIXTURES/valid/i386-61-v7-buffers.dat
echo "$("$TDAT" dump "$f" | grep -c ' \[0..\] ') events"
sed 's/foo\x00local\x00/\x00foolocal\x00/' "$f" >x.dat
try "two top buffers" x.dat
for how in "" "--file-version 6" "--compression zstd"; do
	"$TDAT" convert -q -f $how -o c.dat x.dat || echo "convert: exit $?"
	"$TDAT" dump c.dat 2>/dev/null | grep -c ' \[0..\] '
done
for size in 02 08 20; do
	sed "s/foo\\x00local\\x00\\x00\\x10\\x00/foo\\x00local\\x00\\x00\\x$size\\x00/" "$f" >x.dat
	try "page size 0x${size}00" x.dat
done
sed 's/\x14\x00\x08\x00\x00\x00/\x13\x00\x08\x00\x00\x00/' "$f" >x.dat
try "a second KALLSYMS, no PRINTK" x.dat

f=$FIXTURES/valid/x64-61-v6-tiny.dat
echo "$("$TDAT" dump "$f" | grep -c ' \[0..\] ') events"
at=$("$TDAT" info --json "$f" | jq '[.[0].buffers[0].cpus[] | select(.bytes > 0)][0].offset')
cp "$f" x.dat
chmod u+w x.dat
printf '\035\000\000\000' | dd of=x.dat bs=1 seek=$((at + 16)) conv=notrunc status=none
try "padding without a length" x.dat
id=$(sed -n '/name: sched_switch$/,/ID/ s/^ID: //p' "$f" | head -n 1)
sed "/name: sched_switch\$/,/^ID/ s/^ID: $id/ID: 999/" "$f" >x.dat
try "events without a format" x.dat
