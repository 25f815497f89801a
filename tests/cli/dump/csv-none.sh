# SPDX-License-Identifier: GPL-2.0-or-later
# Expectation: by hand: no output for an event type that is not in the file
"$TDAT" dump --csv -e sched_process_hang "$FIXTURES/valid/i386-61-v6-sched.dat"
