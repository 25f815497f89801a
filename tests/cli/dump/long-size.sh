# SPDX-License-Identifier: GPL-2.0-or-later
# A file of a 32-bit kernel whose header says 8 bytes for long, as trace-cmd convert
# leaves it on another machine: pages are the kernel's, and text is trace-cmd's.
# Expectation: trace-cmd, run here, prints the same; the line of info is made by tdat
cp "$FIXTURES/valid/i386-61-v6-sched.dat" a.dat
chmod u+w a.dat
printf '\010' | dd of=a.dat bs=1 seek=13 conv=notrunc 2>/dev/null
trace-cmd report a.dat >want 2>/dev/null
"$TDAT" dump --compat debian12 a.dat | cmp want -
wc -l <want
"$TDAT" info a.dat | grep 'in the kernel'
