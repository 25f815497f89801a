# SPDX-License-Identifier: GPL-2.0-or-later
# Expectation: made by tdat, proves only that nothing changed; exit status 1 is tdat(1)'s rule
"$TDAT" dump --csv --limit 40 --threads 1 "$FIXTURES/valid/i386-61-v6-sched.dat" >out
