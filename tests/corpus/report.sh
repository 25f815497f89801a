#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tdat report against the installed trace-cmd report, byte by byte, for each option; and each option
# of the installed trace-cmd's commands that read files, of its help and its manual page, is known.
# usage: report.sh TDAT FIXTURES
set -euo pipefail
export LC_ALL=C TZ=UTC
tdat=$1
fixtures=$2
command -v trace-cmd >/dev/null || exit 77
# What is printed is that of one version; report's default is the newest.
[[ $(trace-cmd --version 2>&1 || true) == *'version 3.1.6'* ]] || exit 77
export TDAT_COMPAT=debian12

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
compared=0
bad=0

compare() { # FILE OPTION...: where trace-cmd ends well, its stdout is ours
	local file=$1
	shift
	trace-cmd report "$@" "$file" >"$tmp/want" 2>/dev/null || return 0
	"$tdat" report "$@" "$file" >"$tmp/got" 2>"$tmp/err" || true
	compared=$((compared + 1))
	cmp -s "$tmp/want" "$tmp/got" && return
	echo "report $* ${file##*/}: $(cmp "$tmp/want" "$tmp/got" 2>&1 || true) $(head -1 "$tmp/err")"
	bad=1
}

options=("" -e -p -f -P -E -I -S -q -L -N -R -t -l "-l -R" "-r sched_switch" "-r SCHED" "-r .*wak.*"
	"-n sched" "-n sched_switch -r sched_wakeup" --cpus --first-event "--last-event --first-event"
	--stat --uname --version --ts-check --align-ts --raw-ts --nodate --check-events --verbose=3
	"--cpu 1" "--cpu 0-1" "--pid 1" --ts-diff "-F sched_switch:prev_pid==0"
	"-v -F sched_switch:prev_pid==0" "-O parent" "--ts2secs 1000000")
# trace-cmd prints no stored formats of version 7.
formats=(--events "--event sched_switch" "--event sched" "--event sched:.*switch" "--event sched:")

for name in i386-61-v6-sched x64-61-v6-tiny x64-61-v7-none-tiny s390x-61-v6-sched ppc64el-61-lost \
	x64-61-date i386-61-fgraph i386-61-markers; do
	file=$fixtures/$name.dat
	[ -f "$file" ] || continue
	for words in "${options[@]}"; do
		# shellcheck disable=SC2086 # an option and its argument
		compare "$file" $words
	done
	[[ $name == *v6* ]] || continue
	for words in "${formats[@]}"; do
		# shellcheck disable=SC2086
		compare "$file" $words
	done
done
[ "$compared" -gt 200 ] || { echo "only $compared compared"; bad=1; }

# An option that tdat's command of the name lacks ends with 2 and a sentence that helps.
refused() { # COMMAND OPTION
	local status=0
	"$tdat" "$1" "$2" >"$tmp/got" 2>"$tmp/err" </dev/null || status=$?
	if grep -q "unknown option" "$tmp/err" || { grep -q "is not supported\|no command" "$tmp/err" &&
		! { [ $status = 2 ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q 'tdat.*[ "]tdat\|trace-cmd' "$tmp/err"; }; }; then
		echo "tdat $1 $2: exit $status: $(head -2 "$tmp/err")"
		bad=1
	fi
}

known=0
for command in report split convert dump hist stat list restore version; do
	{
		trace-cmd "$command" -h 2>&1 | grep -oE '(^|[ [])-{1,2}[a-zA-Z][a-zA-Z0-9-]*' | tr -d ' [' || true
		man=$(man -w "trace-cmd-$command" 2>/dev/null || true)
		if [ -n "$man" ]; then
			gzip -cdf "$man" | sed 's/\\-/-/g; s/\\f[BIR]//g' |
				grep -oE '^-{1,2}[a-zA-Z][a-zA-Z0-9-]*' || true
		fi
	} | sort -u >"$tmp/options"
	while read -r option; do
		case $command$option in
		report--date | convert-c) continue ;; # of trace-cmd record and list, which the text names
		esac
		known=$((known + 1))
		# Whatever else is wrong with the command line, the option is known.
		if ! [[ $command =~ ^(report|split|convert)$ ]]; then
			refused "$command" "$option"
		elif "$tdat" "$command" "$option" 2>&1 >/dev/null </dev/null | grep -q "unknown option"; then
			echo "tdat $command does not know $option"
			bad=1
		fi
		grep -q "^| \`.*\`$option[ \`]\|^| \`$option[ \`]" "$(dirname "$0")/../../docs/from-trace-cmd.md" || {
			echo "docs/from-trace-cmd.md has no row for $command $option"
			bad=1
		}
	done <"$tmp/options"
done
[ "$known" -gt 50 ] || { echo "only $known options found"; bad=1; }
echo "$compared outputs compared, $known options known"
exit $bad
