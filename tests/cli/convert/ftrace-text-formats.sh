# SPDX-License-Identifier: GPL-2.0-or-later
# Formats of a folder, which is a copy of tracefs or of its folder events, make lines typed; without
# them, and where a line does not print again as it is, the text stays one field.
# Expectation: by hand from the format and the three lines; the golden is made by tdat

mkdir -p fs/events/mine/thing
cat >fs/events/mine/thing/format <<'EOF'
name: thing
ID: 777
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:int a;	offset:8;	size:4;	signed:1;
	field:u8 b;	offset:12;	size:1;	signed:0;

print fmt: "a=%d b=0x%02x", REC->a, REC->b
EOF
printf '# tracer: nop\n#\n' >trace
for text in 'a=-5 b=0x0f' 'a=7 b=0xff' 'a=7 b=0x100'; do
	printf '            task-12      [001] d..2.   100.000001: thing: %s\n' "$text" >>trace
done
for from in '' fs fs/events; do
	"$TDAT" convert -q -f -o out.dat --from ftrace-text ${from:+--formats-from "$from"} trace
	"$TDAT" dump -N out.dat >text
	[ "$(grep -c 'thing:' text)" = 3 ]
	"$TDAT" dump --json out.dat | sed "s/.*\"system\"/\"system\"/"
done
! "$TDAT" convert -f -o out.dat --from ftrace-text --formats-from fs/none trace
