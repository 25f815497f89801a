# SPDX-License-Identifier: GPL-2.0-or-later
# The default name; kept as it is without --force.
# Expectation: made by tdat, proves only that nothing changed; by hand: which files there are,
# and exit status 1
in=$FIXTURES/foreign/kmemtrace/le64_basic
echo mine >trace.dat
status=0
"$TDAT" convert "$in" || status=$?
cat trace.dat
"$TDAT" convert --force "$in"
"$TDAT" dump | wc -l
ls
exit $status
