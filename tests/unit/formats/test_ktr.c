/* SPDX-License-Identifier: GPL-2.0-or-later */
/* KTR captures: samples against their expected.txt, whole and damaged. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../common/part.h"
#include "../common/run.h"
#include "collect.h"
#include "ktr_print.h"

static void run_sample(const char *dir, enum tdat_access access, const char *const *options)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_importer *im;
	struct collect_inputs in;
	char path[4096], *expected, *got;
	struct collect c;

	snprintf(path, sizeof(path), "%s/expected.txt", dir);
	expected = collect_read_file(path, NULL);
	collect_open_dir(&in, dir, access);
	collect_init(&c);
	ck_assert_msg(collect_run(&c, "ktr", &in, options, &err) == TDAT_OK, "%s: %s", dir,
		      err.message);
	got = ktr_print_all(&c);
	ck_assert_msg(!strcmp(got, expected), "%s\n--- got\n%s--- expected\n%s", dir, got,
		      expected);
	ck_assert_msg(!strncmp(c.version, "tdat ", 5), "%s", c.version);
	ck_assert_msg(strstr(c.uname, "(ktr import)"), "%s", c.uname);
	ck_assert_msg(tdat_importer_probe(in.inputs, in.count, &im, &err) == TDAT_OK, "%s: %s", dir,
		      err.message);
	ck_assert_str_eq(im->name, "ktr");
	free(got);
	free(expected);
	collect_fini(&c);
	collect_close(&in);
}

static void on_sample(const char *dir, void *ctx)
{
	static const char *const all[] = {"typed", "graph", "sched", "atrace", NULL};

	(void)ctx;
	run_sample(dir, TDAT_ACCESS_MAP, NULL);
	run_sample(dir, TDAT_ACCESS_READ, NULL);
	run_sample(dir, TDAT_ACCESS_MAP, all);
}

START_TEST(samples)
{
	collect_each_sample("ktr", on_sample, NULL);
}
END_TEST

/* ---- damage ---- */

/* A copy of a sample's inputs of which one can be hurt. */
struct copy {
	char *data[8];
	size_t len[8];
	struct collect_inputs in;
};

static void copy_open(struct copy *copy, const struct collect_inputs *from, size_t which,
		      char *hurt, size_t hurt_len)
{
	memset(copy, 0, sizeof(*copy));
	for (size_t i = 0; i < from->count; i++) {
		const struct tdat_import_input *in = &from->inputs[i];
		size_t len = (size_t)tdat_source_len(in->source);

		ck_assert_uint_lt(i, 8);
		if (i == which) {
			collect_add_memory(&copy->in, in->name, hurt, hurt_len);
			continue;
		}
		copy->data[i] = malloc(len + 1);
		ck_assert(tdat_source_read(in->source, 0, copy->data[i], len, NULL) == TDAT_OK);
		collect_add_memory(&copy->in, in->name, copy->data[i], len);
	}
}

static void copy_close(struct copy *copy)
{
	collect_close(&copy->in);
	for (size_t i = 0; i < 8; i++)
		free(copy->data[i]);
}

/* Runs and holds it to the contract only; number of ktr events. */
static size_t run_hurt(const struct copy *copy, const char *const *options, struct collect *c)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_importer *im;
	enum tdat_status st;

	collect_init(c);
	tdat_importer_probe(copy->in.inputs, copy->in.count, &im, &err);
	st = collect_run(c, "ktr", &copy->in, options, &err);
	if (st != TDAT_OK)
		ck_assert_msg(err.message[0], "a failure without a sentence");
	return c->event_count;
}

static const char *const everything[] = {"typed", "graph", "sched", "atrace", "cpu-hz=auto", NULL};

