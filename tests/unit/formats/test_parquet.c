/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parquet: its encodings against the examples of the format's specification and against a
 * decoder of this test; bounds of statistics; what is refused; memory of many tables.
 */
#include <stdlib.h>
#include <string.h>

#include <tdat/export.h>

#include "export/parquet/table.h"
#include "export/parquet/thrift.h"
#include "unit/common/run.h"

static void expect_bytes(struct tdat_build *b, const void *want, size_t len)
{
	ck_assert(!b->failed);
	ck_assert_uint_eq(b->len, len);
	ck_assert_mem_eq(b->ptr, want, len);
	b->len = 0;
}

/* ---- a decoder ---- */

static uint64_t get_varint(const uint8_t **p)
{
	uint64_t v = 0;

	for (unsigned int shift = 0;; shift += 7) {
		v |= (uint64_t)(**p & 0x7f) << shift;
		if (!(*(*p)++ & 0x80))
			return v;
	}
}

static int64_t get_zigzag(const uint8_t **p)
{
	const uint64_t v = get_varint(p);

	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* Bit by bit. */
static uint64_t get_bits(const uint8_t *p, size_t at, unsigned int bits)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < bits; i++, at++)
		v |= (uint64_t)(p[at / 8] >> (at % 8) & 1) << i;
	return v;
}

static void decode_rle(const uint8_t *p, const uint8_t *end, unsigned int bits, uint32_t *v,
		       size_t count)
{
	size_t n = 0;

	while (p < end) {
		const uint64_t head = get_varint(&p);
		size_t len = (size_t)(head >> 1) * (head & 1 ? 8 : 1);

		ck_assert_uint_gt(len, 0);
		for (size_t i = 0; i < len && n < count; i++)
			v[n++] = (uint32_t)get_bits(p, head & 1 ? i * bits : 0, bits);
		p += head & 1 ? len / 8 * bits : (bits + 7) / 8;
	}
	ck_assert_ptr_eq(p, end);
	ck_assert_uint_eq(n, count);
}

/* wide: INT64; else sums wrap at 32 bits. */
static void decode_delta(const uint8_t *p, const uint8_t *end, bool wide, uint64_t *v, size_t count)
{
	const uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
	const uint64_t block = get_varint(&p), minis = get_varint(&p);
	size_t n = 0;

	ck_assert_uint_eq(block % 128, 0);
	ck_assert_uint_eq(block / minis % 32, 0);
	ck_assert_uint_eq(get_varint(&p), count);
	v[n++] = (uint64_t)get_zigzag(&p) & mask;
	while (n < count) {
		const uint64_t least = (uint64_t)get_zigzag(&p);
		const uint8_t *widths = p;

		p += minis;
		for (uint64_t m = 0; m < minis && n < count; m++) {
			ck_assert_uint_le(widths[m], wide ? 64 : 32);
			for (size_t i = 0; i < block / minis && n < count; i++, n++)
				v[n] = (v[n - 1] + least + get_bits(p, i * widths[m], widths[m])) &
				       mask;
			p += block / minis / 8 * widths[m];
		}
	}
	ck_assert_ptr_eq(p, end);
}

/* ---- encodings ---- */

static uint64_t random_state = 88172645463325252u;

static uint64_t next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	return random_state ^= random_state << 17;
}

START_TEST(test_spec_examples)
{
	static const uint32_t packed[] = {0, 1, 2, 3, 4, 5, 6, 7};
	static const uint32_t one[] = {1, 2, 3, 4, 5}, two[] = {7, 5, 3, 1, 2, 3, 4, 5};
	static const uint32_t run[] = {5, 5, 5, 5, 5, 5, 5, 5, 5};
	/* Encodings.md, with the block of 128 values in four parts that is written. */
	static const uint8_t one_bytes[] = {0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0};
	static const uint8_t two_bytes[] = {0x80, 1,	4,    8, 14, 3, 2, 0, 0,
					    0,	  0xc0, 0x3f, 0, 0,  0, 0, 0, 0};
	struct tdat_build b;

	tdat_build_init(&b, false);
	encode_rle(&b, packed, 8, 3);
	expect_bytes(&b, "\x03\x88\xc6\xfa", 4);
	encode_rle(&b, run, 9, 3);
	expect_bytes(&b, "\x12\x05", 2);
	encode_rle(&b, run, 9, 12);
	expect_bytes(&b, "\x12\x05\x00", 3);
	encode_delta(&b, one, false, 5);
	expect_bytes(&b, one_bytes, sizeof(one_bytes));
	encode_delta(&b, two, false, 8);
	expect_bytes(&b, two_bytes, sizeof(two_bytes));
	tdat_build_fini(&b);
}
END_TEST

