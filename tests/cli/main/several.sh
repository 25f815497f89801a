# SPDX-License-Identifier: GPL-2.0-or-later
# A folder of several whole traces is no capture: they are named. Names of outputs that another command writes
# lead to it. Each command that reads takes standard input, and damage counts for sql without a statement.
# Expectation: by hand
sample=$FIXTURES/valid/i386-61-fgraph.dat
mkdir dats perfs
cp "$sample" dats/a.dat
cp "$sample" dats/b.dat
cp "$FIXTURES/foreign/perf/s390x-ucall/perf.data" perfs/perf.data
cp perfs/perf.data perfs/perf.data.old
for folder in dats perfs; do
	"$TDAT" info $folder || echo "exit $?"
	"$TDAT" convert -o x.dat $folder || echo "exit $?"
done
for name in x.png x.svg x.html; do
	"$TDAT" convert -o $name "$sample" || echo "exit $?"
	"$TDAT" export -o $name "$sample" || echo "exit $?"
done
"$TDAT" convert --to perfetto -o x.pb "$sample" || echo "exit $?"
"$TDAT" convert --to trace.data -o x.pb "$sample" || echo "exit $?"
ls
while read -r command; do
	eval "\"\$TDAT\" $command" <"$sample" >out 2>err || { echo "$command: exit $?"; cat err; }
done <<'END'
info -
stat -
check -
list -
list --tables -
dump -
report -
latency --table function -
profile -
sql - 'SELECT count(*) FROM events'
hist - 'ftrace/funcgraph_exit hist:keys=depth'
split -f -o part.dat -
convert -o copy.dat -
export --to jsonl --table events -o x.jsonl -
flame --of function -
view -o page.html -
repair -o mended.dat -
merge -o both.dat - "$sample"
END
"$TDAT" sql - <"$sample" || echo "exit $?"
head -c 20000 "$sample" >cut.dat
"$TDAT" sql cut.dat </dev/null || echo "exit $?"
