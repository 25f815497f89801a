# SPDX-License-Identifier: GPL-2.0-or-later
mkdir d
"$TDAT" convert d
