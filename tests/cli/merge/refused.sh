# SPDX-License-Identifier: GPL-2.0-or-later
# What one file cannot hold is one sentence, and nothing is written.
# Expectation: made by tdat, proves only that nothing changed; by hand: nothing is written
ln -s "$FIXTURES"/valid/*.dat .
t() {
	"$TDAT" merge -o out.dat "$@" || echo "status $?"
}
t x64-61-date.dat
t x64-61-date.dat missing.dat
t x64-61-date.dat i386-61-markers.dat
t x64-61-date.dat x64-61-clock-x86-tsc.dat
t x64-lab612-latency-irqsoff-v7zstd.dat x64-61-date.dat
t s390x-61-kstack.dat x64-lab612-trace-printk.dat 2>&1 | sed '/kernel symbols/d'
t --strict x64-61-date.dat x64-lab612-net.dat
t --as files x64-61-date.dat x64-lab612-net.dat
# Stamps of 1/100 s; an offset is nanoseconds.
sed 's,\[x86-tsc\],[uptime] ,' x64-61-clock-x86-tsc.dat >uptime.dat
t x64-61-date.dat uptime.dat
t uptime.dat uptime.dat --ts-offset 1
# A time below 0.
t x64-61-date.dat x64-61-date.dat --ts-offset -1795227412182865428
[ ! -e out.dat ] || echo written
touch out.dat
t x64-61-date.dat x64-61-date.dat
wc -c <out.dat
