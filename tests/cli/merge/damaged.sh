# SPDX-License-Identifier: GPL-2.0-or-later
# What can be read of a damaged input is merged, and the exit status tells.
# Expectation: made by tdat, proves only that nothing changed; by hand: exit status 1
ln -s "$FIXTURES"/valid/*.dat .
a=x64-61-v7-none-tiny.dat
head -c 39000 "$a" >cut.dat
"$TDAT" merge -o out.dat "$a" cut.dat || echo "status $?"
"$TDAT" check out.dat
"$TDAT" merge --strict -f -o out.dat "$a" cut.dat || echo "status $?"
sed 's/next_comm\[16\];/next_comm[16]:/' "$a" >format.dat
"$TDAT" merge -f -o out.dat "$a" format.dat || echo "status $?"
