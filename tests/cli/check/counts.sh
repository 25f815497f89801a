# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel counted the events of each CPU (option CPUSTAT): a file that has fewer lacks pages, was
# split, or some were not written. That is a note.
# Expectation: by hand: the numbers that stat prints, and those put into the options
f=$FIXTURES/valid/i386-61-v7-buffers.dat
"$TDAT" check -v "$f" | grep -c CPUSTAT || :
cp "$f" more.dat
chmod u+w more.dat
sed -i 's/entries: 1\(..\)$/entries: 9\1/' more.dat
cmp -s "$f" more.dat && echo "not changed"
"$TDAT" check more.dat
"$TDAT" check -v more.dat
"$TDAT" check -v --json more.dat | grep -c 'option CPUSTAT'
# Without that number, or with two for one CPU, nobody can tell.
sed 's/read events: /read evenus: /' more.dat >less.dat
"$TDAT" check -v less.dat
sed 's/CPU: 1$/CPU: 0/' more.dat >two.dat
"$TDAT" check -v two.dat
"$TDAT" split -q --exact --until +0.1s -o piece.dat -i "$f"
"$TDAT" check -v piece.dat
"$TDAT" stat --exact piece.dat | sed -n '3,10p'
