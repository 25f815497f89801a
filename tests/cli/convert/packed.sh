# SPDX-License-Identifier: GPL-2.0-or-later
# Packed inputs give what their content gives: each compression, each archive, standard input,
# compressed files in a folder; cut ones give what is left, bombs a sentence and no full disk.
# Expectation: by hand: what the content gives without packing, and sentences
f=$FIXTURES/valid/i386-61-function.dat
kmem=$FIXTURES/foreign/kmemtrace/le64_basic
export TMPDIR=$PWD

pack() { # pack FILE: as each compression
	gzip -nc "$1" >"$1.gz"
	xz -1c "$1" >"$1.xz"
	zstd -qc "$1" >"$1.zst"
	bzip2 -c "$1" >"$1.bz2"
}

# A trace.dat, alone and in archives.
cp "$f" a.dat
pack a.dat
tar cf a.tar a.dat
zip -q a.zip a.dat
pack a.tar
cat a.dat.gz >two.gz # a second member, without content
gzip -nc /dev/null >>two.gz
"$TDAT" dump a.dat >want
for packed in a.dat.* a.tar* a.zip two.gz; do
	"$TDAT" dump "$packed" | cmp - want || echo "$packed"
	"$TDAT" dump - <"$packed" | cmp - want || echo "$packed on standard input"
	# shellcheck disable=SC2002
	cat "$packed" | "$TDAT" dump - | cmp - want || echo "$packed in a pipe"
done
for cmd in info report stat check list latency profile flame hist overview; do
	case $cmd in
	flame) set -- flame -o - ;;
	hist) set -- hist -t hist:keys=ip:sort=ip ;;
	overview) set -- ;;
	*) set -- $cmd ;;
	esac
	"$TDAT" "$@" a.dat >one 2>err1 && rc1=0 || rc1=$?
	"$TDAT" "$@" a.dat.gz >two 2>err2 && rc2=0 || rc2=$?
	sed -i 's/a\.dat\.gz/a.dat/g; s/  *#/ #/' one two
	cmp one two && [ $rc1 = $rc2 ] || echo "$cmd: $rc1 $rc2"
done
"$TDAT" sql a.dat 'SELECT event, count(*) FROM events GROUP BY 1' >one
"$TDAT" sql a.dat.xz 'SELECT event, count(*) FROM events GROUP BY 1' | cmp - one
for cmd in "export --to perfetto" view; do
	"$TDAT" $cmd -f -o one a.dat 2>/dev/null
	"$TDAT" $cmd -f -o two a.dat.zst 2>/dev/null
	[ -s two ] && [ "$(wc -l <one)" = "$(wc -l <two)" ] || echo "$cmd"
done
"$TDAT" split -f -o one.dat -i a.dat 2>/dev/null
"$TDAT" split -f -o two.dat -i a.dat.bz2 2>/dev/null
cmp one.dat.1 two.dat.1
"$TDAT" merge -f -o one.dat a.dat a.dat >/dev/null 2>&1 || :
"$TDAT" merge -f -o two.dat a.zip a.tar.gz >/dev/null 2>&1 || :
cmp one.dat two.dat

# Folders: the capture at the top, or deeper; compressed files in it.
for in in "$kmem" "$FIXTURES/foreign/ktr/fbsd_amd64_alq" "$FIXTURES/foreign/gtsc/text_percpu" \
	"$FIXTURES/foreign/tracefs/x64-fgraph"; do
	rm -rf up deep.* want.dat
	mkdir -p up/on
	cp -r "$in" up/on/cap
	rm -f up/on/cap/expected.txt
	"$TDAT" convert -qf -o want.dat up/on/cap 2>/dev/null || :
	tar czf deep.tgz up
	(cd up/on && zip -qr ../../deep.zip cap && find cap -type f -exec gzip -n {} +)
	tar cf deep.tar -C up/on ./cap
	for packed in deep.tgz deep.zip deep.tar up/on/cap; do
		rc=0
		"$TDAT" convert -qf -o got.dat "$packed" 2>err || rc=$?
		cmp want.dat got.dat || { echo "$in as $packed: exit $rc"; cat err; }
	done
done
"$TDAT" dump --format kmemtrace "$kmem" >one 2>/dev/null || :
tar cf - -C "$kmem" . | "$TDAT" dump --format kmemtrace - 2>/dev/null | cmp - one

