# SPDX-License-Identifier: GPL-2.0-or-later
# The option --version prints the name and three numbers; of a build that has all parts no more.
# Expectation: by hand: the form of a version
[ "$("$TDAT" --version | wc -l)" = 1 ]
"$TDAT" --version | grep -E "^tdat [0-9]+\.[0-9]+\.[0-9]+$" >/dev/null
"$TDAT" -V >/dev/null
