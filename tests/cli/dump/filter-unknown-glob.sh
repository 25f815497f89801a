# SPDX-License-Identifier: GPL-2.0-or-later
# A pattern that no event fits is a failure.
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" dump -e 'irq*' -e 'net/*' "$FIXTURES/valid/i386-61-v6-sched.dat"
