# SPDX-License-Identifier: GPL-2.0-or-later
# Times as people think of them: --time, --utc, and times of day for --from and --until.
# Expectation: compared here: date(1) makes the same days and times of the seconds; by hand: refusals
f=date.dat
cp "$FIXTURES/valid/x64-61-date.dat" $f
boot=boot.dat
cp "$FIXTURES/valid/x64-61-v6-tiny.dat" $boot
seconds() { sed -nE 's/.* ([0-9]+\.[0-9]+): [a-z_]+: .*/\1/p'; }
for zone in UTC America/New_York Asia/Kathmandu; do
	TZ=$zone "$TDAT" dump "$f" | seconds | while read -r s; do
		echo "@$s"
	done | TZ=$zone date -f - '+%F %T.%6N' >want
	TZ=$zone "$TDAT" dump --time wall "$f" | sed -nE 's/.*\] ([0-9-]+ [0-9:.]+): [a-z_]+: .*/\1/p' >got
	cmp got want && echo "$zone: $(wc -l <got) times are those of date(1)"
done
"$TDAT" dump --time wall "$f" >want
TZ=Asia/Kathmandu "$TDAT" dump --utc --time wall "$f" | cmp - want
first=$("$TDAT" dump --time wall -t "$f" | sed -n '2s/.*\] \(.*\): [a-z_]*: .*/\1/p')
"$TDAT" dump "$f" >all
"$TDAT" dump --from "$first" "$f" | cmp - all
echo "$("$TDAT" dump --from "${first#* }" --until "${first#* }" "$f" | wc -l) lines"
# The day is the one nearest to the trace, which is in the night of the 21st.
echo "$("$TDAT" dump --until 23:00 "$f" | wc -l) and $("$TDAT" dump --from 01:00 --until 02:30 "$f" | wc -l) lines"
# No clock shows these.
for never in 2026-02-30T10:15 2026-11-31T10:15; do
	"$TDAT" dump --from $never "$f" || echo "exit $?"
done
TZ=Europe/Berlin "$TDAT" dump --from 2026-03-29T02:30 "$f" || echo "exit $?"
# The other names are those of older options.
same() {
	"$TDAT" dump --time "$1" "$f" >want
	"$TDAT" dump "$2" "$f" | cmp - want
}
same boot --nodate
same relative --align-ts
same delta --ts-diff
"$TDAT" dump --time wall "$boot" || echo "exit $?"
"$TDAT" stat --from 10:15 "$boot" || echo "exit $?"
"$TDAT" dump --from 25:15 "$f" || echo "exit $?"
"$TDAT" dump --from 10:15 --until 2026-13-01T10:15 "$f" || echo "exit $?"
"$TDAT" dump --time wall --json "$f" || echo "exit $?"
"$TDAT" dump --time soon "$f" || echo "exit $?"
# The first event is at time 0, and the second has a difference, too.
"$TDAT" dump --time relative --ts-diff --head 2 "$FIXTURES/valid/x64-61-v6-tiny.dat"
