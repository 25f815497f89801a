/* SPDX-License-Identifier: GPL-2.0-or-later */
/* KTR captures: samples against their expected.txt, made ones of every layout, damage. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect.h"
#include "core/endian.h"

/* ---- printing as in expected.txt ---- */

static bool is_event(const struct collect_event *e, const char *name)
{
	return !strcmp(e->format->name, name);
}

static void print_event(FILE *out, const struct collect_event *e)
{
	char file[4096], msg[8192];
	uint64_t thread = collect_uint(e, "thread");

	fprintf(out, "[%03u] %" PRIu64 " td=", e->cpu, e->ts);
	if (thread)
		fprintf(out, "0x%" PRIx64, thread);
	else
		fputc('-', out);
	collect_string(e, "file", file, sizeof(file));
	fprintf(out, " %s", file);
	if (strcmp(file, "-"))
		fprintf(out, ":%" PRIu64, collect_uint(e, "line"));
	fprintf(out, ": %s\n", collect_string(e, "msg", msg, sizeof(msg)));
}

/* The whole of expected.txt. */
static char *print_all(const struct collect *c)
{
	static const char *const facts[] = {"layout", "endian", "entries", "cpus"};
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	fputc('#', out);
	for (size_t i = 0; i < 4; i++)
		fprintf(out, " %s=%s", facts[i], collect_fact(c, facts[i]));
	fputc('\n', out);
	for (size_t i = 0; i < c->warning_count; i++)
		fprintf(out, "# warning: %s\n", c->warnings[i]);
	for (size_t i = 0; i < c->event_count; i++)
		if (is_event(&c->events[i], "ktr"))
			print_event(out, &c->events[i]);
	fclose(out);
	return text;
}

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
	got = print_all(&c);
	ck_assert_msg(!strcmp(got, expected), "%s\n--- got\n%s--- expected\n%s", dir, got,
		      expected);
	ck_assert_msg(!strncmp(c.version, "tdat ", 5), "%s", c.version);
	ck_assert_msg(strstr(c.uname, "(ktr import)"), "%s", c.uname);
	ck_assert_msg(tdat_importer_probe(in.inputs, in.count, &im, &err) == TDAT_OK, "%s: %s",
		      dir, err.message);
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
	run_sample(dir, TDAT_ACCESS_AUTO, NULL);
	run_sample(dir, TDAT_ACCESS_READ, NULL);
	run_sample(dir, TDAT_ACCESS_AUTO, all);
}

START_TEST(samples)
{
	collect_each_sample("ktr", on_sample, NULL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ktr");
	SRunner *r = srunner_create(s);
	TCase *t = tcase_create("samples");
	int failed;

	tcase_add_test(t, samples);
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
