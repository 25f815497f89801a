# SPDX-License-Identifier: GPL-2.0-or-later
# A trace.dat in every form shows the same; with nothing to change it stays the same.
# Expectation: compared here: texts and bytes before and after, and trace-cmd, run here, has no
# complaint; complaints are made by tdat
for name in x64-61-v6-tiny s390x-61-kstack i386-61-v7-buffers i386-61-v7-zstd-sched; do
	in=$FIXTURES/valid/$name.dat
	"$TDAT" dump "$in" >first
	for form in "6 none" "7 none" "7 zlib" "7 zstd" "7 any"; do
		set -- $form
		"$TDAT" convert -q -f --file-version $1 --compression $2 -o out.dat "$in"
		"$TDAT" dump out.dat | cmp first -
		# Debian builds trace-cmd without zlib.
		[ "$2" = zlib ] || trace-cmd report out.dat 2>err >report
		[ ! -s err ]
	done
	"$TDAT" convert -q -f -o out.dat "$in"
	"$TDAT" info --json "$in" out.dat | jq -c ".[] | [.version, .compression]"
done
"$TDAT" convert -q -o same.dat "$FIXTURES/valid/x64-61-v6-tiny.dat"
cmp same.dat "$FIXTURES/valid/x64-61-v6-tiny.dat"
"$TDAT" convert -q -o - - <same.dat | cmp - same.dat
cp same.dat other.dat
"$TDAT" convert -f -o other.dat same.dat
"$TDAT" convert same.dat -o same.dat || echo "status $?"
"$TDAT" convert same.dat out.dat || echo "status $?"
"$TDAT" convert --from kmemtrace same.dat -o new.dat || echo "status $?"
"$TDAT" convert --file-version 6 --compression zstd same.dat -o new.dat || echo "status $?"
ls
