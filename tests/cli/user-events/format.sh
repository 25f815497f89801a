# SPDX-License-Identifier: GPL-2.0-or-later
# Formats are those that the kernel makes of a definition.
# Expectation: made by tdat, proves only that nothing changed; a kernel's own formats are
# tests/fixtures/foreign/user_events/kernel_formats.txt
"$TDAT" user-events format 'test u32 count; char[20] msg'
"$TDAT" user-events format --id 1501 'trip __rel_loc char[] text'
"$TDAT" user-events check 'e u8 a;u64 b;u16 c'
"$TDAT" user-events format 'test u32 count; char msg[20]' | grep msg
