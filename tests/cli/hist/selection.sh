# SPDX-License-Identifier: GPL-2.0-or-later
# Options that choose no event are told of, as by the other commands; times may have units.
# Expectation: by hand; the numbers of hits are those of dump
f=$FIXTURES/valid/i386-61-v6-sched.dat
t='sched/sched_switch hist:keys=next_pid'
for o in "--cpu 99" "--pid 999999" "--comm nobody" "--from 99999s" "--until 1"; do
	"$TDAT" hist $o "$f" "$t" 2>&1 >/dev/null | sed 's,/.*/,,'
done
"$TDAT" hist --from 20.6 "$f" "$t" 2>&1 >/dev/null | sed 's,/.*/,,'
for o in "--from 20.6s" "--from 20600ms" "--from +90383624ns" "--from 20600000000"; do
	hits=$("$TDAT" hist $o "$f" "$t" | sed -n 's/ *Hits: \([0-9]*\).*/\1/p')
	lines=$("$TDAT" dump -e sched_switch --from 20.6 "$f" | grep -c sched_switch:)
	[ "$hits" = "$lines" ] || echo "$o: $hits hits, $lines lines"
done
