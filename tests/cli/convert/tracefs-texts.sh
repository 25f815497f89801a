# SPDX-License-Identifier: GPL-2.0-or-later
# Lines at which readers of kallsyms and printk formats would stop are left out with a warning.
# Expectation: by hand
cp -r "$FIXTURES/foreign/tracefs/x64-fgraph" copy
chmod -R u+w copy
"$TDAT" convert --from tracefs -q -o want.dat copy
sed -i '3i ffff junk' copy/printk_formats
sed -i '7i what is this' copy/kallsyms
printf '\0' >>copy/kallsyms
printf 'ffffffff00000000 t behind_a_nul\n' >>copy/kallsyms
"$TDAT" convert --from tracefs -q -o got.dat copy || echo "exit $?"
"$TDAT" check got.dat
"$TDAT" dump want.dat >want.txt
"$TDAT" dump got.dat | cmp - want.txt && echo "the same events"
