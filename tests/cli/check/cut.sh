# SPDX-License-Identifier: GPL-2.0-or-later
# A cut file is not clean, and check says where it ends.
head -c 30000 "$FIXTURES/valid/x64-61-v6-tiny.dat" >cut.dat
"$TDAT" check cut.dat
