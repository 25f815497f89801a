# SPDX-License-Identifier: GPL-2.0-or-later
# Inputs that never end, or are no files, end in a sentence and exit status 1, and fill no disk.
# Expectation: by hand: one complaint and exit status 1, no file of more than 16 MiB meanwhile
f=$FIXTURES/valid/i386-61-function.dat
export TMPDIR=$PWD
ulimit -S -f 40960 # blocks of 512 bytes: 20 MiB
run() {
	timeout 20 "$@" >out 2>err && rc=0 || rc=$?
	[ "$rc" = 1 ] && [ "$(grep -hv ': not clean, 0 events' out err | grep -c 'tdat:\|: damage:')" = 1 ] || { echo "$*: exit $rc"; cat err; }
}
for cmd in info dump stat; do
	yes | run "$TDAT" $cmd --max spool_len=4M -
	cat out err | grep -q 'more than 4194304 bytes, the limit spool_len' || cat err
	run "$TDAT" $cmd --max spool_len=4M /proc/self/pagemap
	run "$TDAT" $cmd --max spool_len=4M /dev/urandom
	{ cat "$f"; yes; } | run "$TDAT" $cmd --max spool_len=4M -
	cat out err | grep -q 'more than 4194304 bytes, the limit spool_len' || cat err
	"$TDAT" $cmd --max spool_len=4M - <"$f" >want
	cat "$f" | "$TDAT" $cmd --max spool_len=1M - | cmp - want
done

# A script that never ends takes no memory for ever. AddressSanitizer needs more addresses than that.
little() {
	if nm -D "$TDAT" | grep -q __asan_init; then "$@"; else (ulimit -v 500000 && "$@"); fi
}
for script in /dev/zero /dev/urandom /proc/self/pagemap; do
	little run "$TDAT" sql -f $script "$f"
done
yes | little run "$TDAT" sql -f - "$f"
grep -q 'more than 16777216 bytes, too many for an SQL script' err || cat err
tr '\0' x </dev/zero 2>/dev/null | little run "$TDAT" sql "$f"

yes | run "$TDAT" convert --max spool_len=4M --format gtsc -o x.dat -
run "$TDAT" convert --max spool_len=4M --format gtsc -o x.dat /proc/self/pagemap
run "$TDAT" convert --from gtsc -o x.dat /dev/urandom
yes | run "$TDAT" dump --max spool_len=4M --format gtsc -
grep -q 'the limit spool_len' err || cat err
run "$TDAT" dump --max spool_len=4M --format gtsc /proc/self/pagemap

# In the folder of a capture only what lies in it is opened.
echo secret-of-others >secret
mkdir cap cap/real cap/real/deeper
echo '0 one' >cap/cpu0
ln -s cpu0 cap/inside
for link in "$PWD/secret" ../secret /proc/self/pagemap /dev/zero real/../../secret /proc/self/fd/0; do
	ln -sfn "$link" cap/out
	rc=0
	"$TDAT" convert -f --from gtsc --kind text -o x.dat cap >log 2>err || rc=$?
	[ "$rc" = 1 ] && grep -qx 'tdat: cap/out: leads outside the directory through a link; it was not opened' err ||
		{ echo "$link: exit $rc"; cat err; }
	! grep -q secret-of-others x.dat
done
rm cap/out
mkfifo cap/pipe
"$TDAT" convert -f --from gtsc --kind text -o x.dat cap 2>&1 | grep pipe
rm cap/pipe

# Files of a copied tracefs, deeper down as well; the folder itself may be named by a link.
mkdir -p t/per_cpu/cpu0 t/events/ftrace/print
cp secret t/kallsyms.real
head -c 4096 /dev/zero >t/per_cpu/cpu0/trace_pipe_raw
for at in kallsyms saved_cmdlines printk_formats events/header_page events/ftrace/print/format; do
	ln -s "$PWD/secret" "t/$at"
	"$TDAT" convert -f --from tracefs -o x.dat t 2>err && echo "$at: not told"
	grep -x "tdat: t/$at: leads outside the directory through a link; it was not opened" err
	! grep -q secret-of-others x.dat
	rm "t/$at"
done
mv t/per_cpu moved
ln -s "$PWD/moved" t/per_cpu
"$TDAT" convert -f --from tracefs -o x.dat t 2>&1 | grep per_cpu

# A FIFO in a copy is not waited for, whether anybody would write into it or not.
rm t/per_cpu
mv moved t/per_cpu
for at in per_cpu/cpu0/trace_pipe_raw per_cpu/cpu0/stats kallsyms events/header_page events/ftrace/print/format; do
	[ ! -e "t/$at" ] || mv "t/$at" kept
	mkfifo "t/$at"
	rc=0
	timeout 20 "$TDAT" convert -f --from tracefs -o x.dat t >out 2>&1 || rc=$?
	[ $rc -le 1 ] || echo "$at: exit $rc"
	sleep 30 1<>"t/$at" &
	timeout 20 "$TDAT" convert -f --from tracefs -o x.dat t >out 2>&1 || rc=$?
	[ $rc -le 1 ] || echo "$at, held open: exit $rc"
	kill $!
	rm "t/$at"
	[ ! -e kept ] || mv kept "t/$at"
done

# A hole costs nothing.
ulimit -S -f unlimited
truncate -s 1T t/per_cpu/cpu0/trace_pipe_raw
ulimit -t 10
"$TDAT" convert -f --from tracefs -o x.dat t 2>&1 | grep 'more pages'

# The same behind what other captures hold: as many events as without it.
holes() {
	rm -rf sparse
	cp -r "$FIXTURES/foreign/$2" sparse
	rm sparse/expected.txt
	"$TDAT" convert -q -f --from "$1" -o whole.dat sparse 2>/dev/null || :
	for data in $3; do
		truncate -s 1T "sparse/$data"
	done
	"$TDAT" convert -q -f --from "$1" -o holes.dat sparse 2>err || [ $? = 1 ] || cat err
	"$TDAT" dump whole.dat 2>/dev/null >want
	"$TDAT" dump holes.dat 2>/dev/null | cmp - want
}
holes gtsc gtsc/mmap_padcount_le trace0
holes gtsc gtsc/mmap_zeropad trace0
holes gtsc gtsc/systemtap_bulk_le stpd_cpu1
# NULs end a line: the last text may be another one, not the number of events.
holes gtsc gtsc/text_global trace0 | sed 's/differ.*/differ/'
holes ktr ktr/bad_conversions ktr.out
