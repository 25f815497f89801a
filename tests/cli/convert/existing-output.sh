# SPDX-License-Identifier: GPL-2.0-or-later
# The default name; kept as it is without --force.
in=$FIXTURES/foreign/kmemtrace/le64_basic
echo mine >trace.dat
status=0
"$TDAT" convert "$in" || status=$?
cat trace.dat
"$TDAT" convert --force "$in"
"$TDAT" dump | wc -l
ls
exit $status
