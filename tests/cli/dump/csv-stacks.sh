# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks do not follow into a table of another event.
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" dump --csv -e sched_switch --limit 5 "$FIXTURES/valid/arm64-16k-612-kstack.dat"
