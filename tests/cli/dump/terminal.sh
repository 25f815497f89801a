# SPDX-License-Identifier: GPL-2.0-or-later
# A name that holds an escape sequence and a C1 byte: shown as text on a
# terminal, in any order and form, and as it is with --raw-bytes and in a pipe.
# Expectation: compared here: the terminal's output with that of a pipe; by hand: no control
# byte is in it
bad=$(printf 'w\033[2J\233x')
LC_ALL=C sed "s/work\.sh/$bad/g" "$FIXTURES/valid/s390x-61-v6-sched.dat" >bad.dat

on_terminal() {
	script -qec "'$TDAT' dump $* bad.dat" /dev/null | tr -d '\r'
}

"$TDAT" dump bad.dat >piped || true
want=$(LC_ALL=C grep -acF "$bad" piped)
[ "$want" -gt 10 ] || { echo "only $want lines with the name in a pipe"; exit 1; }

on_terminal >shown
LC_ALL=C sed -e 's/\x1b/\\x1b/g' -e 's/\x9b/\\x9b/g' piped | cmp - shown
on_terminal --raw-bytes | cmp - piped
for opt in --reverse --json --json\ --text '--csv -F sched_switch'; do
	on_terminal "$opt" >other
	[ -s other ] || { echo "nothing with $opt"; exit 1; }
	if LC_ALL=C grep -aq "$(printf '[\033\233]')" other; then
		echo "control bytes with $opt"
		exit 1
	fi
done
