# SPDX-License-Identifier: GPL-2.0-or-later
# Parts of one file: words are split as a shell does, and add to the options of both sides. A name that has
# characters of a pattern is that file.
# Expectation: by hand: the sides are those that the options say
cp "$FIXTURES/valid/i386-61-v6-sched.dat" 'a[1].dat'
cp "$FIXTURES/valid/i386-61-v6-sched.dat" a1.dat
sides() {
	"$TDAT" diff --json "$@" | jq -c '[.a, .b] | map([.samples, .seconds, .cpus])'
}
sides --a '--until +50ms' --b '--from  "+50ms"' a1.dat
sides --a "--until '+50ms' --cpu 0" --b '--from +50ms --cpu \0' a1.dat
sides --until +100ms --a '--cpu 0' --b '--cpu 0-1' a1.dat
sides --a '--until +50ms' --b '--from +50ms' 'a[1].dat'
sides 'a[1].dat' 'a*.dat'
"$TDAT" diff --json --a '--cpu 0' --b '--cpu 0' - <a1.dat | jq -c '.changes'
"$TDAT" diff --a '--comm work.sh' --b '--comm kcompactd0' a1.dat | head -n 2
# Pairs are compared, too.
"$TDAT" diff --json --fail-on 'mine.p50' --pair \
	'mine: irq/softirq_entry(CPU,vec) -> irq/softirq_exit(CPU,vec)' a1.dat 'a[1].dat' |
	jq -c '.changes'
