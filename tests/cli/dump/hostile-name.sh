# SPDX-License-Identifier: GPL-2.0-or-later
# The name of a file must not drive the terminal.
# Expectation: made by tdat, proves only that nothing changed; by hand: no control byte is in it
"$TDAT" dump "$(printf "a\033[2Jb")"
