# SPDX-License-Identifier: GPL-2.0-or-later
# An instant that a program writes in atrace's form has its own name, as begin and end of a slice do; a counter without
# a number stays an event.
# Expectation: by hand
f=$FIXTURES/valid/x64-lab612-trace-printk.dat
for mark in "I|118|here\\n\\x00" "C|118|n|no\\n\\x00"; do
	sed "s/This is a dy/$mark/" "$f" >marks.dat
	cmp -s "$f" marks.dat && echo "nothing was changed"
	"$TDAT" export -qf --to chrome -o out.json marks.dat
	jq -c '.traceEvents[] | select(.args.buf? | strings | test("^[IC][|]")) | {ph, name, cat, buf: .args.buf}' out.json | sort -u
done
