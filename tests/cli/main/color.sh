# SPDX-License-Identifier: GPL-2.0-or-later
# --color, NO_COLOR and CLICOLOR_FORCE: without the colors the text is what a pipe gets.
# Expectation: compared here: colored text without its colors with that of a pipe; by hand: which is colored
f=$FIXTURES/valid/x64-lab612-lost-v6.dat
plain() { sed 's/\x1b\[[0-9]*m//g'; }
is_colored() { grep -q "$(printf '\033')" && echo yes || echo no; }
for command in dump 'dump -l --compat 3.3' report stat check; do
	# shellcheck disable=SC2086 # options are words
	"$TDAT" $command "$f" >want 2>/dev/null || true
	# shellcheck disable=SC2086
	"$TDAT" $command --color always "$f" 2>/dev/null >got || true
	echo "$command: $(is_colored <got)"
	plain <got | cmp - want
done
"$TDAT" dump --color=always --head 3 "$f" | sed 's/\x1b/E/g'
echo "pipe $("$TDAT" dump "$f" | is_colored)"
echo "forced $(CLICOLOR_FORCE=1 "$TDAT" dump "$f" | is_colored)"
echo "not forced $(CLICOLOR_FORCE=0 "$TDAT" dump "$f" | is_colored)"
echo "refused $(CLICOLOR_FORCE=1 NO_COLOR=1 "$TDAT" dump "$f" | is_colored)"
echo "asked for $(NO_COLOR=1 "$TDAT" dump --color always "$f" | is_colored)"
echo "JSON $("$TDAT" dump --json --color always "$f" | is_colored)"
# Bytes stay as they are stored, those that a terminal would act on, too.
g=$FIXTURES/valid/x64-lab612-user-events.dat
for how in '' '--csv -e ue_cstr' --json; do
	# shellcheck disable=SC2086 # nothing or words
	"$TDAT" dump $how "$g" >want 2>/dev/null
	# shellcheck disable=SC2086
	CLICOLOR_FORCE=1 "$TDAT" dump $how "$g" 2>/dev/null | LC_ALL=C sed 's/\x1b\[[0-9]*m//g' | cmp - want
done
"$TDAT" dump --color sometimes "$f"
