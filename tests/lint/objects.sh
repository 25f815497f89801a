#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Fails when an object of the library has writable data, or calls what a library
# must not: printing, exiting, signals.
# usage: objects.sh LIBTDAT.A
set -eu
lib=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Writable data: any non-empty .data, .bss or thread-local section; relocated
# constants (.data.rel.ro) are read-only once the program runs.
size -A "$lib" >"$tmp/size"
awk '
	/ *\(ex / || /:$/ { object = $1 }
	$1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 {
		printf "%s has %d bytes of writable data in %s\n", object, $2, $1
		bad = 1
	}
	$1 == ".text" || $1 ~ /^\.text/ { objects++ }
	END {
		if (objects < 5) { print "only " objects " objects seen: the check itself is broken"; bad = 1 }
		exit bad
	}
' "$tmp/size" || bad=1

nm -A --undefined-only "$lib" |
	awk '{ print $1, $NF }' |
	grep -E ' (_{0,2}(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|fputc|putc|perror)(_chk)?|stdout|stderr|exit|_exit|quick_exit|signal|sigaction|sigprocmask|pthread_sigmask|alarm|err|errx|warn|warnx|syslog)$' \
		>"$tmp/calls" || true
if [ -s "$tmp/calls" ]; then
	echo "the library must not print, exit or touch signals:"
	cat "$tmp/calls"
	bad=1
fi
exit "${bad:-0}"
