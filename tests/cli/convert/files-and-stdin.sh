# SPDX-License-Identifier: GPL-2.0-or-later
# A directory, its files in any order, and one file through a pipe.
# Expectation: compared here: ways through tdat with each other
in=$FIXTURES/foreign/kmemtrace/be64_smp
"$TDAT" convert -q -o dir.dat "$in"
"$TDAT" convert -q -o files.dat "$in/cpu2.out" "$in/total_overruns" "$in/cpu0.out" \
	"$in/abi_version" "$in/cpu1.out"
"$TDAT" dump dir.dat >dir
"$TDAT" dump files.dat | cmp dir -
one=$FIXTURES/foreign/kmemtrace/le64_basic/cpu0.out
"$TDAT" convert -q -o one.dat "$one"
cat "$one" | "$TDAT" convert -q --from kmemtrace -o pipe.dat -
"$TDAT" dump one.dat >one
"$TDAT" dump pipe.dat | cmp one -
"$TDAT" convert -q -o - "$one" | "$TDAT" dump - | cmp one -
