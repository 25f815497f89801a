# SPDX-License-Identifier: GPL-2.0-or-later
# Plugins keep state from line to line: they see the events in order, on one thread,
# whatever --threads asks for.
# Expectation: trace-cmd, run here, prints the same
set -eu
f=$FIXTURES/valid/i386-61-function.dat
dir=$(pkg-config --variable=libdir libtraceevent)/traceevent/plugins
set --
while [ $# -lt 60 ]; do
	set -- "$@" "$f"
done
"$TDAT" merge -q --as cpus -o big.dat "$@" # many batches of events
trace-cmd report big.dat >want 2>/dev/null
test "$(wc -l <want)" -gt 12000
{ head -n1 want && sed 1d want | tac; } >want.back
for n in 1 2 3 8; do
	"$TDAT" dump --compat debian12 --plugin-dir "$dir" --threads $n big.dat >got
	cmp want got
	"$TDAT" dump --compat debian12 --plugin-dir "$dir" --threads $n --reverse big.dat >got
	cmp want.back got
done
