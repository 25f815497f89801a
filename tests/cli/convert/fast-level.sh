# SPDX-License-Identifier: GPL-2.0-or-later
# Negative levels of zstd, which are faster, give other bytes and the same events, for trace-cmd, too.
# Expectation: trace-cmd report, of the copies with both levels; the text here is made by tdat and
# proves only that nothing changed
in=$FIXTURES/valid/i386-61-v7-zstd-sched.dat
"$TDAT" convert -q --compression zstd --level 3 -o usual.dat "$in"
"$TDAT" convert -q --compression zstd --level -5 -o fast.dat "$in"
cmp -s usual.dat fast.dat && echo "the level changes nothing"
"$TDAT" check -q fast.dat
"$TDAT" dump usual.dat >usual.txt
"$TDAT" dump fast.dat | cmp - usual.txt
if command -v trace-cmd >/dev/null; then
	trace-cmd report usual.dat >usual.txt 2>/dev/null
	trace-cmd report fast.dat 2>/dev/null | cmp - usual.txt
fi
[ "$(wc -c <fast.dat)" -gt "$(wc -c <usual.dat)" ] && echo larger
