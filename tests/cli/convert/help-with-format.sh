# SPDX-License-Identifier: GPL-2.0-or-later
"$TDAT" convert --from kmemtrace --help | grep -e "--layout NAME" -e "--output FILE" | sed "s/  */ /g"
"$TDAT" convert --help | grep -c -e --layout || true
