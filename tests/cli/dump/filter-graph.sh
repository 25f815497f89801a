# SPDX-License-Identifier: GPL-2.0-or-later
# A filter of function_graph compares names of functions.
# Expectation: trace-cmd 3.1.6's report with these options and libtraceevent 1.7.1, stored
"$TDAT" dump --compat debian12 '-F' 'funcgraph_entry: func =~ "vfs"' '--cpu' '1' "$FIXTURES/valid/i386-61-fgraph.dat"
