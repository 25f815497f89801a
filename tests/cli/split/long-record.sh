# SPDX-License-Identifier: GPL-2.0-or-later
# A record that is longer than its event's fields is a loss within a page: the events before it are
# written once, by themselves, and the page is not copied then.
# Expectation: by hand: the seventh record of CPU 0, a sched_wakeup of 9 words, takes in the next
f=$FIXTURES/valid/x64-61-v6-tiny.dat
cat "$f" >long.dat
printf '\332' | dd of=long.dat bs=1 seek=$((0x618c)) conv=notrunc 2>/dev/null
"$TDAT" dump long.dat >whole 2>/dev/null || true
grep -c '\[0.*: ' whole
"$TDAT" split --exact -i long.dat -o part.dat 2>/dev/null || echo "exit $?"
"$TDAT" dump part.dat >part || true
grep -v DROPPED whole >a
grep -v DROPPED part | diff a - && echo "the same events"
grep -n DROPPED part
