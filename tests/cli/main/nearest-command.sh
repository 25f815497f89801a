# SPDX-License-Identifier: GPL-2.0-or-later
for word in inof dmp covnert lits; do
	"$TDAT" $word || true
done
