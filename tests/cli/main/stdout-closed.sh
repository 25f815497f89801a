# SPDX-License-Identifier: GPL-2.0-or-later
# A closed standard output is a failure.
# Expectation: made by tdat, proves only that nothing changed; exit status 1 for what failed is
# tdat(1)'s rule
"$TDAT" --help >&-
