# SPDX-License-Identifier: GPL-2.0-or-later
# A mistyped option gets the nearest one in the complaint.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
"$TDAT" list --fromats
