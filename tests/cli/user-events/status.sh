# SPDX-License-Identifier: GPL-2.0-or-later
# The status files of all kernels are read, as text and as pages.
# Expectation: made by tdat, proves only that nothing changed; by hand: names and users are
# those of the text and the images
abi=$FIXTURES/foreign/user_events/abi
printf '3:test # Used by ftrace\n9:other # Used by ftrace perf\n77:far\n\nActive: 3\nBusy: 2\nMax: 4096\n' >early
printf 'test # Used by ftrace\nbare\n\nActive: 2\nBusy: 1\n' >late
"$TDAT" user-events status late
"$TDAT" user-events status early "$abi"/status_page_bits_6.0.bin
"$TDAT" user-events status "$abi"/status_page_bytes_5.18.bin
"$TDAT" user-events status --index byte early "$abi"/status_page_bytes_5.18.bin
