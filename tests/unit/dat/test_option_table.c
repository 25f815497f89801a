/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of option ids against the public header, and what those that ask it do. */
#include <stdio.h>
#include <string.h>

#include "../common/run.h"
#include "dat/option_table.h"
#include "copy/swap.h"

enum { IDS = 64 };

/* ---- the public header ---- */

static char names[IDS][32];
static size_t name_count;

/* Reads the "TDAT_OPTION_NAME = 1," lines of <tdat/file.h>. */
static void read_header(void)
{
	const char *path = getenv("TDAT_HEADER");
	FILE *f = path ? fopen(path, "r") : NULL;
	char line[256], name[32];
	unsigned id;

	ck_assert_msg(f != NULL, "TDAT_HEADER names no file");
	name_count = 0;
	memset(names, 0, sizeof(names));
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, " TDAT_OPTION_%31[A-Z0-9_] = %u", name, &id) != 2)
			continue;
		ck_assert_uint_lt(id, IDS);
		ck_assert_str_eq(names[id], "");
		memcpy(names[id], name, sizeof(name));
		name_count++;
	}
	fclose(f);
	ck_assert_uint_gt(name_count, 25);
}

START_TEST(rows_are_those_of_the_header)
{
	read_header();
	for (uint16_t id = 0; id < IDS; id++) {
		const char *name = dat_option_def(id)->name;

		if (*names[id])
			ck_assert_str_eq(name, names[id]);
		else
			ck_assert_ptr_eq(name, NULL);
		ck_assert_ptr_eq(tdat_file_option_name(id), name);
	}
	for (unsigned id = IDS; id <= UINT16_MAX; id++)
		ck_assert_ptr_eq(dat_option_def((uint16_t)id)->name, NULL);
}
END_TEST

/* ---- each row ---- */

START_TEST(names_are_unique)
{
	for (uint16_t a = 0; a < IDS; a++)
		for (uint16_t b = a + 1; b < IDS; b++)
			if (tdat_file_option_name(a) && tdat_file_option_name(b))
				ck_assert_str_ne(tdat_file_option_name(a),
						 tdat_file_option_name(b));
}
END_TEST

static bool shape_is_text(enum dat_option_shape shape)
{
	return shape >= DAT_SHAPE_TEXT && shape <= DAT_SHAPE_LAST_BOOT;
}

/* Rows close those that are open, and hold something, or swapping would not end. */
static void check_fields(const struct dat_field *f)
{
	int depth = 0;

	for (; f->item != DAT_ITEM_END; f++) {
		depth += f->item == DAT_ITEM_ROWS;
		depth -= f->item == DAT_ITEM_ROWS_END;
		ck_assert_int_ge(depth, 0);
		ck_assert(f->item != DAT_ITEM_ROWS || f[1].item != DAT_ITEM_ROWS_END);
		ck_assert((f->key != NULL) == (f->item != DAT_ITEM_ROWS_END));
	}
	ck_assert_int_eq(depth, 0);
}

START_TEST(rows_make_sense)
{
	for (uint16_t id = 0; id < IDS; id++) {
		const struct dat_option_def *d = dat_option_def(id);
		bool part = id >= DAT_PART_FIRST && id <= DAT_PART_LAST;

		ck_assert_msg(shape_is_text(d->shape) == (d->nul != DAT_NUL_NONE), "id %u", id);
		ck_assert_int_eq(d->role == DAT_ROLE_PART, part);
		ck_assert_int_eq(d->section != NULL, part);
		ck_assert(!d->text_section || d->role == DAT_ROLE_EXTRA);
		/* What leads to a place in a file can have no meaning in another. */
		ck_assert(d->role == DAT_ROLE_FACT || d->merge == DAT_MERGE_ONCE);
		/* Every option that copies keep must have a known byte order. */
		ck_assert(d->role != DAT_ROLE_FACT || !d->name || d->nul != DAT_NUL_NONE ||
			  d->fields);
		ck_assert((d->shape != DAT_SHAPE_FIELDS && d->shape != DAT_SHAPE_TIME_SHIFT) ||
			  d->fields);
		if (d->fields)
			check_fields(d->fields);
	}
}
END_TEST

