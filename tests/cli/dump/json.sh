# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" dump --json --limit 20 "$FIXTURES/valid/i386-61-v6-sched.dat"
"$TDAT" dump --json --buffer foo --limit 3 "$FIXTURES/valid/i386-61-v7-buffers.dat"
