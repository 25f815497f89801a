# SPDX-License-Identifier: GPL-2.0-or-later
# CSV has a column for each field of the one event type.
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" dump --csv -e sched_wakeup --limit 12 "$FIXTURES/valid/i386-61-v6-sched.dat"
