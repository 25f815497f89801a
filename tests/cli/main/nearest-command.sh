# SPDX-License-Identifier: GPL-2.0-or-later
# Expectation: made by tdat, proves only that nothing changed; by hand: the command meant
for word in inof dmp covnert lits; do
	"$TDAT" $word || true
done
