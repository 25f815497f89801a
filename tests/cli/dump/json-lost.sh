# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" dump --json "$FIXTURES/valid/x64-lab612-lost-v6.dat" | grep '"lost"'
