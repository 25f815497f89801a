# SPDX-License-Identifier: GPL-2.0-or-later
# Captures that were not copied to their end are told of, with exit status 1.
# Expectation: by hand
copy() {
	rm -rf c
	cp -r "$FIXTURES/foreign/$1" c
	chmod -R u+w c
	rm -f c/expected.txt
	"$TDAT" convert --from "${1%%/*}" -q -f -o whole.dat c >log 2>whole.err || [ $? = 1 ]
}
cut_copy() {
	rc=0
	"$TDAT" convert --from "$1" -q -f -o cut.dat c >log 2>err || rc=$?
	echo "$2: exit $rc"
	diff whole.err err | sed -n 's/^> //p'
}

copy gtsc/text_no_stamp
truncate -s 40 c/trace0
cut_copy gtsc 'the last line of a text'

copy ktr/bsdos_i386_tsc
mv c/ktr0.bin .
cut_copy ktr 'one of two rings'

copy tracefs/x64-fgraph
truncate -s -5 c/kallsyms
cut_copy tracefs 'the last symbol'
copy tracefs/x64-fgraph
truncate -s -5 c/events/ftrace/funcgraph_exit/format
cut_copy tracefs 'the end of a format'
copy tracefs/x64-fgraph
sed -i '/^print fmt/d' c/events/ftrace/funcgraph_exit/format
cut_copy tracefs 'the last line of a format'
copy tracefs/x64-fgraph
truncate -s -5 c/saved_cmdlines
cut_copy tracefs 'the last name of a task'
copy tracefs/x64-fgraph
truncate -s -5 c/per_cpu/cpu0/stats
cut_copy tracefs 'the counts of a CPU'

copy ktr/bsdos_i386_tsc
truncate -s -1 c/meta
cut_copy ktr 'the last line of meta'

rm -r c
mkdir c
cp "$FIXTURES/foreign/user_events/defs.txt" c
cp "$FIXTURES/foreign/user_events/writes_le.txt" c/w.txt
printf '1 init\n2 kthreadd\n' >c/saved_cmdlines
"$TDAT" convert --from user_events -q -f -o whole.dat c >log 2>whole.err
cp -r c all
for file in defs.txt w.txt saved_cmdlines; do
	rm -r c
	cp -r all c
	truncate -s -3 "c/$file"
	cut_copy user_events "the last line of $file"
done

# A task has one name, the first one.
for from in tracefs/x64-fgraph user_events; do
	copy tracefs/x64-fgraph
	[ "$from" != user_events ] || { rm -r c; cp -r all c; }
	"$TDAT" convert --from "${from%%/*}" -q -f -o whole.dat c >log 2>whole.err || [ $? = 1 ]
	pid=$(sed -n '1s/ .*//p' c/saved_cmdlines)
	printf '%s other\n%s\n' "$pid" "$(head -n 1 c/saved_cmdlines)" >>c/saved_cmdlines
	cut_copy "${from%%/*}" 'two names'
	"$TDAT" info --section cmdlines cut.dat | grep "^$pid "
done
