# SPDX-License-Identifier: GPL-2.0-or-later
# A filter of a field that no event has is a failure.
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" dump -F 'sched_.*: prev_pid == 0 && prev_cpu == 1' "$FIXTURES/valid/i386-61-v6-sched.dat"