/* Every file of a sample cut at every byte. */
static void cut_sample(const char *dir, void *ctx)
{
	struct collect_inputs from;

	(void)ctx;
	collect_open_dir(&from, dir, TDAT_ACCESS_MAP);
	for (size_t which = 0; which < from.count; which++) {
		const struct tdat_source *source = from.inputs[which].source;
		size_t len = (size_t)tdat_source_len(source);
		/* Bytes between the headers of an image are zero for long stretches. */
		size_t step = len > 2000 ? 31 : 1;

		for (size_t n = 0; n < len; n += step) {
			char *hurt;
			struct copy copy;
			struct collect c;

			if (!part_takes(n / step))
				continue;
			hurt = malloc(n ? n : 1);
			ck_assert(tdat_source_read(source, 0, hurt, n, NULL) == TDAT_OK);
			copy_open(&copy, &from, which, hurt, n);
			run_hurt(&copy, everything, &c);
			collect_fini(&c);
			copy_close(&copy);
			free(hurt);
		}
	}
	collect_close(&from);
}

START_TEST(cut)
{
	collect_each_sample("ktr", cut_sample, NULL);
}
END_TEST

static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static void mutate_sample(const char *dir, void *ctx)
{
	uint64_t *x = ctx;
	const unsigned int rounds = part_of(150);
	struct collect_inputs from;

	collect_open_dir(&from, dir, TDAT_ACCESS_MAP);
	for (unsigned int round = 0; round < rounds; round++) {
		size_t which = next_random(x) % from.count, len;
		const struct tdat_source *source = from.inputs[which].source;
		struct copy copy;
		struct collect c;
		char *hurt;

		len = (size_t)tdat_source_len(source);
		if (!len)
			break;
		hurt = malloc(len);
		ck_assert(tdat_source_read(source, 0, hurt, len, NULL) == TDAT_OK);
		for (uint64_t n = next_random(x) % 4 + 1; n; n--) {
			/* Headers of an image are where it hurts. */
			size_t at = next_random(x) % (round & 1 && len > 200 ? 200 : len);

			hurt[at] = (char)next_random(x);
		}
		copy_open(&copy, &from, which, hurt, len);
		run_hurt(&copy, everything, &c);
		collect_fini(&c);
		copy_close(&copy);
		free(hurt);
	}
	collect_close(&from);
}

START_TEST(mutated)
{
	uint64_t x = 88172645463325252ull;

	collect_each_sample("ktr", mutate_sample, &x);
}
END_TEST

/* Entries before a cut are all there, whatever the cut. */
START_TEST(kept_before_cut)
{
	char path[4096], dir[4096];
	struct collect_inputs from;
	size_t which = 0;

	snprintf(dir, sizeof(dir), "%s/foreign/ktr/fbsd_amd64_v1", getenv("TDAT_FIXTURES"));
	collect_open_dir(&from, dir, TDAT_ACCESS_MAP);
	snprintf(path, sizeof(path), "ktr.out");
	while (strcmp(from.inputs[which].name, path))
		which++;
	for (size_t n = 80; n <= 480; n++) {
		static const char *const options[] = {"layout=freebsd-v1-64", "endian=little",
						      NULL};
		char *hurt = malloc(n);
		struct copy copy;
		struct collect c;

		ck_assert(tdat_source_read(from.inputs[which].source, 0, hurt, n, NULL) == TDAT_OK);
		copy_open(&copy, &from, which, hurt, n);
		ck_assert_uint_eq(run_hurt(&copy, options, &c), n / 80);
		ck_assert_uint_eq(c.warning_count, n % 80 != 0);
		if (n % 80)
			ck_assert_uint_eq(c.warning_offs[0], n - n % 80);
		collect_fini(&c);
		/* And so without being told the layout. */
		ck_assert_uint_eq(run_hurt(&copy, NULL, &c), n / 80);
		collect_fini(&c);
		copy_close(&copy);
		free(hurt);
	}
	collect_close(&from);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ktr");
	TCase *t = tcase_create("samples");

	tcase_add_test(t, samples);
	tcase_add_test(t, cut);
	tcase_add_test(t, mutated);
	tcase_add_test(t, kept_before_cut);
	suite_add_tcase(s, t);
	return run_suite(s);
}
