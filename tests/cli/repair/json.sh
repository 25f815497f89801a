# SPDX-License-Identifier: GPL-2.0-or-later
head -c 30000 "$FIXTURES/valid/x64-61-v6-tiny.dat" >cut.dat
"$TDAT" repair --json -o fixed.dat cut.dat
