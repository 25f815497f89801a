# SPDX-License-Identifier: GPL-2.0-or-later
# What a capture may lack or have wrong: a cut page, a broken one, an instance with
# pages of another size, data that comes from a FIFO, no header_page, a second
# capture beside it; and nothing is read when the output exists.
# Expectation: made by tdat, proves only that nothing changed; by hand: which captures fail
cp -r "$FIXTURES/foreign/tracefs/s390x-sched" t
chmod -R u+w t
raw=t/per_cpu/cpu0/trace_pipe_raw
convert() {
	echo "-- $1" >&2
	shift
	"$TDAT" convert --from tracefs -f -o out.dat "$@" || echo "exit $?" >&2
	[ ! -f out.dat ] || "$TDAT" check out.dat >&2
	rm -f out.dat
}
cp "$raw" whole
head -c 13000 whole >"$raw"
convert "a cut page" t
{ head -c 4104 whole; printf '\377\377\377\377\377\377\377\377'; tail -c +4113 whole; } >"$raw"
convert "a commit word of ones" t
tail -c +4097 whole >"$raw"
convert "the first page is missing" t
: >"$raw"
convert "an empty file" t
cp whole "$raw"
mv t/events/header_page header_page
convert "no header_page" t
mv header_page t/events/header_page
mkdir -p t/instances/big/per_cpu/cpu1 t/instances/big/events
printf '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:8176;\tsigned:0;\n' >t/instances/big/events/header_page
{ head -c 4096 whole; head -c 4096 /dev/zero; } >t/instances/big/per_cpu/cpu1/trace_pipe_raw
echo 'local [global]' >t/instances/big/trace_clock
convert "an instance with larger pages" t
convert "version 6 cannot" --file-version 6 t
rm "$raw"
mkfifo "$raw"
exec 3<>"$raw" # data, and a writer that is not done
cat whole >&3
convert "a FIFO" t
exec 3<&-
rm "$raw"
convert "a CPU without data" t
: >out.dat
"$TDAT" convert -o out.dat t || echo "exit $?" >&2
rm out.dat
mkdir both
mv t both/one
cp -r both/one both/two
convert "two captures" both
