# SPDX-License-Identifier: GPL-2.0-or-later
# CSV of an event type that no event has is empty, and says so.
# Expectation: by hand: no output for an event type that has no events, and a sentence that says so
cp "$FIXTURES/valid/i386-61-v6-sched.dat" in.dat
"$TDAT" dump --csv -e sched_process_hang in.dat
