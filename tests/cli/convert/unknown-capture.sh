# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing may be left behind either.
echo "no capture at all" >in
status=0
"$TDAT" convert in || status=$?
ls
exit $status
