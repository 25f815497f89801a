# SPDX-License-Identifier: GPL-2.0-or-later
# trace_printk() whose format wants more arguments than were packed: the conversions are
# printed.
# Expectation: trace-cmd, run here, prints the same for the first such event (it prints all
# later ones of a file as [FAILED TO PARSE])
set -eu
export LC_ALL=C
"$TDAT" convert -q --file-version 6 -o six.dat "$FIXTURES/valid/x64-lab612-trace-printk.dat"
old='(irq) This is a %s that will use trace_bprintk()'
grep -aqF "$old" six.dat
# Its 16 bytes of arguments are four numbers.
for rest in '' '|%d' '|%llx|%5s|%-8lx|%zu|%hd|%hhd|%.4s' '|%*d|%.*s|%d' '|%ps|%pS|%pI4|%pM|%p|' \
	'|%c|%i|%o|%X|%+d|%%|' '|%q|%d' '|%pf|%pfw|%pB|%p4cc|%pV' '|%*pbl|%*ph|%Lu' '|%#x|% d|%ld|%'; do
	new=$(printf '%-48s' "%d%d%d%d$rest")
	sed "s/$old/$new/" six.dat >x.dat
	cmp -s six.dat x.dat && echo "not changed: $rest"
	trace-cmd report x.dat 2>/dev/null | grep -a ' bprint: ' | head -n1 >want
	"$TDAT" dump --compat debian12 x.dat | grep -a ' bprint: ' | head -n1 >got
	grep -q 19525438591931502441 got
	cmp want got || cat want got
done
