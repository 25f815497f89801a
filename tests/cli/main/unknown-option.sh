# SPDX-License-Identifier: GPL-2.0-or-later
# An unknown option before the command is wrong usage.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
"$TDAT" --versoin