/* Runs and changes of all lengths, in all widths. */
START_TEST(test_rle)
{
	enum { MOST = 3000 };
	uint32_t *v = calloc(MOST, sizeof(*v)), *got = calloc(MOST, sizeof(*v));
	uint8_t *levels = calloc(MOST, 1);
	struct tdat_build b;

	tdat_build_init(&b, false);
	for (unsigned int bits = 1; bits <= 32; bits++) {
		const uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;

		for (int round = 0; round < 12; round++) {
			const size_t count = 1 + next() % MOST;

			for (size_t i = 0, left = 0; i < count; i++, left -= left ? 1 : 0) {
				v[i] = left ? v[i - 1] : (uint32_t)next() & mask;
				if (!left && i)
					left = next() % 4 ? 0 : next() % (round * 3 + 2);
				levels[i] = (uint8_t)v[i];
			}
			b.len = 0;
			encode_rle(&b, v, count, bits);
			decode_rle(b.ptr, b.ptr + b.len, bits, got, count);
			ck_assert_mem_eq(got, v, count * sizeof(*v));
			if (bits > 8)
				continue;
			b.len = 0;
			encode_rle_bytes(&b, levels, count, bits);
			decode_rle(b.ptr, b.ptr + b.len, bits, got, count);
			ck_assert_mem_eq(got, v, count * sizeof(*v));
		}
	}
	tdat_build_fini(&b);
	free(v);
	free(got);
	free(levels);
}
END_TEST

