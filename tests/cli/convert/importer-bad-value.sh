# SPDX-License-Identifier: GPL-2.0-or-later
# An option of an importer with a value that it does not know is wrong usage.
# Expectation: made by tdat, proves only that nothing changed; exit status 2 for wrong usage is
# tdat(1)'s rule
cp "$FIXTURES/foreign/kmemtrace/le64_basic/cpu0.out" .
"$TDAT" convert --from kmemtrace --layout nonsense cpu0.out
