# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" convert --file-version 8 in
