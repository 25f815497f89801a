# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" dump --csv --limit 40 --threads 1 "$FIXTURES/valid/i386-61-v6-sched.dat" >out
