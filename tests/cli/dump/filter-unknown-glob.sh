# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" dump -e 'irq*' -e 'net/*' "$FIXTURES/valid/i386-61-v6-sched.dat"
