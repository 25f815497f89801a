# SPDX-License-Identifier: GPL-2.0-or-later
# An event of an id without a format may be what a pattern means, so that it is told of where it is
# left out; a name that is written out, and whose format is there, means no other type.
# Expectation: by hand: exit 1 and a sentence on id 60000 for patterns, names of systems, and where
# the event itself is given out; else 0 and none
cp "$FIXTURES/valid/x64-61-v6-tiny.dat" f.dat
chmod u+w f.dat
printf '\140\352' | dd of=f.dat bs=1 seek=24596 conv=notrunc status=none # the id of CPU 0's first event
try() {
	status=0
	"$TDAT" "$@" >out 2>err || status=$?
	echo "$status $(grep -c 'id 60000' err || true) $*"
}
try dump f.dat
try dump -e sched_switch f.dat
try dump -e sched/sched_switch f.dat
try dump -e 'sched*' f.dat
try dump -e sched f.dat
try dump -e sched_switch -e 'sched_w*' f.dat
try dump -F 'sched_switch: prev_pid >= 0' f.dat
try dump -F 'sched/sched_switch: prev_pid >= 0' f.dat
try dump -F 'sched_s.*: prev_pid >= 0' f.dat
try dump -e sched_switch -F '.*: common_pid >= 0' f.dat
try dump -v -F 'sched_switch: prev_pid >= 0' f.dat
try dump --cpu 1 -e 'sched*' f.dat
try dump --threads 2 -e 'sched*' f.dat
try stat --event 'sched*' f.dat
try stat --event sched_switch f.dat
try export --to csv --table events -o - --event 'sched*' f.dat
try split -q -f --exact -o s.dat --event 'sched*' -i f.dat
try split -q -f --exact -o s.dat --event sched_switch -i f.dat
try split -q -f --exact -o s.dat -i f.dat
