/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the KTR importer does for each entry in a short way gives what the long way gives: the order
 * of entries that are nearly in order or not at all, and text with control bytes.
 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "core/endian.h"
#include "import/ktr/clean_text.h"
#include "import/ktr/printf_format.h"
#include "import/ktr/reorder.h"

/* As ck_assert, but free when it holds: that writes to a pipe each time. */
#define EXPECT(cond)                                                                               \
	do {                                                                                       \
		if (!(cond))                                                                       \
			ck_abort_msg("%s", #cond);                                                 \
	} while (0)

enum { ENTRIES = 50000 };

struct entry {
	uint64_t ts;
	uint32_t cpu;
	uint32_t number;
};

struct given {
	const struct entry *expected;
	size_t count;
};

static enum tdat_status take(void *ctx, uint64_t ts, uint32_t cpu, struct tdat_span raw,
			     struct tdat_error *err)
{
	struct given *g = ctx;
	const struct entry *e = &g->expected[g->count++];

	(void)err;
	EXPECT(g->count <= ENTRIES && ts == e->ts && cpu == e->cpu);
	EXPECT(raw.len == 4 && tdat_load32(raw.ptr, false) == e->number);
	return TDAT_OK;
}

static int by_order(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;

	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* Entries are late by up to so much, in thousandths of what passes between two. */
static const uint64_t disorders[] = {0, 1, 3000, 30000, 300000, 3000000, 60000000};

START_TEST(order)
{
	struct entry *all = calloc(ENTRIES, sizeof(*all)), *sorted = calloc(ENTRIES, sizeof(*all));
	struct given given = {sorted, 0};
	struct ktr_blocks blocks = {NULL, 0, 0, 0, false};
	struct ktr_reorder *r;
	uint32_t state = 7;

	ck_assert(all && sorted);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		state = state * 1664525 + 1013904223;
		all[i].ts = 100000000 + i * 1000ull -
			    (disorders[_i] ? (state >> 4) % disorders[_i] : 0);
		all[i].ts /= 4000; /* many are equal */
		all[i].cpu = state >> 24 & 3;
		all[i].number = i;
		ktr_blocks_add(&blocks, all[i].ts);
	}
	ck_assert(ktr_blocks_end(&blocks));
	memcpy(sorted, all, ENTRIES * sizeof(*all));
	qsort(sorted, ENTRIES, sizeof(*sorted), by_order);
	ck_assert_int_eq(ktr_reorder_new(&r, &blocks, 4, take, &given, NULL), TDAT_OK);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		uint8_t raw[4];

		tdat_store32(raw, i, false);
		EXPECT(ktr_reorder_add(r, all[i].ts, all[i].cpu, raw, NULL) == TDAT_OK);
	}
	ck_assert_int_eq(ktr_reorder_end(r, NULL), TDAT_OK);
	ck_assert_uint_eq(given.count, ENTRIES);
	ktr_reorder_free(r);
	ktr_blocks_fini(&blocks);
	free(all);
	free(sorted);
}
END_TEST

/* Each byte at each place of a text of 27 bytes. */
START_TEST(control_bytes)
{
	static const char letters[] = "abtnvfr";
	struct tdat_build out;

	tdat_build_init(&out, false);
	for (unsigned int c = 0; c < 256; c++)
		for (size_t at = 0; at < 27; at++) {
			const bool clean = c == '\t' || (c >= 0x20 && c != 0x7f);
			char expected[64], shown[8];
			uint8_t text[27];
			size_t len;

			memset(text, 'x', sizeof(text));
			text[at] = (uint8_t)c;
			if (clean)
				snprintf(shown, sizeof(shown), "%c", (int)c);
			else if (c >= 7 && c <= 13)
				snprintf(shown, sizeof(shown), "\\%c", letters[c - 7]);
			else
				snprintf(shown, sizeof(shown), "\\x%02x", c);
			len = (size_t)snprintf(expected, sizeof(expected), "%.*s%s%.*s", (int)at,
					       "xxxxxxxxxxxxxxxxxxxxxxxxxxxx", shown,
					       (int)(26 - at), "xxxxxxxxxxxxxxxxxxxxxxxxxxxx");
			out.len = 0;
			ktr_text_clean(&out, (struct tdat_span){text, sizeof(text)});
			EXPECT(out.len == len && !memcmp(out.ptr, expected, len));
		}
	tdat_build_fini(&out);
}
END_TEST

/* Prints v by a format of one conversion. */
static void print_one(const char *conv, uint64_t v, struct tdat_build *out)
{
	const struct tdat_span text = {(const uint8_t *)conv, strlen(conv)};
	struct ktr_format *f = ktr_format_new(1, text, KTR_PARMS);
	const struct ktr_entry e = {.parms = {v}};
	struct ktr_print_stats stats = {0};

	ck_assert_ptr_nonnull(f);
	out->len = 0;
	ktr_format_print(f, &e, 8, KTR_PARMS, NULL, out, &stats);
	tdat_build_u8(out, 0);
	free(f);
}

/* Numbers of every length by conversions without width, as printf and as with a width have them. */
START_TEST(plain_numbers)
{
	static const char kinds[] = "duxXop";
	struct tdat_build out, wide;

	tdat_build_init(&out, false);
	tdat_build_init(&wide, false);
	for (size_t k = 0; kinds[k]; k++)
		for (unsigned int i = 0; i < 64 * 5; i++) {
			const uint64_t v = (1ull << i / 5) + i % 5 - 2;
			const bool is_p = kinds[k] == 'p';
			char conv[8], expected[64];

			snprintf(conv, sizeof(conv), is_p ? "%%%c" : "%%l%c", kinds[k]);
			print_one(conv, v, &out);
			snprintf(conv, sizeof(conv), is_p ? "%%1%c" : "%%1l%c", kinds[k]);
			print_one(conv, v, &wide);
			EXPECT(!strcmp((char *)out.ptr, (char *)wide.ptr));
			snprintf(expected, sizeof(expected),
				 kinds[k] == 'd'   ? "%" PRId64
				 : kinds[k] == 'u' ? "%" PRIu64
				 : kinds[k] == 'x' ? "%" PRIx64
				 : kinds[k] == 'X' ? "%" PRIX64
				 : kinds[k] == 'o' ? "%" PRIo64
						   : "0x%" PRIx64,
				 v);
			EXPECT(!strcmp((char *)out.ptr, expected));
		}
	tdat_build_fini(&out);
	tdat_build_fini(&wide);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ktr_hot");
	TCase *tc = tcase_create("hot");

	tcase_add_loop_test(tc, order, 0, sizeof(disorders) / sizeof(disorders[0]));
	tcase_add_test(tc, control_bytes);
	tcase_add_test(tc, plain_numbers);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
