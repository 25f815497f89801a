# SPDX-License-Identifier: GPL-2.0-or-later
# No command that writes a file replaces one that it reads, whatever name it is given by; and
# none writes to a terminal unless --force is given.
# Expectation: by hand: each is refused with exit status 2, and the inputs stay as they were
d=$FIXTURES/valid
cp "$d/x64-61-v6-tiny.dat" in.dat
ln in.dat hard.dat
ln -s in.dat soft.dat
ln -s "$PWD/soft.dat" soft2.dat
cp "$d/x64-61-v7-none-tiny.dat" b.dat
ln in.dat in.dat.1
ln in.dat p.0003
cp -r "$FIXTURES/foreign/tracefs/x64-fgraph" fs
ln -s fs link
ln fs/per_cpu/cpu0/stats stats
cp "$FIXTURES/foreign/user_events/writes_le.txt" w.txt
cp "$FIXTURES/foreign/user_events/defs.txt" defs.txt
cp -r "$FIXTURES/foreign/ktr/fbsd_amd64_alq" ktr
mkdir out
cp in.dat out/events.csv
ln b.dat out/tasks.csv
mkdir -p lake/event=info
cp in.dat lake/event=info/part-a.dat.parquet
ln -s lake/event=info/part-a.dat.parquet a.dat
find . -type f ! -name before -exec sha256sum {} + | sort >before

t() {
	rc=0
	"$TDAT" "$@" || rc=$?
	[ $rc = 2 ] || echo "status $rc: $*"
}
for out in in.dat ./in.dat hard.dat soft.dat soft2.dat; do
	t convert -f -o $out in.dat
	t split --exact -f -i in.dat -o $out
	t merge -f -o $out b.dat in.dat
	t repair -f -o $out in.dat
done
t convert -f -o in.dat soft.dat
t convert -o in.dat in.dat
t split -f -i in.dat
t split -f -i in.dat.1 -o in.dat
t split -f -r -e 10 -i in.dat -o p
t split -f -r -e 10 -i soft2.dat -o ./p
t merge -f -o b.dat in.dat -i b.dat
t repair -f --formats-from b.dat -o b.dat in.dat
# Files of a folder, and those that options name.
t convert -f --from tracefs -o fs/kallsyms fs
t convert -f --from tracefs -o stats fs
t convert -f --from tracefs -o link/per_cpu/cpu1/trace_pipe_raw fs
t convert -f -o fs/per_cpu/cpu1/trace_pipe_raw link
t convert -f --from user_events --definitions defs.txt -o defs.txt w.txt
t convert -f --from user_events --definitions defs.txt -o w.txt w.txt
t convert -f --from ktr --module ktr/kernel.elf@0x1000 -o ktr/kernel.elf ktr/ktr.out
# Files in the folder of an export.
t export -f --to csv --table events -o out out/events.csv
t export -f --to csv --table events -o out b.dat
t export -f --to parquet --partition event -o lake a.dat
t export -f --to parquet --partition event -o lake b.dat lake/event=info/part-a.dat.parquet
# Standard input and output.
t convert -f -o in.dat - <in.dat
t convert -f -o - in.dat 1<>hard.dat
t convert -f --from user_events -o ./w.txt - <w.txt
find . -type f ! -name before ! -name after -exec sha256sum {} + | sort >after
cmp before after

# Another file of the same folder is replaced all the same.
cp b.dat p.0009
"$TDAT" convert -q -f -o b.dat in.dat
"$TDAT" split -q -f -r -e 30 -i in.dat -o q
rm p.0003
"$TDAT" split -q -f -r -e 30 -i in.dat -o p

# On a terminal.
for words in 'convert in.dat -o -' 'convert in.dat -o /dev/stdout' 'convert in.dat -o /dev/tty' \
	'split --exact -i in.dat -o -' 'merge in.dat b.dat -o -' 'repair in.dat -o -'; do
	script -qec "'$TDAT' $words" shown </dev/null >/dev/null && echo "$words: done" || echo "status $?"
	sed '1d;$d' shown | tr -d '\r'
done
script -qec "'$TDAT' convert in.dat -q -f -o - | cat >piped; '$TDAT' convert in.dat -q -f -o -" shown </dev/null >/dev/null
"$TDAT" convert in.dat -q -o - | cmp - piped
[ "$(wc -c <shown)" -gt "$(wc -c <piped)" ]
