# SPDX-License-Identifier: GPL-2.0-or-later
# A text without times gives ranks, between which nothing has a duration.
# Expectation: by hand
cat >trace.txt <<'EOF'
# tracer: function_graph
#
# CPU  DURATION                  FUNCTION CALLS
# |     |   |                     |   |   |   |
 0)               |  ksys_dup3() {
 0)   7.386 us    |    mutex_lock();
 0) + 23.483 us   |  }
EOF
"$TDAT" convert -q --from ftrace-text -o ranks.dat trace.txt
"$TDAT" profile ranks.dat || echo "exit $?"
"$TDAT" latency --table irq ranks.dat || echo "exit $?"
