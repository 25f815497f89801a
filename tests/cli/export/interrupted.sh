# SPDX-License-Identifier: GPL-2.0-or-later
# A signal that ends an export leaves nothing; after a kill the next run removes what is left, but not
# what another process writes at that time.
# Expectation: by hand: no hidden name is left, exit statuses of signals are 128 and their number
exec 2>/dev/null # the shell says of each job how it ended
mkdir run
cd run
long=$(yes "$FIXTURES/valid/ppc64el-61-syscalls.dat" | head -n 80)
hidden() { find . -name '.?*' | sort; }
# stopped SIGNAL ARGUMENTS: the export is under way when the signal comes.
stopped() {
	env --default-signal=INT,QUIT "$TDAT" export "$@" --partition none $long >/dev/null 2>&1 &
	pid=$!
	until [ "$(hidden)" ]; do kill -0 $pid; done
}
signals="INT TERM HUP XFSZ"
for to in "ctf -o t" "parquet -o t" "perfetto -o t" "sqlite -o t"; do
	for signal in $signals; do
		stopped --to $to
		kill -$signal $pid
		status=0
		wait $pid || status=$?
		echo "$to: $signal $((status - 128))" $(hidden)
		rm -rf t
	done
	signals=INT
	stopped --to $to
	kill -KILL $pid
	wait $pid || :
	[ "$(hidden)" ] || echo "$to: nothing was left"
	"$TDAT" export -q --force --to $to "$FIXTURES/valid/ppc64el-61-syscalls.dat"
	hidden
	rm -rf t
done
# Two at a time: the second takes another name, and leaves that of the first. The first has
# enough to do until it is told to stop.
long=$(yes "$FIXTURES/valid/ppc64el-61-syscalls.dat" | head -n 400)
stopped --to perfetto -o t
first=$pid
kill -STOP $first
"$TDAT" export -q --to perfetto -o t "$FIXTURES/valid/ppc64el-61-syscalls.dat"
hidden
kill -CONT $first
kill $first
wait $first || :
hidden
