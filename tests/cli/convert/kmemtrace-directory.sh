# SPDX-License-Identifier: GPL-2.0-or-later
# What is written reads the same by tdat and by trace-cmd.
# Expectation: trace-cmd, run here, prints the same; the summary on stderr is made by tdat
"$TDAT" convert -o out.dat "$FIXTURES/foreign/kmemtrace/be64_smp"
"$TDAT" dump --compat debian12 out.dat | tee dump
trace-cmd report out.dat >report 2>err
cmp dump report
[ ! -s err ]
