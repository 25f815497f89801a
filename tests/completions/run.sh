#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What bash, zsh and fish complete, each asked itself. Exit status 77: a shell is not installed.
# usage: run.sh TDAT SOURCE_DIR
set -euo pipefail
export LC_ALL=C.UTF-8
source=$2
PATH=$(dirname "$(realpath "$1")"):$PATH
for shell in bash zsh fish; do
	command -v $shell >/dev/null || exit 77
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder
cp "$source/tests/fixtures/valid/i386-61-v7-buffers.dat" trace.dat
cp trace.dat other.dat
bad=0

in_bash() { # what COMPREPLY has for the words of a line
	bash --norc -c '
		. "$0/completions/tdat.bash"
		read -r -a COMP_WORDS <<<"$1"
		[[ $1 != *" " ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$1 COMP_POINT=${#1}
		_tdat
		printf "%s\n" "${COMPREPLY[@]}"' "$source" "$1" 2>/dev/null
}

in_zsh() { # what compadd is called with
	zsh -f -c '
		compadd() { print -l -- "${(@)@:3}" }
		_files() { : }
		compdef() { : }
		. "$0/completions/_tdat"
		words=(${=1})
		[[ $1 != *" " ]] || words+=("")
		CURRENT=$#words
		_tdat' "$source" "$1"
}

in_fish() {
	fish --no-config -c 'source $argv[1]/completions/tdat.fish; complete -C "$argv[2]"' "$source" "$1" |
		cut -f 1
}

# wants LINE ANSWER...: all shells have these answers, and no other
wants() {
	local line=$1 want got shell
	shift
	want=$(printf '%s\n' "$@" | sort -u)
	for shell in bash zsh fish; do
		got=$("in_$shell" "$line" | grep . | sort -u)
		# bash replaces what is behind "=" only.
		[ $shell = bash ] && [[ $line == *=* ]] && got=$(sed "s/^/${line##* }/; s/=.*=/=/" <<<"$got")
		[ "$got" = "$want" ] && continue
		printf '%s, "%s":\n%s\ninstead of\n%s\n' $shell "$line" "$got" "$want"
		bad=1
	done
}

wants "tdat la" latency
wants "tdat dump --co" --color --comm --compat
wants "tdat dump --compat 3" 3.1 3.3
wants "tdat dump trace.dat -e sched_sw" sched_switch sched_swap_numa
wants "tdat dump other.dat --buffer " top foo
wants "tdat dump trace.dat --cpu " 0 1
wants "tdat latency trace.dat --table wak" wakeup
wants "tdat export --to par" parquet
wants "tdat stat trace.dat --by comm,next_p" comm,next_pid comm,next_prio
wants "tdat dump trace.dat --comm ksoft" ksoftirqd/0 ksoftirqd/1
wants "tdat dump trace.dat --pid 148" 148
wants "tdat export trace.dat --column prev_p" prev_pid prev_prio
wants "tdat stat trace.dat -F sched_sw" sched_switch sched_swap_numa
wants "tdat split trace.dat --instance f" foo
wants "tdat info --section h" header_page header_event
wants "tdat list trace.dat sched_sw" sched_switch sched_swap_numa
wants "tdat dump --time " boot wall relative delta
wants "tdat dump --color " auto always never
wants "tdat help la" latency
wants "tdat help qu" questions
wants "tdat trace.dat --js" --json
wants "tdat --color always dump --head" --head
# Each answer comes once: events share fields, and tasks names.
for words in "stat trace.dat --by" "dump trace.dat --comm" "dump trace.dat -e"; do
	# shellcheck disable=SC2086 # words are a list
	tdat __complete $words "" | sort | uniq -d | grep . && { echo "$words: twice"; bad=1; }
done
# What is no name of tdat's is a file.
for shell in bash zsh; do
	[ -z "$("in_$shell" "tdat dump oth")" ] || { echo "$shell completes a file itself"; bad=1; }
done
in_fish "tdat dump oth" | grep -qx other.dat || { echo "fish completes no file"; bad=1; }
exit $bad
