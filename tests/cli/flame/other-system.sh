# SPDX-License-Identifier: GPL-2.0-or-later
# Events of a text have names of events that flame --of function needs, but another system: the
# reason names systems.
# Expectation: by hand: the events of a text are of the system ftrace_text
f=$FIXTURES/foreign/ftrace-text/graph/trace.txt
for command in 'flame --of function' 'latency --table function'; do
	# shellcheck disable=SC2086 # options are words
	"$TDAT" $command "$f" 2>&1 >/dev/null || echo "exit $?"
done
