# SPDX-License-Identifier: GPL-2.0-or-later
# Stops at the first doubt and leaves nothing, also not in place of an old file.
# Expectation: made by tdat, proves only that nothing changed; by hand: which files are left,
# and exit status 1
cp "$FIXTURES/foreign/kmemtrace/bad_truncated_record/cpu0.out" .
echo old >out.dat
status=0
"$TDAT" convert --strict --force -o out.dat cpu0.out || status=$?
ls
cat out.dat
exit $status
