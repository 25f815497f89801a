# SPDX-License-Identifier: GPL-2.0-or-later
# The complaint is lost, the status is not; no file may take its place.
# Expectation: by hand: exit status 2, and no file
status=0
"$TDAT" nonsense 2>&- || status=$?
[ "$status" = 2 ]
[ -z "$(ls)" ]
