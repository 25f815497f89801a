# SPDX-License-Identifier: GPL-2.0-or-later
# Definitions that the kernel would reject are refused.
# Expectation: made by tdat, proves only that nothing changed
"$TDAT" user-events check 'e long a' 'e u32 a' 'e struct x a 4294967295' 'e:F u32 a'
