# SPDX-License-Identifier: GPL-2.0-or-later
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" dump --json "$FIXTURES/valid/x64-lab612-lost-v6.dat" | grep '"lost"'
