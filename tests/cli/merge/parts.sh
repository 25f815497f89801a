# SPDX-License-Identifier: GPL-2.0-or-later
# What trace-cmd split cuts becomes the same again.
# Expectation: trace-cmd, run here, cuts the file; compared here: the dump before and after;
# counts are made by tdat
in=$FIXTURES/valid/x64-61-v7-none-tiny.dat
trace-cmd split -i "$in" -o part -e 20 -r >/dev/null 2>&1
ls part* | wc -l
"$TDAT" merge --as parts -o out.dat part*
"$TDAT" check out.dat
# Without --as they get CPUs of their own, which is said.
"$TDAT" merge -q -o more.dat part*
"$TDAT" dump "$in" >want
"$TDAT" dump out.dat | cmp - want
# Without a trace id and symbols, too: a pid without a name gets none.
printf 'A u32 a\n' >defs.txt
printf '1000 0 501 0000000001000000\n1500 1 502 0000000001000000\n1600 1 503 0000000001000000\n' >log
printf '503 named\n' >comms
"$TDAT" convert -q --from user_events --definitions defs.txt --comms comms -o whole.dat log
for cpu in 0 1; do
	"$TDAT" split -q --exact --cpu $cpu -i whole.dat -o cpu$cpu.dat
done
"$TDAT" merge -q -f --as parts -o out.dat cpu0.dat cpu1.dat
for file in whole out; do
	"$TDAT" sql --csv $file.dat 'SELECT * FROM tasks'
done
