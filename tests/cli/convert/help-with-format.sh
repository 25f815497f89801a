# SPDX-License-Identifier: GPL-2.0-or-later
# The help has the options of the importer that --from names, and else of none.
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" convert --from kmemtrace --help-all | grep -e "--layout NAME" -e "--output FILE" | sed "s/  */ /g"
"$TDAT" convert --help-all | grep -c -e --layout || true
