# SPDX-License-Identifier: GPL-2.0-or-later
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" dump --json --limit 20 "$FIXTURES/valid/i386-61-v6-sched.dat"
"$TDAT" dump --json --buffer foo --limit 3 "$FIXTURES/valid/i386-61-v7-buffers.dat"