/* ---- byte swap ---- */

/* A payload of n rows each in the order of b, with bytes that differ from their neighbours. */
static const struct dat_field *make(struct tdat_build *b, const struct dat_field *f, uint32_t n)
{
	for (; f->item != DAT_ITEM_END && f->item != DAT_ITEM_ROWS_END; f++) {
		uint64_t value = 0x0123456789abcdefull + b->len;

		switch (f->item) {
		case DAT_ITEM_STR:
			tdat_build_cstr(b, "a \xff name");
			break;
		case DAT_ITEM_U32:
		case DAT_ITEM_S32:
			tdat_build_u32(b, (uint32_t)value);
			break;
		case DAT_ITEM_ROWS:
			tdat_build_u32(b, n);
			for (uint32_t i = 0; i < n; i++)
				make(b, f + 1, n);
			f = dat_fields_after_rows(f);
			break;
		case DAT_ITEM_REST64:
			for (uint32_t i = 0; i < n; i++)
				tdat_build_u64(b, value + i);
			break;
		default:
			tdat_build_u64(b, value);
		}
	}
	return f;
}

static void assert_swapped(uint16_t id, const struct tdat_build *from, const struct tdat_build *to)
{
	struct tdat_build b;

	tdat_build_init(&b, to->big);
	ck_assert_int_eq(
		swap_option(&b, id, (struct tdat_span){from->ptr, from->len}, from->big, NULL),
		TDAT_OK);
	ck_assert_uint_eq(b.len, to->len);
	ck_assert_mem_eq(b.ptr, to->ptr, b.len);
	tdat_build_fini(&b);
}

/* Made in both orders by the row's fields: each becomes the other, so twice is the same. */
START_TEST(swap_there_and_back)
{
	int swapped = 0;

	for (uint16_t id = 0; id < IDS; id++) {
		const struct dat_option_def *d = dat_option_def(id);
		struct tdat_build little, big;

		if (d->role != DAT_ROLE_FACT || !d->fields)
			continue;
		for (uint32_t rows = 0; rows < 4; rows++) {
			tdat_build_init(&little, false);
			tdat_build_init(&big, true);
			make(&little, d->fields, rows);
			make(&big, d->fields, rows);
			assert_swapped(id, &little, &big);
			assert_swapped(id, &big, &little);
			tdat_build_fini(&little);
			tdat_build_fini(&big);
		}
		swapped++;
	}
	ck_assert_int_eq(swapped, 5);
}
END_TEST

/* Bytes written down by hand from the specification, not by the table. */
static const struct {
	uint16_t id;
	size_t len;
	const char *little, *big;
} by_hand[] = {
	{TDAT_OPTION_TRACEID, 8, "\x08\x07\x06\x05\x04\x03\x02\x01",
	 "\x01\x02\x03\x04\x05\x06\x07\x08"},
	{TDAT_OPTION_TSC2NSEC, 16, "\x04\x03\x02\x01\x0a\0\0\0\x08\x07\x06\x05\x04\x03\x02\x01",
	 "\x01\x02\x03\x04\0\0\0\x0a\x01\x02\x03\x04\x05\x06\x07\x08"},
	{TDAT_OPTION_GUEST, 23, "vm\0\x08\x07\x06\x05\x04\x03\x02\x01\1\0\0\0\2\0\0\0\x34\x12\0\0",
	 "vm\0\x01\x02\x03\x04\x05\x06\x07\x08\0\0\0\1\0\0\0\2\0\0\x12\x34"},
	{TDAT_OPTION_TIME_SHIFT, 52,
	 "\x08\x07\x06\x05\x04\x03\x02\x01\1\0\0\0\1\0\0\0"
	 "\1\0\0\0\5\0\0\0\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff\1\0\0\0\0\0\0\0"
	 "\x20\0\0\0\0\0\0\0",
	 "\x01\x02\x03\x04\x05\x06\x07\x08\0\0\0\1\0\0\0\1"
	 "\0\0\0\1\0\0\0\0\0\0\0\5\xff\xff\xff\xff\xff\xff\xff\xfe\0\0\0\0\0\0\0\1"
	 "\0\0\0\0\0\0\0\x20"},
	{TDAT_OPTION_UNAME, 6, "Linux", "Linux"},
	{TDAT_OPTION_TRACECLOCK, 5, "[local", "[local"},
	{TDAT_OPTION_SAVED_TGIDS, 4, "1 2\n", "1 2\n"},
	{TDAT_OPTION_CPUCOUNT, 8, "1 2\n3 4\n", "1 2\n3 4\n"},
};

