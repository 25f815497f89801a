/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every sample of every importer, once to memory and once through a file: the same
 * events in the same order, with the same fields, by two readers of formats.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "../common/run.h"
#include "collect.h"

struct way {
	const char *importer;
	const char *const *options;
	uint32_t file_version;
	size_t events; /* compared */
};

/* The importer's own way ends well or after what could be read; both times alike. */
static enum tdat_status run(struct collect *c, const char *importer,
			    const struct collect_inputs *in, const char *const *options)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	return collect_run(c, importer, in, options, &err);
}

static bool write_file(const char *path, const struct way *way, const struct collect_inputs *in)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct collect c = {0};
	struct tdat_writer *w;
	enum tdat_status st;

	opts.version = way->file_version;
	opts.compression = "none";
	ck_assert_msg(tdat_writer_new(&w, path, &opts, &err) == TDAT_OK, "%s", err.message);
	c.emit = *tdat_writer_emit(w);
	st = run(&c, way->importer, in, way->options);
	if (st == TDAT_OK)
		ck_assert_msg(tdat_writer_finish(w, &err) == TDAT_OK, "%s", err.message);
	tdat_writer_free(w);
	return st == TDAT_OK;
}

static void same_field(const struct collect_event *e, const struct collect_field *f,
		       const struct tdat_event_format *format, const struct tdat_event *ev,
		       const char *dir)
{
	const struct tdat_field *own = tdat_event_format_field(format, f->name);
	struct tdat_span a, b;
	uint64_t value;

	EXPECT(own, "%s: %s has no field %s", dir, e->format->name, f->name);
	if (!strcmp(f->name, "common_type"))
		return; /* the id that its owner chose */
	/* The collector knows nothing of these; their bytes are compared with all. */
	if (strstr(f->type, "__rel_loc") || (f->array && !f->size))
		return;
	if (f->array || f->dynamic) {
		a = collect_bytes(e, f->name);
		EXPECT(tdat_field_bytes(own, ev->record, &b, NULL) == TDAT_OK, "%s: %s.%s", dir,
		       e->format->name, f->name);
		/* The rest of a record is padded to 4 bytes. */
		EXPECT(b.len >= a.len && b.len < a.len + 4 && !memcmp(a.ptr, b.ptr, a.len),
		       "%s: %s.%s at %llu differs", dir, e->format->name, f->name,
		       (unsigned long long)e->ts);
		return;
	}
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return;
	EXPECT(tdat_field_u64(own, ev->record, &value, NULL) == TDAT_OK &&
		       value == collect_uint(e, f->name),
	       "%s: %s.%s at %llu differs", dir, e->format->name, f->name,
	       (unsigned long long)e->ts);
}

static void same_event(const struct collect_event *e, const struct tdat_file *file,
		       const struct tdat_event *ev, const char *dir)
{
	const struct tdat_event_format *format = tdat_file_format_by_id(file, ev->id);

	EXPECT(format, "%s: an event without a format", dir);
	EXPECT(!strcmp(tdat_event_format_name(format), e->format->name) &&
		       !strcmp(tdat_event_format_system(format), e->format->system),
	       "%s: %s where %s was", dir, tdat_event_format_name(format), e->format->name);
	EXPECT(ev->cpu == e->cpu && ev->lost_before == e->lost_before,
	       "%s: CPU %u, %lld lost, not %u, %lld", dir, ev->cpu, (long long)ev->lost_before,
	       e->cpu, (long long)e->lost_before);
	EXPECT(ev->record.len >= e->len && ev->record.len < e->len + 4 &&
		       !memcmp(e->data + 2, ev->record.ptr + 2, e->len - 2),
	       "%s: bytes of %s at %llu differ", dir, e->format->name, (unsigned long long)e->ts);
	for (size_t i = 0; i < e->format->field_count; i++)
		same_field(e, &e->format->fields[i], format, ev, dir);
}

