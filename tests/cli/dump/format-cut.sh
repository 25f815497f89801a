# SPDX-License-Identifier: GPL-2.0-or-later
# An event whose fields cannot all be read keeps its name and the fields before; no plugin
# prints it or learns from it.
# Expectation: trace-cmd, run here, prints the same; the last line is made by tdat
set -eu
export LC_ALL=C
count=0
f=$FIXTURES/valid/x64-61-v6-tiny.dat
for event in sched_switch sched_wakeup; do
	for line in format: common_type common_pid prev_comm prev_prio next_prio comm pid target_cpu; do
		for what in 's/offset:/offsex:/' 's/size:/sixe:/' 's/signed:/sigxed:/' 's/field:/fixld:/' \
			's/;/,/' 's/format:/foxmat:/'; do
			sed "/name: $event\$/,/^print fmt/{ /$line/ $what; }" "$f" >x.dat
			cmp -s "$f" x.dat && continue
			count=$((count + 1))
			for o in "" -R -N -l; do
				trace-cmd report $o x.dat >want 2>/dev/null
				"$TDAT" dump --compat debian12 $o x.dat >got 2>said || :
				cmp want got || echo "$event, $line, $what, $o"
			done
		done
	done
done
echo "$count broken formats"
sed "/name: sched_switch\$/,/^print fmt/{ /prev_prio/ s/offset:/offsex:/; }" "$f" >x.dat
"$TDAT" dump x.dat | sed -n 3p
