# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" dump -F 'sched_.*: prev_pid == 0 && prev_cpu == 1' "$FIXTURES/valid/i386-61-v6-sched.dat"
