# SPDX-License-Identifier: GPL-2.0-or-later
# Of several filters one has to fit, as in trace-cmd.
# Expectation: trace-cmd 3.1.6's report with these options and libtraceevent 1.7.1, stored
"$TDAT" dump --compat debian12 '-F' 'irq: CPU == 1' '-F' 'sched/sched_wak.*: prio <= 100 || target_cpu == 1' "$FIXTURES/valid/i386-61-v6-sched.dat"
