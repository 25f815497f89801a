# SPDX-License-Identifier: GPL-2.0-or-later
# A profile of a trace without switches, calls and the like says so; one of calls alone has no CPUs.
# Expectation: by hand
"$TDAT" profile "$FIXTURES/valid/x64-61-latfmt.dat" || echo "exit $?"
"$TDAT" profile -e funcgraph_entry -e funcgraph_exit "$FIXTURES/valid/i386-61-fgraph.dat" | grep -oE '^ +(CPU|on CPU|irqs|task) '