START_TEST(swap_by_hand)
{
	struct tdat_build little = {.ptr = NULL}, big = {.ptr = NULL};

	little.ptr = (uint8_t *)(uintptr_t)by_hand[_i].little;
	big.ptr = (uint8_t *)(uintptr_t)by_hand[_i].big;
	little.len = big.len = by_hand[_i].len;
	big.big = true;
	assert_swapped(by_hand[_i].id, &little, &big);
	assert_swapped(by_hand[_i].id, &big, &little);
}
END_TEST

/* A payload that is cut anywhere is an error; one of another kind is refused. */
START_TEST(swap_refuses)
{
	const struct tdat_span eight = {(const uint8_t *)"12345678", 8};
	struct tdat_build b;

	for (unsigned id = 0; id <= 300; id++) {
		const struct dat_option_def *d = dat_option_def((uint16_t)id);
		enum tdat_status st;

		tdat_build_init(&b, true);
		st = swap_option(&b, (uint16_t)id, eight, false, NULL);
		if (!d->name || d->role != DAT_ROLE_FACT)
			ck_assert_msg(st == TDAT_E_UNSUPPORTED, "id %u", id);
		else if (d->nul != DAT_NUL_NONE)
			ck_assert_msg(st == TDAT_OK, "id %u", id);
		else
			ck_assert_msg(st == TDAT_E_DAMAGED || id == TDAT_OPTION_TRACEID, "id %u",
				      id);
		tdat_build_fini(&b);
	}
	for (size_t len = 0; len < by_hand[3].len - 8; len++) {
		struct tdat_span cut = {(const uint8_t *)by_hand[3].little, len};

		tdat_build_init(&b, true);
		ck_assert_int_eq(swap_option(&b, by_hand[3].id, cut, false, NULL), TDAT_E_DAMAGED);
		tdat_build_fini(&b);
	}
}
END_TEST

/* ---- counts and tgids ---- */

START_TEST(cpu_count_of_two_dialects)
{
	struct tdat_file_option o = {TDAT_OPTION_CPUCOUNT, 0, {(const uint8_t *)"1 2\n", 4}};

	ck_assert(dat_option_is_cpu_count(&o) && !dat_option_is_tgids(&o));
	o.data.len = 3;
	ck_assert(!dat_option_is_cpu_count(&o) && dat_option_is_tgids(&o));
	o.id = TDAT_OPTION_SAVED_TGIDS;
	o.data.len = 4;
	ck_assert(!dat_option_is_cpu_count(&o) && dat_option_is_tgids(&o));
	o.id = TDAT_OPTION_UNAME;
	ck_assert(!dat_option_is_cpu_count(&o) && !dat_option_is_tgids(&o));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("option_table");
	TCase *t = tcase_create("table");

	tcase_add_test(t, rows_are_those_of_the_header);
	tcase_add_test(t, names_are_unique);
	tcase_add_test(t, rows_make_sense);
	tcase_add_test(t, swap_there_and_back);
	tcase_add_loop_test(t, swap_by_hand, 0, sizeof(by_hand) / sizeof(by_hand[0]));
	tcase_add_test(t, swap_refuses);
	tcase_add_test(t, cpu_count_of_two_dialects);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
