# SPDX-License-Identifier: GPL-2.0-or-later
# A recording of perf with call chains: threads, CPUs, times, names and fields are those of perf's
# own text. Stacks come behind their sample.
# Expectation: compared here: perf's own text of the same recording; made by tdat: stacks, and the summary
in=$FIXTURES/foreign/perf/s390x-ucall
"$TDAT" convert --from perf -o out.dat "$in" || echo "exit $?"
"$TDAT" dump --compat 3.1 -N -t out.dat >dump
# PID [CPU] TIME: EVENT: FIELDS
sed -E -n '/_stack: /d; s/^ *.*-([0-9]+) +\[([0-9]+)\] +([0-9.]+): ([a-z_]+): +/\1 [\2] \3: \4: /p' dump >got
sed -E 's/^ *[^ ]+ +[0-9]+\/([0-9]+) +\[([0-9]+)\] +([0-9.]+): +[a-z_]+:([a-z_]+): +/\1 [\2] \3: \4: /' "$in.txt" >want
cmp want got && echo "$(wc -l <got) events are perf's"
"$TDAT" dump -N out.dat | sed -n '/user_stack/{:a;p;n;/=>/ba;q}'
# Without convert it is the same.
"$TDAT" dump out.dat >want
"$TDAT" dump "$in/perf.data" | cmp - want
