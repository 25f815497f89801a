# SPDX-License-Identifier: GPL-2.0-or-later
# The options --json and --csv exclude each other.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
"$TDAT" dump --json --csv "$FIXTURES/valid/i386-61-v6-sched.dat"
