# SPDX-License-Identifier: GPL-2.0-or-later
# Without a command the program is used wrongly, and says how it is used.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
status=0
"$TDAT" 2>said || status=$?
head -n 1 said
exit $status