# More than one file to choose from; names that lead out; links.
cp a.dat b.dat
tar cf many.tar a.dat b.dat
"$TDAT" info many.tar 2>&1 | sed 's/^/many: /'
mkdir cap
cp "$kmem"/* cap/
rm cap/expected.txt
ln -s /etc/passwd cap/link
tar cPf out.tar --transform 's|^cap/kallsyms|../../kallsyms|' cap
"$TDAT" convert -qf -o x.dat out.tar 2>&1 | sed 's/^/names: /'
# As tar takes tracefs.
mkdir -p t/events/sched/sched_switch t/per_cpu/cpu0
: >t/events/sched/sched_switch/format
ln t/events/sched/sched_switch/format t/events/header_page
cp "$FIXTURES/foreign/tracefs/x64-fgraph/trace_clock" t/
tar cf t.tar t
"$TDAT" convert -qf --from tracefs -o x.dat t.tar 2>&1 | grep -o 'its format files are empty.*'

# Its formats come from a file or a folder of the same kernel.
rm -rf t
cp -r "$FIXTURES/foreign/tracefs/x64-fgraph" t
"$TDAT" convert -qf --from tracefs -o whole.dat t
"$TDAT" dump whole.dat >want.txt
cp -r t/events formats
find t/events -name format -exec truncate -s 0 {} +
tar cf t.tar t
for from in whole.dat formats; do
	"$TDAT" convert -qf --from tracefs --formats-from $from -o x.dat t.tar 2>/dev/null || :
	"$TDAT" dump x.dat | cmp - want.txt || echo "formats from $from"
done

# Cut ones.
for tool in "gzip -n" xz zstd bzip2; do
	$tool -c <a.dat >cut
	head -c $(($(stat -c %s cut) * 9 / 10)) cut >"cut.${tool%% *}"
	rc=0
	"$TDAT" info "cut.${tool%% *}" >out 2>err || rc=$?
	[ $rc = 1 ] && grep -q "^tdat: cut.${tool%% *}: .*\(damaged\|cannot unpack\)" err || { echo "$tool: $rc"; cat err; }
done
# Everything in front of a cut is read: at least as much as the tool that packed it gives.
{ echo '# tracer: nop'; seq -f '  a-7 [001] d..2. %.0f.000000: sched_wakeup: comm=b pid=7 prio=120' 30000; } >t.txt
for tool in "gzip -n" "xz -1" "zstd --fast" bzip2; do
	$tool -c <t.txt >cut
	head -c $(($(stat -c %s cut) * 3 / 4)) cut >cut.packed
	${tool%% *} -dc cut.packed >head.txt 2>/dev/null || :
	"$TDAT" convert -qf -o one.dat head.txt 2>/dev/null || :
	"$TDAT" convert -qf -o two.dat cut.packed 2>/dev/null || :
	one=$("$TDAT" dump one.dat | wc -l)
	two=$("$TDAT" dump two.dat | wc -l)
	[ "$one" -gt 0 ] && [ "$two" -ge "$one" ] && [ "$two" -lt 30001 ] || echo "$tool: $one of the tool, $two"
done
# A window above the limit.
zstd -q --zstd=wlog=24 -c t.txt t.txt t.txt <t.txt >w.zst
"$TDAT" info --max window=1M w.zst 2>&1 | sed 's/^/window: /'
xz -6 -c t.txt >w.xz
"$TDAT" info --max window=1M w.xz 2>&1 | sed 's/^/window: /'
printf '\0\0\0\0' | dd of=a.dat.gz bs=1 seek=$(($(stat -c %s a.dat.gz) - 8)) conv=notrunc 2>/dev/null
"$TDAT" dump a.dat.gz 2>err | cmp - want
sed 's/^/checksum: /' err

# Bombs: a file of 64 MiB of zeros is refused at 1 MiB, also deeper in.
truncate -s 64M zero
pack zero
zip -q zero.zip zero
tar cf zero.gz.tar zero.gz
tar cSf sparse.tar zero
for packed in zero.gz zero.xz zero.zst zero.bz2 zero.zip zero.gz.tar sparse.tar; do
	rc=0
	(ulimit -S -f 4096; "$TDAT" info --max unpacked=1M "$packed" >out 2>err) || rc=$?
	[ $rc = 1 ] && grep -q 'unpacks to more than 1048576 bytes, the limit unpacked' err ||
		{ echo "$packed: exit $rc"; cat err; }
done
