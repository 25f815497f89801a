# SPDX-License-Identifier: GPL-2.0-or-later
# The good record is kept, the status tells of the doubt.
# Expectation: made by tdat, proves only that nothing changed; by hand: one line for "cpus=" and
# one for the good record, and exit status 1
cp "$FIXTURES/foreign/kmemtrace/bad_truncated_record/cpu0.out" .
status=0
"$TDAT" convert -o out.dat cpu0.out || status=$?
"$TDAT" dump out.dat | wc -l
exit $status
