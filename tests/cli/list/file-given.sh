# SPDX-License-Identifier: GPL-2.0-or-later
# The option --formats takes no file.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
"$TDAT" list --formats x.dat
