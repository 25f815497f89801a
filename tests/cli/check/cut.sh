# SPDX-License-Identifier: GPL-2.0-or-later
# A cut file is not clean, and check says where it ends.
# Expectation: made by tdat, proves only that nothing changed; by hand: exit status 1, and
# 30000, where the file is cut
head -c 30000 "$FIXTURES/valid/x64-61-v6-tiny.dat" >cut.dat
"$TDAT" check cut.dat
