# SPDX-License-Identifier: GPL-2.0-or-later
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" user-events check 'e long a' 'e u32 a' 'e struct x a 4294967295' 'e:F u32 a'
