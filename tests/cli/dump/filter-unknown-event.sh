# SPDX-License-Identifier: GPL-2.0-or-later
# A filter of an event that no file has is a failure.
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" dump -F 'sched_switch, sched_swatch' "$FIXTURES/valid/i386-61-v6-sched.dat"
