# SPDX-License-Identifier: GPL-2.0-or-later
# Events, times and texts are those of a dump of both; trace-cmd reads the file in silence.
# Expectation: compared here: times and texts with those of a dump of both files; trace-cmd, run
# here, prints the same; counts are made by tdat
ln -s "$FIXTURES"/valid/*.dat .
a=x64-61-v7-none-tiny.dat
b=s390x-61-v7-zstd-sched.dat
"$TDAT" merge -o out.dat "$a" "$b"
"$TDAT" check --exact out.dat
"$TDAT" info --json out.dat | jq -c '.[0] | [.version, .endian, .compression, .cpus]'
# Time and text: CPUs have other numbers, files are not told, tasks have several names.
"$TDAT" dump "$a" "$b" | sed -n 's/^.*-[0-9]* *\[[0-9]*\]//p' >want
"$TDAT" dump out.dat | sed -n 's/^.*-[0-9]* *\[[0-9]*\]//p' | cmp - want
# Its plugins know one event of each name only: their texts may differ.
"$TDAT" dump out.dat | sed 's/^\(.*\.[0-9]*: [a-z_]*:\).*/\1/' >dump
trace-cmd report out.dat 2>silence | sed 's/^\(.*\.[0-9]*: [a-z_]*:\).*/\1/' | cmp dump -
cat silence
wc -l <want
