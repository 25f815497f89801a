# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" dump --cpu 3-1 x.dat
