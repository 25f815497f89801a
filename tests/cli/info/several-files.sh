# SPDX-License-Identifier: GPL-2.0-or-later
# A bad file does not stop it, the exit status tells.
# Expectation: made by tdat, proves only that nothing changed; by hand: two good files, and exit
# status 1
cp "$FIXTURES/valid/x64-61-v6-tiny.dat" a.dat
echo nonsense >b.dat
cp "$FIXTURES/valid/x64-61-v7-none-tiny.dat" c.dat
status=0
"$TDAT" info a.dat b.dat missing.dat c.dat >out || status=$?
grep -c "^  Format .*trace.dat version" out
exit $status
