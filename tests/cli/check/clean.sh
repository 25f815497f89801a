# SPDX-License-Identifier: GPL-2.0-or-later
# What recorders wrote is clean, and so the shared corpus when it is there.
# Expectation: by hand: exit status 0, as recorders and trace-cmd wrote these files
set -eu
"$TDAT" check -q "$FIXTURES"/valid/*.dat
shared=${TDAT_SHARED:-}
if [ -n "$shared" ] && [ -d "$shared/corpus/files" ]; then
	"$TDAT" check -q "$shared"/corpus/files/*.dat
fi
