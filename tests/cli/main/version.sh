# SPDX-License-Identifier: GPL-2.0-or-later
# The option --version prints the name and three numbers.
# Expectation: by hand: the form of a version
"$TDAT" --version | grep -E "^tdat [0-9]+\.[0-9]+\.[0-9]+$" >/dev/null
"$TDAT" -V >/dev/null
