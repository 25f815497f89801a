# SPDX-License-Identifier: GPL-2.0-or-later
# The good record is kept, the status tells of the doubt.
cp "$FIXTURES/foreign/kmemtrace/bad_truncated_record/cpu0.out" .
status=0
"$TDAT" convert -o out.dat cpu0.out || status=$?
"$TDAT" dump out.dat | wc -l
exit $status
