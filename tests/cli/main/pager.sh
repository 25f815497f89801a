# SPDX-License-Identifier: GPL-2.0-or-later
# On a terminal text goes through TDAT_PAGER, PAGER or less; the exit status stays the command's, and a
# reader that leaves early is no failure. In a pipe there is neither a pager nor color.
# Expectation: compared here: what a pager that marks its lines is given with the text in a pipe; by hand: the rest
f=$FIXTURES/valid/x64-61-v6-tiny.dat
export TERM=xterm
unset TDAT_PAGER PAGER
terminal() {
	script -qec "$*; echo \"exit \$?\"" /dev/null </dev/null | tr -d '\r'
}
"$TDAT" dump "$f" >want
mark="sed s/^/%/"
TDAT_PAGER=$mark terminal "'$TDAT' dump --color never '$f'" | sed -n 's/^%//p' | cmp - want
PAGER=$mark terminal "'$TDAT' stat --color never '$f'" | grep -c '^%'
TDAT_PAGER=cat PAGER=$mark terminal "'$TDAT' dump --color never --head 1 '$f'"
TDAT_PAGER=$mark terminal "'$TDAT' dump --no-pager --color never --head 1 '$f'"
TDAT_PAGER=$mark TERM=dumb terminal "'$TDAT' dump --head 1 '$f'"
TDAT_PAGER=$mark "$TDAT" dump "$f" | cmp - want
# The status is the command's, its complaints go through the pager.
TDAT_PAGER=$mark terminal "'$TDAT' dump none.dat"
TDAT_PAGER=true terminal "'$TDAT' dump '$f'"
(trap '' PIPE; TDAT_PAGER=true terminal "'$TDAT' dump '$f'")
# less leaves at once where one screen is enough.
terminal "'$TDAT' dump --color never --head 1 '$f'" | grep -c 'trace-cmd-205'
# Tables fit the terminal behind the pager, too.
COLUMNS=60 TDAT_PAGER=$mark terminal "'$TDAT' stat --color never '$f'" | grep -v '|' | awk 'length($0) > 61'
# Control bytes do not come through.
printf 'x\033[31mx' >name
bad=$(cat name)
cp "$f" "$bad"
TDAT_PAGER=$mark terminal "'$TDAT' info --color never '$bad'" | grep -c '\\x1b'
