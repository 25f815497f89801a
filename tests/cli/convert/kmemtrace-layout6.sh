# SPDX-License-Identifier: GPL-2.0-or-later
# kmem-layout=6: the same events as without, in the forms of kernels since 6.1;
# trace-cmd prints what dump prints, without a word on stderr.
# Expectation: trace-cmd, run here, prints the same; the fields at the end are made by tdat and
# prove only that nothing changed
fields() { # what both forms have, in the words of the later one
	sed -e 's/_node: /: /' -e 's/ ptr=(nil)/ ptr=0x0/' \
		-e 's/\(pages_[a-z]*: .*\)/\1 page/' -e 's/call_site=0x/call_site=/' \
		-e '/bytes_req/{/node=/!s/$/ node=-1/}' "$1" |
		sed -e 's/ accounted=.*//' -e 's/ name=$//' -e 's/: *([^ )]*+0x[0-9a-f]*) /: /' \
			-e 's/  *\([a-z_]*\): */ \1: /' -e 's/call_site=[^ ]*/call_site/'
}
for sample in le64_basic be64_smp le32_smp rfc1_le rfc2_be ftrace_bin_le64 wrap_signed_le; do
	in=$FIXTURES/foreign/kmemtrace/$sample
	"$TDAT" convert -q --from kmemtrace -o 3.dat --force "$in"
	"$TDAT" convert -q --from kmemtrace --kmem-layout 6 -o 6.dat --force "$in"
	trace-cmd report -t 6.dat >report 2>complaints
	[ ! -s complaints ] || cat complaints
	"$TDAT" dump --compat debian12 -t 6.dat | cmp - report
	"$TDAT" dump --compat debian12 -t 3.dat >old
	fields old >want
	fields report | diff -u want - || echo "$sample differs"
	wc -l <report
done
"$TDAT" list -i 6.dat --fields kmem_cache_alloc | head -12