static void check_delta(const uint64_t *v, size_t count, uint64_t *got)
{
	uint32_t *narrow = calloc(count, sizeof(*narrow));
	struct tdat_build b;

	tdat_build_init(&b, false);
	encode_delta(&b, v, true, count);
	decode_delta(b.ptr, b.ptr + b.len, true, got, count);
	ck_assert_mem_eq(got, v, count * sizeof(*v));
	b.len = 0;
	for (size_t i = 0; i < count; i++)
		narrow[i] = (uint32_t)v[i];
	encode_delta(&b, narrow, false, count);
	decode_delta(b.ptr, b.ptr + b.len, false, got, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(got[i], narrow[i]);
	tdat_build_fini(&b);
	free(narrow);
}

START_TEST(test_delta)
{
	static const uint64_t extremes[] = {
		0, UINT64_MAX, INT64_MAX, UINT64_C(1) << 63, INT32_MAX, UINT64_C(1) << 31, 1};
	enum { MOST = 700 };
	uint64_t v[MOST], got[MOST];

	for (unsigned int shift = 0; shift < 64; shift++)
		for (int round = 0; round < 8; round++) {
			const size_t count = round < 4 ? 1 + next() % MOST : 31 + shift + round;
			uint64_t sum = next();

			for (size_t i = 0; i < count; i++) {
				sum += next() >> shift;
				v[i] = round % 2 ? sum : next() >> shift;
				if (round % 4 == 3)
					v[i] = extremes[next() % 7];
			}
			check_delta(v, count, got);
		}
}
END_TEST

START_TEST(test_thrift)
{
	struct tdat_build b;
	struct thrift t;

	tdat_build_init(&b, false);
	t = thrift_open(&b);
	thrift_i32(&t, 1, 1);
	thrift_bool(&t, 3, true);
	thrift_i64(&t, 40, -1);
	thrift_struct(&t, 41);
	thrift_string(&t, 1, "ab");
	thrift_end(&t);
	thrift_list(&t, 42, THRIFT_I32, 2);
	thrift_put_i64(&t, -2);
	thrift_put_i64(&t, 64);
	thrift_end(&t);
	expect_bytes(&b,
		     "\x15\x02\x21\x06\x50\x01\x1c\x18\x02"
		     "ab\x00\x19\x25\x03\x80\x01\x00",
		     18);
	tdat_build_fini(&b);
}
END_TEST

/* ---- bounds ---- */

static struct tdat_span span(const char *s, size_t len)
{
	return (struct tdat_span){(const uint8_t *)s, len};
}

static void expect_max(const char *s, size_t len, bool utf8, const char *want, size_t want_len)
{
	struct value_range r = {0};

	range_texts(&r, span(s, len), span(s, len), utf8);
	ck_assert_int_eq(r.has_max, want != NULL);
	if (!want)
		return;
	ck_assert_uint_eq(r.max.len, want_len);
	ck_assert_mem_eq(r.max.bytes, want, want_len);
	ck_assert_int_eq(r.max.exact, len == want_len && !memcmp(s, want, len));
	ck_assert_int_le(memcmp(r.min.bytes, s, r.min.len), 0);
}

START_TEST(test_bounds)
{
	char a[70], high[70], want[70];

	memset(a, 'a', sizeof(a));
	memset(high, 0xff, sizeof(high));
	expect_max(a, 64, true, a, 64);
	memcpy(want, a, 64);
	want[63] = 'b';
	expect_max(a, 65, true, want, 64);
	/* No byte string of 64 bytes is behind it. */
	expect_max(high, 65, false, NULL, 0);
	/* A character that would be cut in its middle is left out. */
	memcpy(a + 63, "\xe2\x82\xac", 3);
	memcpy(want, a, 63);
	want[62] = 'b';
	expect_max(a, 66, true, want, 63);
	/* Behind U+007F comes U+0080; behind U+D7FF nothing of three bytes, so 'a' is raised. */
	memset(a, 'a', sizeof(a));
	a[63] = 0x7f;
	memcpy(want, a, 62);
	want[62] = 'b';
	expect_max(a, 65, true, want, 63);
	memset(a, 'a', sizeof(a));
	memcpy(a + 61, "\xed\x9f\xbf", 3);
	memcpy(want, a, 60);
	want[60] = 'b';
	expect_max(a, 65, true, want, 61);
	memcpy(a + 61, "\xe2\x82\xbf", 3);
	memcpy(want, a, 61);
	memcpy(want + 61, "\xe2\x83\x80", 3);
	expect_max(a, 65, true, want, 64);
}
END_TEST

START_TEST(test_ranges)
{
	static const uint32_t v32[] = {1, UINT32_MAX, 7};
	static const double doubles[] = {0.0, -3.5, __builtin_nan(""), 2.0};
	uint64_t bits[4];
	struct value_range r = {0};
	double d;

	range_numbers(&r, v32, 3, false, true);
	ck_assert_uint_eq(tdat_load32(r.min.bytes, false), UINT32_MAX);
	ck_assert_uint_eq(tdat_load32(r.max.bytes, false), 7);
	range_numbers(&r, v32, 3, false, false);
	ck_assert_uint_eq(tdat_load32(r.min.bytes, false), 1);
	ck_assert_uint_eq(tdat_load32(r.max.bytes, false), UINT32_MAX);
	memcpy(bits, doubles, sizeof(bits));
	range_doubles(&r, bits, 4);
	bits[0] = tdat_load64(r.min.bytes, false);
	memcpy(&d, bits, sizeof(d));
	ck_assert_double_eq(d, -3.5);
	memcpy(bits, doubles, sizeof(bits));
	range_doubles(&r, bits, 1);
	ck_assert_uint_eq(tdat_load64(r.min.bytes, false), UINT64_C(1) << 63);
	ck_assert_uint_eq(tdat_load64(r.max.bytes, false), 0);
	range_doubles(&r, bits + 2, 1);
	ck_assert(!r.has_min && !r.has_max);
}
END_TEST

/* ---- tables ---- */

struct sink {
	uint64_t len;
	uint64_t hash;
	bool fails;
};

static enum tdat_status take(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	struct sink *s = ctx;
	const uint8_t *p = data;

	for (size_t i = 0; i < len; i++)
		s->hash = (s->hash ^ p[i]) * 0x100000001b3u;
	s->len += len;
	return s->fails ? tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET, "no more")
			: TDAT_OK;
}

static struct tdat_export *start(const char *name, const char *options)
{
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_keyed_option option = {.key = options ? "budget" : NULL, .value = options};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_export *e;

	request.options = &option;
	request.option_count = options ? 1 : 0;
	ck_assert_int_eq(tdat_export_new(&e, tdat_exporter_find(name), &request, &err), TDAT_OK);
	return e;
}

