# SPDX-License-Identifier: GPL-2.0-or-later
# Events of foreign captures are printed while they are imported: without a temporary file, and of a
# large capture in order of time before all of it was read.
# Expectation: compared here: dump of the capture, where no temporary file can be made, with dump of
# the converted file; made by tdat: counts of files and lines, and the warnings
compare() { # FORMAT INPUT [OPTION...]: without a temporary file
	format=$1
	input=$2
	shift 2
	"$TDAT" convert -q -f --from "$format" -o out.dat "$input" 2>/dev/null || :
	: >want
	[ ! -s out.dat ] || "$TDAT" dump "$@" out.dat >want
	TMPDIR=/nonexistent "$TDAT" dump --from "$format" "$@" "$input" >got 2>told || :
	cmp want got || echo "$format $input $*"
	rm -f out.dat
	[ -s want ]
}
for kind in kmemtrace gtsc ktr; do
	shown=0
	for input in "$FIXTURES/foreign/$kind"/*; do
		compare $kind "$input" && shown=$((shown + 1))
	done
	echo "$kind: $shown shown"
done
compare blktrace "$FIXTURES/foreign/gtsc/blktrace_v8_le"
for option in -t -R -l --ts-diff --json '--compat 3.3' '--limit 3'; do
	compare kmemtrace "$FIXTURES/foreign/kmemtrace/le32_smp" $option
done

# 400,000 records on four CPUs; in "late" the last one is earlier than all others.
python3 - <<'EOF'
import os, struct
alloc = struct.pack('<QQQQIi', 0xffffffff80200000, 0xffff880000000000, 40, 64, 0xd0, -1)
for name, last in (('order', 400001), ('late', 1)):
    os.mkdir(name)
    files = [bytearray() for _ in range(4)]
    for seq in list(range(2, 400001)) + [last]:
        files[seq * 2654435761 >> 9 & 3] += struct.pack('<BBHI', 0, 0, 48, seq) + alloc
    for cpu, data in enumerate(files):
        open(f'{name}/cpu{cpu}.out', 'wb').write(data)
EOF
compare kmemtrace order
compare kmemtrace order --json --limit 1000
echo "large: $(wc -l <got) of 1000 as JSON"
rc=0
TMPDIR=/nonexistent "$TDAT" dump --from kmemtrace late >got || rc=$?
echo "late: $(wc -l <got) lines, exit $rc"
tail -n 1 got

# What chooses among events needs the temporary file.
"$TDAT" dump --from kmemtrace --cpu 1 --limit 1 order
TMPDIR=/nonexistent "$TDAT" dump --from kmemtrace --cpu 1 order 2>&1
