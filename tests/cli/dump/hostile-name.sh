# SPDX-License-Identifier: GPL-2.0-or-later
# The name of a file must not drive the terminal.
"$TDAT" dump "$(printf "a\033[2Jb")"
