# SPDX-License-Identifier: GPL-2.0-or-later
# An interval that no time can hold is left out, and makes no sum begin at 2^64 again.
# Expectation: by hand: the page whose time is changed to 2^64 - 2^40 ns and a little has the last events of CPU 0
cp "$FIXTURES/valid/i386-61-v6-sched.dat" late.dat
chmod u+w late.dat
page=$("$TDAT" sql --csv late.dat 'SELECT "off" + len - 4096 FROM cpus WHERE cpu = 0' | tr -d '\r' | tail -n1)
printf '\377\377\377' | dd of=late.dat bs=1 seek=$((page + 5)) conv=notrunc 2>/dev/null
"$TDAT" profile --exact late.dat >text
grep 18446 text || sed -n 4p text
