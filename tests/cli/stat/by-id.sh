# SPDX-License-Identifier: GPL-2.0-or-later
# A name of --by means one thing, whatever names are beside it: id is the event type's, field_id the field's.
# Expectation: by hand: numbers of the event type are 350 and 351, those of system calls are not
f=$FIXTURES/valid/x64-61-syscalls.dat
"$TDAT" stat --by id --csv -e raw_syscalls "$f"
"$TDAT" stat --by field_id --top 2 -e raw_syscalls/sys_enter "$f"
"$TDAT" stat --by field_id --sum ret --top 2 "$f"
"$TDAT" stat --by id,args "$f" 2>&1 || echo "exit $?"
"$TDAT" stat --by event,field_id "$f" 2>&1 || echo "exit $?"
