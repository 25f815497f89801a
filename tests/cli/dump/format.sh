# SPDX-License-Identifier: GPL-2.0-or-later
# A foreign capture is dumped as the file that convert makes of it, with the options
# of its format and those of dump.
# Expectation: compared here: dump of the capture with dump of the converted file; the rest is
# made by tdat
in=$FIXTURES/foreign
same() { # FORMAT INPUT [OPTION...]
	format=$1
	input=$2
	shift 2
	"$TDAT" convert -q -f --from $format "$@" -o out.dat "$input" 2>told || :
	"$TDAT" dump out.dat >want
	rc=0
	"$TDAT" dump --format $format "$@" "$input" >got 2>retold || rc=$?
	cmp want got
	cmp told retold
	echo "$format: $(wc -l <got) lines, exit $rc"
}
same kmemtrace "$in/kmemtrace/be64_smp"
same kmemtrace "$in/kmemtrace/bad_truncated_record" --ts-step 1000
same ktr "$in/ktr/fbsd_amd64_alq" --typed --sched
same gtsc "$in/gtsc/text_percpu"
same blktrace "$in/gtsc/blktrace_v8_le"
"$TDAT" dump --format kmemtrace --json --cpu 1 --limit 1 "$in/kmemtrace/be64_smp"
"$TDAT" dump --format gtsc - <"$in/gtsc/text_global/trace0" | head -2
mkdir tmp
TMPDIR=$PWD/tmp "$TDAT" dump --format ktr "$in/ktr/text_tdump" >/dev/null
ls tmp
cp -r "$in/ktr/text_tdump" capture
TMPDIR=/nonexistent "$TDAT" dump --format ktr capture || echo "status $?"
"$TDAT" dump --format ktr --kmem-layout 6 "$in/ktr/text_tdump"
