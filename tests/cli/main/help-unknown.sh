# SPDX-License-Identifier: GPL-2.0-or-later
# Help of a mistyped command names the nearest one.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
"$TDAT" help hepl
