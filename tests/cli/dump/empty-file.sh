# SPDX-License-Identifier: GPL-2.0-or-later
: >empty.dat
"$TDAT" dump empty.dat
