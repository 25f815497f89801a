/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays of characters as text: the fast copy of ASCII against one byte at a time. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "table/utf8_put.h"

#include "../common/run.h"

enum { MOST = 40, ROOM = MOST + 8, TIMES = 200000 };

static const uint8_t odd[] = {0, 1, 0x7f, 0x80, 0x81, 0xff};

/* Bytes before the first NUL, or that one of them is not ASCII. */
static size_t expected(const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!p[i])
			return i;
		if (p[i] > 127)
			return TABLE_NOT_ASCII;
	}
	return len;
}

START_TEST(as_byte_by_byte)
{
	uint8_t text[MOST], out[ROOM + 1];
	uint64_t random = 1;

	for (int i = 0; i < TIMES; i++) {
		const size_t len = (size_t)i % (MOST + 1);
		size_t n;

		for (size_t k = 0; k < len; k++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			text[k] = random >> 60 ? (uint8_t)(1 + (random >> 40) % 127)
					       : odd[(random >> 40) % sizeof(odd)];
		}
		memset(out, 0xee, sizeof(out));
		n = table_copy_ascii(out, text, len);
		ck_assert_uint_eq(n, expected(text, len));
		if (n != TABLE_NOT_ASCII)
			ck_assert(!memcmp(out, text, n));
		ck_assert_uint_eq(out[len + 8], 0xee);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("chars");
	TCase *tc = tcase_create("chars");

	tcase_add_test(tc, as_byte_by_byte);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