/* A column of int64 and its batch. */
struct one {
	struct ArrowSchema schema, child, *children[1];
	struct ArrowArray rows, column, *columns[1];
	const void *buffers[3], *no_buffers[1];
};

static void one_init(struct one *o, const char *format, const void *values, int64_t len)
{
	memset(o, 0, sizeof(*o));
	o->child = (struct ArrowSchema){.format = format, .name = "v"};
	o->children[0] = &o->child;
	o->schema = (struct ArrowSchema){.format = "+s", .n_children = 1, .children = o->children};
	o->buffers[1] = values;
	o->column = (struct ArrowArray){.length = len, .n_buffers = 2, .buffers = o->buffers};
	o->columns[0] = &o->column;
	o->rows = (struct ArrowArray){.length = len,
				      .n_buffers = 1,
				      .buffers = o->no_buffers,
				      .n_children = 1,
				      .children = o->columns};
}

static const struct tdat_columns_ops *ops(const char *name)
{
	return tdat_exporter_find(name)->columns;
}

static enum tdat_status begin(struct tdat_export *e, const char *name, struct one *o,
			      struct sink *s, void **part, struct tdat_error *err)
{
	return ops(name)->table_begin(tdat_export_ctx(e), "t", &o->schema, take, s, part, err);
}

START_TEST(test_refused)
{
	static const char *const exporters[] = {"parquet", "arrow"};
	static const char *const formats[] = {"U", "w:16", "+m", "tss:", "n", "f", "+l", ""};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct sink s = {0};
	struct one o;
	void *part;

	for (int x = 0; x < 2; x++) {
		struct tdat_export *e = start(exporters[x], NULL);

		for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
			one_init(&o, formats[i], NULL, 0);
			ck_assert_int_eq(begin(e, exporters[x], &o, &s, &part, &err), TDAT_E_USAGE);
			ck_assert_ptr_nonnull(strstr(err.message, "column 'v'"));
			ck_assert_ptr_null(part);
		}
		one_init(&o, "l", NULL, 0);
		o.child.name = "\xff";
		ck_assert_int_eq(begin(e, exporters[x], &o, &s, &part, &err), TDAT_E_USAGE);
		o.child.name = "v";
		o.schema.n_children = 0;
		ck_assert_int_eq(begin(e, exporters[x], &o, &s, &part, &err), TDAT_E_USAGE);
		ck_assert_ptr_nonnull(strstr(err.message, "without columns"));
		tdat_export_free(e);
	}
}
END_TEST

START_TEST(test_bad_batches)
{
	static const char *const exporters[] = {"parquet", "arrow"};
	static const int64_t values[4] = {1, 2, 3, 4};
	static const uint8_t some = 5;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct sink s = {0};
	struct one o;
	void *part;

	for (int x = 0; x < 2; x++) {
		struct tdat_export *e = start(exporters[x], NULL);
		const struct tdat_columns_ops *c = ops(exporters[x]);

		one_init(&o, "l", values, 4);
		ck_assert_int_eq(begin(e, exporters[x], &o, &s, &part, &err), TDAT_OK);
		o.buffers[0] = &some;
		o.column.null_count = -1;
		ck_assert_int_eq(c->batch(part, &o.rows, &err), TDAT_E_USAGE);
		ck_assert_ptr_nonnull(strstr(err.message, "has nulls"));
		o.buffers[0] = NULL;
		o.column.length = 3;
		ck_assert_int_eq(c->batch(part, &o.rows, &err), TDAT_E_USAGE);
		o.column.length = 4;
		o.rows.n_children = 2;
		ck_assert_int_eq(c->batch(part, &o.rows, &err), TDAT_E_USAGE);
		o.rows.n_children = 1;
		ck_assert_int_eq(c->batch(part, &o.rows, &err), TDAT_OK);
		s.fails = true;
		ck_assert_int_eq(c->table_end(part, false, &err), TDAT_E_CANCELLED);
		ck_assert_int_eq(begin(e, exporters[x], &o, &s, &part, &err), TDAT_E_CANCELLED);
		ck_assert_ptr_null(part);
		s.fails = false;
		ck_assert_int_eq(begin(e, exporters[x], &o, &s, &part, &err), TDAT_OK);
		ck_assert_int_eq(c->table_end(part, true, NULL), TDAT_OK);
		tdat_export_free(e);
	}
}
END_TEST

