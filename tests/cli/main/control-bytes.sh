# SPDX-License-Identifier: GPL-2.0-or-later
# Control bytes of an argument do not reach the terminal.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
"$TDAT" "$(printf "help\033[0m\n")"
