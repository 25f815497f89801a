# SPDX-License-Identifier: GPL-2.0-or-later
# What README promises: the text of Debian 12's trace-cmd, here the installed one, of every
# file that it can read.
# Expectation: trace-cmd, run here, prints the same
set -eu
count=0
for f in "$FIXTURES"/valid/*.dat; do
	trace-cmd report "$f" >want 2>/dev/null || continue
	[ -s want ] || continue
	"$TDAT" dump --compat debian12 "$f" >got
	cmp want got || echo "$f"
	count=$((count + 1))
done
echo "$count files"
