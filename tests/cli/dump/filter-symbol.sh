# SPDX-License-Identifier: GPL-2.0-or-later
# A filter compares an address with the name of a function.
# Expectation: trace-cmd 3.1.6's report with these options and libtraceevent 1.7.1, stored
"$TDAT" dump --compat debian12 '-F' 'function: ip == "vfs_read" || parent_ip =~ "sys_write"' "$FIXTURES/valid/i386-61-function.dat"
