# SPDX-License-Identifier: GPL-2.0-or-later
mkdir d.dat
"$TDAT" dump d.dat
