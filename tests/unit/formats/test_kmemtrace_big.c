/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory stays bounded: a capture of 72 MiB, in order and with its order undone. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../common/run.h"
#include "collect.h"
#include "core/endian.h"

enum { RECORDS = 384 * 4096, RECORD_LEN = 48 };

/* The address sanitizer's allocator keeps room of every size that a buffer ever had. */
#if defined(__SANITIZE_ADDRESS__)
enum { ROOM_KIB = 120 * 1024 };
#else
enum { ROOM_KIB = 40 * 1024 };
#endif

static void write_file(FILE *f, bool undone)
{
	static uint8_t block[4096][RECORD_LEN];

	for (uint32_t i = 0; i < RECORDS;) {
		for (uint32_t j = 0; j < 4096; j++, i++) {
			uint8_t *p = block[j];

			p[2] = RECORD_LEN;
			/* The first number is the last one: all others are late. */
			tdat_store32(p + 4, undone && !i ? RECORDS : i, false);
			tdat_store64(p + 16, 0x1000 + i, false);
			tdat_store64(p + 24, 8, false);
			tdat_store64(p + 32, 8, false);
		}
		EXPECT(fwrite(block, sizeof(block), 1, f) == 1, "no room for a large file");
	}
}

static long peak_kib(void)
{
	struct rusage usage;

	EXPECT(getrusage(RUSAGE_SELF, &usage) == 0, "getrusage");
	return usage.ru_maxrss;
}

static void run_big(bool undone, enum tdat_access access)
{
	char path[] = "/tmp/tdat-test-XXXXXX";
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect_inputs in = {0};
	struct collect c;
	FILE *f = fdopen(mkstemp(path), "w");
	long before;

	EXPECT(f, "no temporary file");
	write_file(f, undone);
	fclose(f);
	collect_add_file(&in, path, access);
	unlink(path);
	collect_init(&c);
	c.count_only = true;
	before = peak_kib();
	EXPECT(collect_run(&c, "kmemtrace", &in, NULL, &err) == TDAT_OK, "%s", err.message);
	EXPECT(c.events_seen == RECORDS, "%ld events", (long)c.events_seen);
	EXPECT(peak_kib() - before < ROOM_KIB, "%ld KiB more than before", peak_kib() - before);
	printf("%s, %s: %ld KiB more\n", undone ? "undone" : "in order",
	       access == TDAT_ACCESS_READ ? "read" : "mapped", peak_kib() - before);
	collect_fini(&c);
	collect_close(&in);
}

START_TEST(bounded)
{
	run_big(_i & 2, _i & 1 ? TDAT_ACCESS_READ : TDAT_ACCESS_MAP);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kmemtrace_big");
	TCase *tc = tcase_create("big");

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, bounded, 0, 4);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
