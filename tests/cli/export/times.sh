# SPDX-License-Identifier: GPL-2.0-or-later
# export and flame have two options --to, one of a format and one of a time, in any order: what is
# a time begins with a digit or a sign. No other name stands in the options of a command twice.
# Expectation: compared here: with the lines of dump, and of flame with its format alone; made by
# tdat: the notes
f=$FIXTURES/valid/x64-61-conv-v7-zstd.dat
same() {
	"$TDAT" export -q --to jsonl --table events "$@" >rows "$f"
	"$TDAT" dump "$@" "$f" | sed 1d >lines
	[ "$(wc -l <rows)" = "$(wc -l <lines)" ] && [ -s rows ] || echo "$*: $(wc -l rows lines)"
}
same --to +20ms
same --to=+20ms
same --from +10ms --to +20ms
same --from=-20ms --to -10ms
"$TDAT" export -q --to +20ms --to jsonl --table events "$f" >rows
"$TDAT" dump --to +20ms "$f" | sed 1d >lines
[ "$(wc -l <rows)" = "$(wc -l <lines)" ] || echo "the time first: $(wc -l rows lines)"

"$TDAT" flame --of off-cpu --to +20ms "$f" >some
"$TDAT" flame --of off-cpu --to folded --to +20ms "$f" >same
"$TDAT" flame --of off-cpu --to folded "$f" >all
cmp some same
! cmp -s some all || echo "flame takes no time"
for to in 5x x ''; do
	! "$TDAT" export --to jsonl --to "$to" "$f" >/dev/null 2>said || echo "--to '$to' passes"
	[ -s said ] || echo "--to '$to': nothing is said"
done

for command in $("$TDAT" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p') 'user-events record'; do
	# shellcheck disable=SC2086 # a command of two words
	"$TDAT" $command --help | sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort | uniq -d |
		sed "s/^/$command: /"
done | sort >twice
printf '%s\n' 'export: --to' 'flame: --to' | cmp - twice || cat twice