static void compare(const char *path, const struct collect *c, const char *dir)
{
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	const struct tdat_event *ev;
	struct tdat_iter *iter;
	size_t i = 0;

	opts.raw_ts = true;
	ck_assert_int_eq(tdat_file_open(&in.file, path, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, &opts, NULL), TDAT_OK);
	while (tdat_iter_next(iter, &ev, NULL) == TDAT_OK && ev) {
		EXPECT(i < c->event_count, "%s: more than %zu events", dir, c->event_count);
		EXPECT(ev->ts == c->events[i].ts, "%s: time %llu, not %llu", dir,
		       (unsigned long long)ev->ts, (unsigned long long)c->events[i].ts);
		same_event(&c->events[i++], in.file, ev, dir);
	}
	EXPECT(i == c->event_count, "%s: %zu of %zu events", dir, i, c->event_count);
	tdat_iter_free(iter);
	tdat_file_close(in.file);
}

static void reread(struct way *way, const struct collect_inputs *in, const char *dir)
{
	char path[] = "/tmp/test_reread-XXXXXX";
	int fd = mkstemp(path);
	struct collect c;
	bool good;

	ck_assert_int_ge(fd, 0);
	close(fd);
	unlink(path); /* a writer makes new files */
	collect_init(&c);
	good = run(&c, way->importer, in, way->options) == TDAT_OK;
	ck_assert_int_eq(write_file(path, way, in), good);
	if (good) {
		compare(path, &c, dir);
		way->events += c.event_count;
	}
	unlink(path);
	collect_fini(&c);
}

static void on_sample(const char *dir, void *ctx)
{
	struct way *way = ctx;
	struct collect_inputs in;
	const struct tdat_importer *im;

	collect_open_dir(&in, dir, TDAT_ACCESS_MAP);
	if (!way->options && tdat_importer_probe(in.inputs, in.count, &im, NULL) == TDAT_OK)
		way->importer = im->name;
	reread(way, &in, dir);
	collect_close(&in);
}

static const struct {
	const char *folder, *importer;
	const char *const *options;
	size_t least;
} ways[] = {
	{"kmemtrace", "kmemtrace", NULL, 50},
	{"kmemtrace", "kmemtrace",
	 (const char *const[]){"keep-features", "keep-unknown", "atrace", "kmem-layout=6", NULL},
	 50},
	{"ktr", "ktr", NULL, 50},
	{"ktr", "ktr",
	 (const char *const[]){"typed", "graph", "sched", "atrace", "cpu-hz=1000000000", NULL}, 80},
	{"gtsc", "gtsc", NULL, 40},
};

START_TEST(samples)
{
	for (uint32_t version = 6; version <= 7; version++) {
		struct way way = {.importer = ways[_i].importer,
				  .options = ways[_i].options,
				  .file_version = version};

		collect_each_sample(ways[_i].folder, on_sample, &way);
		ck_assert_uint_ge(way.events, ways[_i].least);
	}
}
END_TEST

START_TEST(user_events)
{
	static const char *const orders[][2] = {{"endian=little", "writes_le.txt"},
						{"endian=big", "writes_be.txt"}};
	const char *fixtures = getenv("TDAT_FIXTURES");
	char defs[4096], log[4096], option[4200];

	EXPECT(fixtures, "TDAT_FIXTURES is not set");
	snprintf(defs, sizeof(defs), "%s/foreign/user_events/defs.txt", fixtures);
	snprintf(option, sizeof(option), "definitions=%s", defs);
	for (size_t i = 0; i < 2; i++) {
		const char *const options[] = {option, orders[i][0], NULL};
		struct collect_inputs in = {NULL, 0};
		struct way way = {.importer = "user_events", .options = options, .file_version = 7};

		snprintf(log, sizeof(log), "%s/foreign/user_events/%s", fixtures, orders[i][1]);
		collect_add_file(&in, defs, TDAT_ACCESS_MAP);
		collect_add_file(&in, log, TDAT_ACCESS_MAP);
		reread(&way, &in, log);
		ck_assert_uint_ge(way.events, 5);
		collect_close(&in);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reread");
	TCase *tc = tcase_create("reread");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, samples, 0, sizeof(ways) / sizeof(ways[0]));
	tcase_add_test(tc, user_events);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
