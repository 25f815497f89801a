# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" "$(printf "help\033[0m\n")"
