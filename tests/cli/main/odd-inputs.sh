# SPDX-License-Identifier: GPL-2.0-or-later
# What is no file: one sentence and exit 1 from every command; a pipe is read.
# Expectation: by hand: one complaint and exit status 1; compared here: a pipe with a file
mkdir folder
cp "$FIXTURES/valid/i386-61-v7-zstd-sched.dat" t.dat
cp t.dat secret.dat
chmod 0 secret.dat

run() {
	timeout 20 "$@" >out 2>err && rc=0 || rc=$?
}

for cmd in info dump stat check 'list -i' 'repair -f -o o.dat' 'convert -f -o o.dat'; do
	# shellcheck disable=SC2086
	for input in folder /dev/zero /dev/full none.dat; do
		run "$TDAT" $cmd $input
		[ "$rc" = 1 ] || { echo "$cmd $input: exit $rc"; exit 1; }
		[ "$(grep -v ': not clean, 0 events' out err | grep -c 'tdat:\|: damage:')" = 1 ] ||
			{ echo "$cmd $input:"; cat out err; exit 1; }
	done
	# shellcheck disable=SC2086
	run "$TDAT" $cmd t.dat
	mv out want
	[ "$rc" = 0 ] || { echo "$cmd t.dat: exit $rc"; exit 1; }
	mkfifo pipe
	cat t.dat >pipe &
	# shellcheck disable=SC2086
	run "$TDAT" $cmd pipe
	[ "$rc" = 0 ] && sed 's/\bpipe\b/t.dat/' out | cmp - want ||
		{ echo "$cmd of a pipe: exit $rc"; cat err; exit 1; }
	rm pipe
done

# A name may be a word of the sentence.
: >empty
run "$TDAT" empty
[ "$(cat err)" = "tdat: empty: not a trace.dat file: it is empty" ] || { cat err; exit 1; }

# root may read everything: then somebody else tries.
as=
if [ "$(id -u)" = 0 ]; then
	chmod 755 .. .
	as="setpriv --reuid 65534 --clear-groups --"
	$as "$TDAT" --version >/dev/null 2>&1 || { echo "the program is out of reach"; exit 0; }
fi
for cmd in info dump stat check 'list -i'; do
	# shellcheck disable=SC2086
	run $as "$TDAT" $cmd secret.dat
	[ "$rc" = 1 ] && [ "$(cat err)" = "tdat: cannot open secret.dat: Permission denied" ] ||
		{ echo "$cmd: exit $rc"; cat err; exit 1; }
done
