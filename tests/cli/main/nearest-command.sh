# SPDX-License-Identifier: GPL-2.0-or-later
# A mistyped command gets the nearest one in the complaint.
# Expectation: made by tdat, proves only that nothing changed; by hand: the command meant
for word in inof dmp covnert lits; do
	"$TDAT" $word || true
done
