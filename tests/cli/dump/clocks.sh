# SPDX-License-Identifier: GPL-2.0-or-later
# A clock counts what the kernel's trace_clocks[] says; with --compat times are those of trace-cmd.
# Expectation: by hand: 1/100 s of uptime, ns of boot, ticks of counter; the report of trace-cmd, run here
f=$FIXTURES/valid/x64-61-v7-none-tiny.dat
for clock in local counter uptime boot; do
	LC_ALL=C sed -e "/\\[local\\] global/s/ $clock / [$clock] /" -e "/ \\[$clock\\] /s/\\[local\\]/local/" \
		"$f" >"$clock.dat"
	echo "$clock:"
	"$TDAT" dump "$clock.dat" | sed -n 2p | cut -c1-60
	"$TDAT" dump --compat debian12 "$clock.dat" >ours
	trace-cmd report "$clock.dat" 2>/dev/null | cmp - ours
done
"$TDAT" dump --from +100000000s uptime.dat 2>&1 | wc -l
"$TDAT" stat --exact uptime.dat | sed -n 6p
