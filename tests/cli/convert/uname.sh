# SPDX-License-Identifier: GPL-2.0-or-later
# Captures that do not know their machine take its name from an option.
# Expectation: trace-cmd, run here, prints the names given
in=$FIXTURES/foreign
"$TDAT" convert -q --uname "Linux alpha 2.6.22" --file-version 6 -o a.dat "$in/gtsc/text_global"
"$TDAT" convert -q --from blktrace --uname "Linux beta 6.19" --compression none -o b.dat \
	"$in/gtsc/blktrace_v8_le"
"$TDAT" convert -q --from user_events --uname "Linux gamma 6.4" --compression none -o c.dat \
	--definitions "$in/user_events/defs.txt" "$in/user_events/writes_le.txt"
for file in a b c; do
	trace-cmd report --uname $file.dat | grep ^Linux
done
