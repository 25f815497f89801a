# SPDX-License-Identifier: GPL-2.0-or-later
printf "#!/bin/sh\necho no trace here\n" >x.sh
"$TDAT" dump x.sh
