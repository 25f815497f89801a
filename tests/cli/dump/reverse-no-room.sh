# SPDX-License-Identifier: GPL-2.0-or-later
# Without a folder for temporary files --reverse is a failure where lines depend on those before.
# Expectation: made by tdat, proves only that nothing changed
TMPDIR=$PWD/none "$TDAT" dump --reverse --ts-diff "$FIXTURES/valid/s390x-61-kstack.dat" 2>&1 |
	sed 's,/.*/none:,TMPDIR:,'
