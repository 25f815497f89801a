# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of each command's help, which its manual page begins with, work.
# Expectation: by hand: an example ends with exit status 0 and prints or writes something
mkdir bin made
ln -s "$TDAT" bin/tdat
printf '#!/bin/sh\n' >bin/server
chmod +x bin/server
PATH=$PWD/bin:$PATH
whole=$FIXTURES/valid/x64-61-v7-none-tiny.dat

# The files that examples name: trace.dat has what the command asks for.
prepare() { # COMMAND
	cp "$FIXTURES/valid/i386-61-v6-sched.dat" trace.dat
	cp "$FIXTURES/valid/i386-61-v6-sched.dat" a.dat
	cp a.dat b.dat
	cp a.dat guest.dat
	cp "$whole" other.dat
	cp ../bin/server server
	cp "$FIXTURES/foreign/user_events/abi/status_page_bits_6.0.bin" page.bin
	printf 'test # Used by ftrace\n\nActive: 1\nBusy: 1\n' >user_events_status
	echo 'SELECT count(*) FROM events;' >questions.sql
	mkdir capture
	cp -r "$FIXTURES"/foreign/kmemtrace/le64_basic/. capture
	case $1 in
	diff)
		mkdir before after
		cp trace.dat before.dat
		cp trace.dat after.dat
		cp trace.dat before
		cp trace.dat after
		;;
	flame) cp "$FIXTURES/valid/s390x-61-kstack.dat" trace.dat ;;
	repair)
		"$TDAT" info --json "$whole" | jq -r '.[0].buffers[0] | .cpus[] | "\(.cpu) \(.offset) \(.bytes)"' >extents
		while read -r cpu off len; do
			tail -c +$((off + 1)) "$whole" | head -c "$len" >"trace.dat.cpu$cpu"
		done <extents
		;;
	esac
}

count=0
for command in $("$TDAT" --help | awk '/^  [a-z]/ { print $1 }'); do
	"$TDAT" "$command" --help | sed -n '/^Examples:/,/^$/s/^  //p' >lines
	while IFS= read -r line; do
		count=$((count + 1))
		case $("$TDAT" "$command" --help)$line in
		*"(not built in)"* | *--port*) continue ;; # the last serves until it is stopped
		esac
		rm -rf made
		mkdir made
		if ! (cd made && prepare "$command" && ls >../before &&
			sh -c "$line" >../out 2>../err </dev/null && { [ -s ../out ] || [ "$(ls)" != "$(cat ../before)" ]; }); then
			echo "$line"
			cat err
		fi
	done <lines
done
[ "$count" -ge 57 ] || echo "only $count examples"
