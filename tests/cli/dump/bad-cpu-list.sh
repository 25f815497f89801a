# SPDX-License-Identifier: GPL-2.0-or-later
# A range of CPUs that ends before it begins is wrong usage.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
"$TDAT" dump --cpu 3-1 x.dat
