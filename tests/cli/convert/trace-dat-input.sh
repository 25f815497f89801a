# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" convert "$FIXTURES/valid/x64-61-v6-tiny.dat" 2>err || status=$?
sed "s|$FIXTURES|FIXTURES|" err
exit $status
