# SPDX-License-Identifier: GPL-2.0-or-later
# Text is not appended to the file that it is made of, whatever name that is given by.
# Expectation: by hand: each is refused with exit status 2, and the inputs stay as they were
cp "$FIXTURES/valid/x64-61-v6-tiny.dat" trace.dat
cp "$FIXTURES/foreign/user_events/writes_le.txt" w.txt
ln trace.dat hard.dat
ln -s trace.dat soft.dat
sha256sum trace.dat w.txt >before
t() {
	rc=0
	"$TDAT" "$@" >>"$out" || rc=$?
	[ $rc = 2 ] || echo "status $rc: $*"
}
for out in trace.dat hard.dat soft.dat; do
	for command in dump 'dump --json' check info 'info --json' stat list; do
		t $command
	done
	for command in dump check info stat 'list -i'; do
		t $command soft.dat
	done
	t dump - <hard.dat
	t sql soft.dat 'SELECT 1'
	t export --to csv --table lost soft.dat
	t hist soft.dat 'sched/sched_switch hist:keys=common_pid'
	for command in latency profile flame 'stat --by event'; do
		t $command soft.dat
	done
done
out=w.txt
t dump --format user_events w.txt
# Files of a capture's folder, and files that options name.
cp -r "$FIXTURES/foreign/ktr/fbsd_amd64_alq" ktr
cp "$FIXTURES/foreign/user_events/defs.txt" .
echo 'SELECT 1;' >q.sql
echo 'hist:keys=common_pid:sched/sched_switch' >setup
chmod -R u+w .
sha256sum ktr/* defs.txt q.sql setup >>before
for out in ktr/*; do
	t dump --format ktr ktr
done
out=defs.txt
t dump --format user_events --definitions defs.txt w.txt
out=q.sql
t sql -f q.sql trace.dat
t sql trace.dat <q.sql
out=setup
t hist --setup setup trace.dat
sha256sum -c --quiet before

# Another file, and a pipe, are none of its business.
"$TDAT" dump trace.dat >>other
"$TDAT" dump trace.dat | cmp - other
