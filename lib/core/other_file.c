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
		{"PERFILE2", 8, "but a perf.data file: read it with \"tdat convert\""},
		{"2ELIFREP", 8, "but a perf.data file: read it with \"tdat convert\""},
		{"\xd4\xc3\xb2\xa1", 4,
		 "but a packet capture (pcap): read it with tcpdump or wireshark"},
		{"\xa1\xb2\xc3\xd4", 4,
		 "but a packet capture (pcap): read it with tcpdump or wireshark"},
		{"\x0a\x0d\x0d\x0a", 4,
		 "but a packet capture (pcapng): read it with tcpdump or wireshark"},
		{"\xc1\xfc\x1f\xc1", 4, "but a CTF stream: read its folder with babeltrace2"},
		{"\x04\x22\x4d\x18", 4, "but compressed with lz4: decompress it with \"lz4 -d\""},
		{"\x5d\x00\x00", 3, "but possibly compressed with lzma: decompress it with unlzma"},
		{"%PDF-", 5, "but a PDF file"},
		{"PAR1", 4, "but a Parquet file"},
		{"ARROW1", 6, "but an Arrow file"},
		{"SQLite format 3", 15, "but an SQLite database: read it with sqlite3"},
		{"\x7f"
		 "ELF",
		 4, "but a program or a core dump (ELF)"},
		{"\x89PNG", 4, "but a PNG picture"},
		{"<!DOCTYPE", 9, "but HTML: a report, or the page of a failed download"},
		{"<html", 5, "but HTML: a report, or the page of a failed download"},
	};

	if (!len)
		return "but an empty file";
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (len >= others[i].len && !memcmp(head, others[i].start, others[i].len))
			return others[i].what;
	if (is_text(head, len))
		return "but text: \"tdat list --formats\" lists the text formats that \"tdat "
		       "convert\" reads";
	return *head == 0x0a ? "but possibly a Perfetto trace: open it at ui.perfetto.dev" : NULL;
}