/* Many tables with random numbers, which do not shrink, keep no more than the budget. */
START_TEST(test_budget)
{
	enum { TABLES = 300, ROUNDS = 60, ROWS = 500, BUDGET = 4 << 20 };
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_export *e = start("parquet", "4194304");
	struct parquet_export *x = tdat_export_ctx(e);
	struct sink s = {0};
	int64_t values[ROWS];
	void *parts[TABLES];
	size_t most = 0, now;
	struct one o;

	one_init(&o, "l", values, ROWS);
	for (int i = 0; i < TABLES; i++)
		ck_assert_int_eq(begin(e, "parquet", &o, &s, &parts[i], &err), TDAT_OK);
	for (int i = 0; i < TABLES * ROUNDS; i++) {
		for (int k = 0; k < ROWS; k++)
			values[k] = (int64_t)next();
		ck_assert_int_eq(ops("parquet")->batch(parts[i % TABLES], &o.rows, &err), TDAT_OK);
		now = atomic_load(&x->held);
		most = now > most ? now : most;
	}
	ck_assert_uint_gt(most, BUDGET / 2);
	ck_assert_uint_le(most, BUDGET + BUDGET / 4);
	for (int i = 0; i < TABLES; i++)
		ck_assert_int_eq(ops("parquet")->table_end(parts[i], false, &err), TDAT_OK);
	ck_assert_uint_eq(atomic_load(&x->held), 0);
	ck_assert_uint_gt(s.len, (uint64_t)TABLES * ROUNDS * ROWS * 8);
	tdat_export_free(e);
}
END_TEST

/* However rows come in batches, the bytes are the same. */
START_TEST(test_same_bytes)
{
	enum { ROWS = 40000 };
	struct tdat_export *e = start("parquet", NULL);
	struct tdat_error err = TDAT_ERROR_INIT;
	int64_t *values = calloc(ROWS, sizeof(*values));
	uint64_t want = 0;

	for (int i = 0; i < ROWS; i++)
		values[i] = (int64_t)(next() % 1000) * 12345;
	for (int round = 0; round < 5; round++) {
		static const int64_t steps[] = {ROWS, 1, 7, 256, 1000};
		struct sink s = {0};
		struct one o;
		void *part;

		one_init(&o, "l", values, ROWS);
		ck_assert_int_eq(begin(e, "parquet", &o, &s, &part, &err), TDAT_OK);
		for (int64_t at = 0; at < ROWS; at += steps[round]) {
			o.rows.offset = at;
			o.rows.length = ROWS - at < steps[round] ? ROWS - at : steps[round];
			ck_assert_int_eq(ops("parquet")->batch(part, &o.rows, &err), TDAT_OK);
		}
		ck_assert_int_eq(ops("parquet")->table_end(part, false, &err), TDAT_OK);
		want = round ? want : s.hash;
		ck_assert_uint_eq(s.hash, want);
	}
	free(values);
	tdat_export_free(e);
}
END_TEST

START_TEST(test_options)
{
	static const struct {
		const char *exporter;
		struct tdat_keyed_option option;
	} wrong[] = {
		{"parquet", {"compression", "lzo"}}, {"parquet", {"level", "1000"}},
		{"parquet", {"row-group", "0"}},     {"parquet", {"memory", "1k"}},
		{"parquet", {"budget", "-1"}},	     {"arrow", {"container", "box"}},
		{"arrow", {"compression", "lz4"}},
	};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_export *e;

	request.option_count = 1;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		request.options = &wrong[i].option;
		ck_assert_int_eq(
			tdat_export_new(&e, tdat_exporter_find(wrong[i].exporter), &request, &err),
			TDAT_E_USAGE);
		ck_assert_ptr_nonnull(strstr(err.message, wrong[i].option.value));
		ck_assert_ptr_null(e);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("parquet");
	TCase *t = tcase_create("parquet");

	tcase_add_test(t, test_spec_examples);
	tcase_add_test(t, test_rle);
	tcase_add_test(t, test_delta);
	tcase_add_test(t, test_thrift);
	tcase_add_test(t, test_bounds);
	tcase_add_test(t, test_ranges);
	tcase_add_test(t, test_refused);
	tcase_add_test(t, test_bad_batches);
	tcase_add_test(t, test_budget);
	tcase_add_test(t, test_same_bytes);
	tcase_add_test(t, test_options);
	suite_add_tcase(s, t);
	return run_suite(s);
}
