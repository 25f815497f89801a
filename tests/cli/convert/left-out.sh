# SPDX-License-Identifier: GPL-2.0-or-later
# Files beside a capture that are called like data of a CPU and have no number that a CPU can
# have, or are packed, or hold data under another name: each is told of, and the exit status is
# 1. Notes and empty files are not.
# Expectation: by hand: which files are told of, and the events of the capture without them
try() {
	folder=$1 data=$2 name=$3
	rm -rf in
	cp -r "$FIXTURES/foreign/$folder" in
	chmod -R u+w in
	rm -f in/expected.txt
	"$TDAT" convert -q --from "${folder%%/*}" -f -o want.dat in
	"$TDAT" dump want.dat >want
	cat "in/$data" >"in/$name"
	rc=0
	"$TDAT" convert -q --from "${folder%%/*}" -f -o out.dat in 2>err || rc=$?
	echo "$folder and $name: exit $rc, $(sed 's/^tdat: //' err)"
	"$TDAT" dump out.dat | cmp - want || echo "$name: other events"
}
for name in trace70000 trace4294967297 trace-1 tracex trace0.gz cpu0 notes.txt; do
	try gtsc/text_percpu trace0 $name
done
for name in sda.blktrace.70000 sda.blktrace.x sda.blktrace.0.gz binary; do
	try gtsc/blktrace_v8_le sda.blktrace.0 $name
done
for name in stpd_cpu65536 stpd_cpux binary; do
	try gtsc/systemtap_bulk_le stpd_cpu0 $name
done
printf 'a note of what was recorded\n' >note
: >empty
for folder in gtsc/text_percpu gtsc/blktrace_v8_le kmemtrace/le32_smp ktr/bsdos_i386_tsc; do
	try $folder ../note README
	try $folder ../empty empty.txt
done
printf 'no number of a CPU\001' >text
try kmemtrace/le32_smp ../text cpux.out
try ktr/bsdos_i386_tsc ../note ktr7.bin
# Of two files that a capture has once the first is taken.
mkdir first second
cp "$FIXTURES"/foreign/gtsc/text_percpu/[dt]* first
cp "$FIXTURES"/foreign/gtsc/text_percpu/trace1 second
echo 7 >second/dropped
"$TDAT" convert -q --from gtsc -f -o out.dat first second 2>&1 || echo "exit $?"
cp "$FIXTURES"/foreign/kmemtrace/le32_smp/* second
cp -r "$FIXTURES/foreign/kmemtrace/le64_basic" third
"$TDAT" convert -q --from kmemtrace -f -o out.dat third \
	second/abi_version second/total_overruns 2>&1 || echo "exit $?"
