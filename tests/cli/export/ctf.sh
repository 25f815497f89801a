# SPDX-License-Identifier: GPL-2.0-or-later
# A folder of CTF: what is in it, what is refused, and that nothing is left of a failure. That the
# events are right is export_ctf's.
# Expectation: by hand: names of files by docs/exports.md; compared here: one thread and three
cp "$FIXTURES/valid/i386-61-v7-buffers.dat" t.dat
run() {
	"$TDAT" export --to ctf "$@" 2>&1 && echo "exit 0" || echo "exit $?"
}
run t.dat
run --table tasks -o out t.dat
run --ctf-names linux -o out t.dat
ls -A
run -o out/ t.dat
ls -A out
run -o out t.dat
run -f --threads 1 -o out t.dat
run --threads 3 -o three t.dat
diff -r out three
mkdir other empty
touch other/file
run -f -o other t.dat
run -o empty t.dat
cmp empty/top_0 out/top_0
mkdir away
run -e no_such_event -o away/out t.dat
ls -A . away
grep -c '^event' out/metadata
# Events of programs are not taken for the kernel's.
for names in lttng ftrace; do
	"$TDAT" export -q -f --to ctf --ctf-names $names -o out "$FIXTURES/valid/x64-lab612-user-events.dat"
	grep 'name = "user_events\|name = "ue_' out/metadata | sort | head -n 2
done
