# SPDX-License-Identifier: GPL-2.0-or-later
# A filter that cannot be parsed is wrong usage, with the place.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
"$TDAT" dump -F 'sched_switch: prev_pid = 0' "$FIXTURES/valid/i386-61-v6-sched.dat"
