/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A packed input: what is unpacked keeps to its bounds, members lie one behind the other in what
 * was stored, the report ends once, and the same input gives the same report twice.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tdat/source.h>

#include "fuzz.h"
#include "input/unpack.h"

enum { MOST = 1 << 20, WINDOW = 8 << 20 };

/* Returns the report, which the caller frees. */
static char *unpack(const struct tdat_source *source, enum tdat_packing packing, int fd,
		    size_t *len)
{
	char *report;
	struct cli_unpack job = {
		source, packing, fd, 0, MOST, WINDOW, open_memstream(&report, len)};

	FUZZ_ASSERT(job.report);
	cli_unpack_run(&job);
	FUZZ_ASSERT(!fclose(job.report));
	return report;
}

static void check_report(const char *report, size_t len, int fd)
{
	const off_t stored = lseek(fd, 0, SEEK_END);
	struct cli_unpack_record r = {.what = CLI_UNPACK_OTHER};
	uint64_t end = 0;

	FUZZ_ASSERT(stored <= MOST);
	while (len) {
		/* What ends a report is its last record; no archive has damage behind which it goes
		 * on. */
		FUZZ_ASSERT(r.what < CLI_UNPACK_DAMAGED && len >= sizeof(r));
		memcpy(&r, report, sizeof(r));
		FUZZ_ASSERT(r.what <= CLI_UNPACK_DONE && r.what != CLI_UNPACK_ABSENT);
		FUZZ_ASSERT(r.text_len <= CLI_UNPACK_TEXT_MAX && r.text_len <= len - sizeof(r));
		if (r.what <= CLI_UNPACK_MEMBER) {
			FUZZ_ASSERT(r.off >= end && r.len <= MOST && r.off <= MOST - r.len);
			end = r.off + r.len;
			FUZZ_ASSERT(!r.len || end <= (uint64_t)stored);
		}
		report += sizeof(r) + r.text_len;
		len -= sizeof(r) + r.text_len;
	}
	FUZZ_ASSERT(r.what >= CLI_UNPACK_DAMAGED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const enum tdat_packing packing = tdat_packing(data, size);
	struct tdat_source *source;
	size_t len, again_len;
	char *report, *again;
	static int loaded = -1;
	int fd;

	if (loaded < 0)
		loaded = cli_unpack_load();
	if (!loaded || packing == TDAT_PACKING_NONE)
		return 0;
	FUZZ_ASSERT(!tdat_source_open_memory(&source, data, size, "packed", NULL));
	fd = memfd_create("unpacked", MFD_CLOEXEC);
	FUZZ_ASSERT(fd >= 0);
	report = unpack(source, packing, fd, &len);
	check_report(report, len, fd);
	again = unpack(source, packing, fd, &again_len);
	FUZZ_ASSERT(len == again_len && !memcmp(report, again, len));
	free(report);
	free(again);
	close(fd);
	tdat_source_close(source);
	return 0;
}
