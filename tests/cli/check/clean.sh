# SPDX-License-Identifier: GPL-2.0-or-later
# What recorders wrote is clean, and so the shared corpus when it is there.
set -eu
"$TDAT" check -q "$FIXTURES"/valid/*.dat
shared=${TDAT_SHARED:-}
if [ -n "$shared" ] && [ -d "$shared/corpus/files" ]; then
	"$TDAT" check -q "$shared"/corpus/files/*.dat
fi
