/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names files of other tools by their first bytes. */
#include "other_file.h"

#include <stdbool.h>
#include <string.h>

static bool is_text(const uint8_t *head, size_t len)
{
	size_t i = 0;

	while (i < len && i < TDAT_OTHER_LOOK &&
	       (head[i] >= ' ' || (head[i] >= '\t' && head[i] <= '\r')))
		i++;
	return i == len || i == TDAT_OTHER_LOOK;
}

const char *tdat_other_file(const uint8_t *head, size_t len)
{
	static const struct {
		const char *start;
		size_t len;
		const char *what;
	} others[] = {
		{"PERFILE2", 8, "but a perf.data: tdat convert reads it"},
		{"2ELIFREP", 8, "but a perf.data: tdat convert reads it"},
		{"\xd4\xc3\xb2\xa1", 4, "but packets (pcap): tcpdump and wireshark read them"},
		{"\xa1\xb2\xc3\xd4", 4, "but packets (pcap): tcpdump and wireshark read them"},
		{"\x0a\x0d\x0d\x0a", 4, "but packets (pcapng): tcpdump and wireshark read them"},
		{"\xc1\xfc\x1f\xc1", 4, "but packets of CTF: babeltrace2 reads their folder"},
		{"\x04\x22\x4d\x18", 4, "but packed by lz4: lz4 -d unpacks it"},
		{"\x5d\x00\x00", 3, "but perhaps packed by lzma: unlzma unpacks it"},
		{"%PDF-", 5, "but a PDF"},
		{"PAR1", 4, "but a Parquet file"},
		{"ARROW1", 6, "but an Arrow file"},
		{"SQLite format 3", 15, "but a database: sqlite3 reads it"},
		{"\x7f"
		 "ELF",
		 4, "but a program or a core dump (ELF)"},
		{"\x89PNG", 4, "but a picture (PNG)"},
		{"<!DOCTYPE", 9, "but HTML: the page of a report, or of a download that failed"},
		{"<html", 5, "but HTML: the page of a report, or of a download that failed"},
	};

	if (!len)
		return "but an empty file";
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (len >= others[i].len && !memcmp(head, others[i].start, others[i].len))
			return others[i].what;
	if (is_text(head, len))
		return "but text: 'tdat list --formats' names the texts that tdat convert reads";
	return *head == 0x0a ? "but perhaps a Perfetto trace: ui.perfetto.dev shows it" : NULL;
}
