# SPDX-License-Identifier: GPL-2.0-or-later
# export and flame choose events until a time and write to a format; a time behind --to is refused.
# Other commands take --to as --until. No name stands in the options of a command twice.
# Expectation: compared here: with the lines of dump, and of flame with its format alone; made by
# tdat: the notes
f=$FIXTURES/valid/x64-61-conv-v7-zstd.dat
same() {
	"$TDAT" export -q --to jsonl --table events "$@" >rows "$f"
	"$TDAT" dump "$@" "$f" | sed 1d >lines
	[ "$(wc -l <rows)" = "$(wc -l <lines)" ] && [ -s rows ] || echo "$*: $(wc -l rows lines)"
}
same --until +20ms
same --until=+20ms
same --from +10ms --until +20ms
same --from=-20ms --until -10ms
"$TDAT" export -q --until +20ms --to jsonl --table events "$f" >rows
"$TDAT" dump --until +20ms "$f" | sed 1d >lines
[ "$(wc -l <rows)" = "$(wc -l <lines)" ] || echo "the time first: $(wc -l rows lines)"

f=$FIXTURES/valid/arm64-16k-612-kstack.dat
"$TDAT" flame --of off-cpu --until +20ms "$f" >some
"$TDAT" flame --of off-cpu --to folded --until +20ms "$f" >same
"$TDAT" flame --of off-cpu --to folded "$f" >all
cmp some same
! cmp -s some all || echo "flame takes no time"
for command in 'export' 'flame --of off-cpu'; do
	# shellcheck disable=SC2086 # a command of two words
	"$TDAT" $command --to +20ms "$f" || echo "exit $?"
done
"$TDAT" dump --until +20ms "$f" | sed 1d >lines
"$TDAT" dump --to +20ms "$f" | sed 1d | cmp - lines

for command in $("$TDAT" --help | awk '/^  [a-z]/ { print $1 }') 'user-events record'; do
	# shellcheck disable=SC2086 # a command of two words
	"$TDAT" $command --help-all | sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort | uniq -d |
		sed "s/^/$command: /"
done | sort >twice
cat twice
