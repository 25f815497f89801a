/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names files of other tools by their first bytes. */
#ifndef TDAT_CORE_OTHER_FILE_H
#define TDAT_CORE_OTHER_FILE_H

#include <stddef.h>
#include <stdint.h>

/* So many bytes tell a text. */
enum { TDAT_OTHER_LOOK = 256 };

/*
 * Returns what a file is that is often mistaken for a trace.dat or a capture, and what to do with
 * it: "but packets (pcap): tcpdump and wireshark read them". NULL: unknown.
 */
const char *tdat_other_file(const uint8_t *head, size_t len);

#endif
