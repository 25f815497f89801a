# SPDX-License-Identifier: GPL-2.0-or-later
# Small parts of a data set are joined; a part given to a command; what is refused.
# Expectation: made by tdat, read and found right by hand; proves only that nothing changed
cp "$FIXTURES/valid/i386-61-v6-sched.dat" a.dat
cp "$FIXTURES/valid/i386-61-v7-buffers.dat" b.dat
run() {
	"$TDAT" export --to parquet "$@" 2>&1 && echo "exit 0" || echo "exit $?"
}
run --nodate --partition event --table 'sched/sched_s*' --table tasks -o lake a.dat b.dat
run --compact lake
find lake -name '*.parquet' | sort
grep -h -e joined -e part lake/_tdat/file=* | grep -v '^as'
run --compact lake
run --nodate --partition event --table 'sched/sched_s*' --table tasks -o lake a.dat b.dat
run -f --nodate --partition event -o lake a.dat
printf x >lake/event=tasks/part-c.dat.parquet
cp lake/_tdat/file=b.dat lake/_tdat/file=c.dat
run --compact lake
run -o files --table tasks a.dat b.dat
run --compact files
run --compact nothing
run --compact lake a.dat
run --compact lake --table tasks
run --to csv --compact lake
run --part-pipe cat -o out a.dat
run -q --partition table --table tasks -o given --part-pipe 'echo "$TDAT_PART: $(head -c 4)"' a.dat
run -q --partition table --table tasks -o given --part-pipe 'exit 7' b.dat
find given -type f | sort
