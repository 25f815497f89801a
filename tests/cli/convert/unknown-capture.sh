# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing may be left behind either.
# Expectation: made by tdat, proves only that nothing changed; exit status 1 for what failed is
# tdat(1)'s rule
echo "no capture at all" >in
status=0
"$TDAT" convert in || status=$?
ls
exit $status
