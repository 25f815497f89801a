# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" repair "$FIXTURES/valid/x64-61-v6-tiny.dat"
