# SPDX-License-Identifier: GPL-2.0-or-later
# Each input becomes an instance; a second one of a name is numbered.
# Expectation: trace-cmd, run here, finds the instances and counts the lines; other lines are
# made by tdat and prove only that nothing changed
ln -s "$FIXTURES"/valid/*.dat .
a=i386-61-v7-buffers.dat
b=i386-61-markers.dat
for version in 6 7; do
	"$TDAT" merge -q -f --as instances --file-version $version -o out.dat "$a" "$b" "$b"
	"$TDAT" check out.dat
	"$TDAT" info --json out.dat | jq -c '.[0].buffers[] | [.name, (.cpus | length)]'
	trace-cmd report out.dat 2>&1 | wc -l
	trace-cmd report --stat out.dat | grep '^Buffer:'
	"$TDAT" dump out.dat | sed -n '2,4p'
done
