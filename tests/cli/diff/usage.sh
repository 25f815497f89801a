# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong arguments of diff are complained of, and its exit statuses are those of tdat-diff(1).
# Expectation: by hand
cp "$FIXTURES/valid/i386-61-v6-sched.dat" a.dat
cp "$FIXTURES/valid/s390x-61-v7-zstd-sched.dat" b.dat
cp "$FIXTURES/valid/x64-61-clock-x86-tsc.dat" tsc.dat
run() {
	"$TDAT" diff "$@" 2>&1 >/dev/null && echo "exit 0" || echo "exit $?"
}
run a.dat
run a.dat b.dat a.dat
run --a '--cpu 0' a.dat
run --a '--cpu 0' --b '--cpu 1' a.dat b.dat
run --a '--cpu 0 b.dat' --b '--cpu 1' a.dat
run --a '--json' --b '--cpu 1' a.dat
run --a "--comm 'x" --b '--cpu 1' a.dat
for help in -h --help --help-all; do
	run --a "$help" --b '' a.dat
	run --a '' --b "--cpu 0 $help" a.dat
done
run --raw-ts a.dat tsc.dat
run --json --html a.dat b.dat
run --min-change x a.dat b.dat
run --fail-on wakup a.dat b.dat
run --fail-on wakeup:x a.dat b.dat
run --fail-on wakeup:1% a.dat b.dat
run a.dat missing.dat
run a.dat 'missing*.dat'
run --from 9999 a.dat b.dat
run --a '--until +1ms' --b '--from 9999' a.dat
run --fail-on wakeup.p50:10% a.dat b.dat
run --fail-on wakeup.p50:500% --fail-on wakeup.p99 a.dat b.dat
run --fail-on any a.dat a.dat
