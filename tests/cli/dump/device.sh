# SPDX-License-Identifier: GPL-2.0-or-later
# A device that never ends is no trace.dat, and is not read on.
# Expectation: made by tdat, proves only that nothing changed; exit status 1 for what failed is
# tdat(1)'s rule
"$TDAT" dump /dev/zero
