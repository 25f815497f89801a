# SPDX-License-Identifier: GPL-2.0-or-later
# A file of another kind is no trace.dat.
# Expectation: made by tdat, proves only that nothing changed; exit status 1 for what failed is
# tdat(1)'s rule
printf "#!/bin/sh\necho no trace here\n" >x.sh
"$TDAT" dump x.sh
