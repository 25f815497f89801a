# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" dump --json --csv "$FIXTURES/valid/i386-61-v6-sched.dat"
