# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" dump -F 'sched_switch: prev_pid = 0' "$FIXTURES/valid/i386-61-v6-sched.dat"
