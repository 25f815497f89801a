# SPDX-License-Identifier: GPL-2.0-or-later
# --max of every command that opens a trace.dat, and every limit by its name: status 1
# and a sentence that says which. (test_limits.c has the library's side, with those that
# need larger files.)
# Expectation: by hand: exit status 1 and the limit's name; complaints of wrong values are made
# by tdat
f=$FIXTURES/valid/i386-61-v7-buffers.dat
z=$FIXTURES/valid/i386-61-v7-zstd-sched.dat

# says LIMIT COMMAND...
says() {
	limit=$1
	shift
	"$@" >out 2>err && rc=0 || rc=$?
	[ "$rc" = 1 ] || { echo "$*: exit $rc"; cat err; exit 1; }
	grep -q "limit $limit\b" out err || { echo "$*: no word of $limit"; cat out err; exit 1; }
}

for l in sections options option_len formats format_len buffers cpus; do
	says $l "$TDAT" dump --max $l=1 "$f"
done
says page_len "$TDAT" dump --max page_len=4095 "$f"
says section_len "$TDAT" dump --max section_len=4095 "$f"
says chunk_len "$TDAT" dump --max chunk_len=4095 "$z"

# What is printed otherwise is told by check, and the text says where it is cut.
"$TDAT" check -v --max print_steps=1 "$f" >out
grep -q 'printed as name=value: it has more than 1 operations (limit print_steps)' out
"$TDAT" dump --max print_len=5 "$f" | head -n 3 >out
[ "$(grep -c 'CUT AT LIMIT print_len' out)" -ge 2 ]

for cmd in info 'info --count' dump 'dump --json' stat check 'list -i' 'convert -f -o o' \
	'repair -f -o o' 'split -f -o o -i' 'merge -f -o o -i'; do
	more=
	[ "${cmd%% *}" != merge ] || more=$f
	# shellcheck disable=SC2086
	says cpus "$TDAT" ${cmd%% *} --max cpus=1 ${cmd#"${cmd%% *}"} "$f" $more
done

for bad in cpu=1 cpus cpus= cpus=0 cpus=-1 cpus=x cpus=4G section_len=99999999999999999999; do
	"$TDAT" dump --max "$bad" "$f" >out 2>>errs && rc=0 || rc=$?
	[ "$rc" = 2 ] || { echo "--max $bad: exit $rc"; exit 1; }
done
cat errs
