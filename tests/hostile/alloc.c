/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The n-th allocation fails, for all n: what is done with a file then says so, or
 * comes out as ever; nothing is left behind, and nothing is half a result.
 * usage: alloc JOB PATH...    JOB: what names of the table at the end start with
 */
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "alloc_fail.h"

enum { INPUTS_MOST = 64 };

/* What came of it: sums of all that was put out. */
struct result {
	enum tdat_status status;
	struct tdat_error err;
	uint64_t hash, len;
};

struct job {
	const char *name;
	void (*run)(const char *path, const struct job *job, struct result *r);
	int a, b; /* the job's own */
	const char *text;
};

static char out_path[4096];

static void add(struct result *r, const void *data, size_t len)
{
	const unsigned char *p = data;

	r->len += len;
	while (len--)
		r->hash = (r->hash ^ *p++) * 0x100000001b3u;
}

static enum tdat_status add_text(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)err;
	add(ctx, data, len);
	return TDAT_OK;
}

/* ---- reading ---- */

static bool open_file(const char *path, bool tolerate, struct tdat_file **file, struct result *r)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	const struct tdat_error *damage;
	size_t i, count;

	opts.tolerate_damage = tolerate;
	r->status = tdat_file_open(file, path, &opts, &r->err);
	if (r->status != TDAT_OK)
		return false;
	damage = tdat_file_damage(*file, &count);
	for (i = 0; i < count; i++)
		add(r, damage[i].message, strlen(damage[i].message));
	return true;
}

static void run_open(const char *path, const struct job *job, struct result *r)
{
	const struct tdat_section *s;
	const struct tdat_buffer *b;
	struct tdat_file *file;
	size_t i, count;

	if (!open_file(path, job->a, &file, r))
		return;
	s = tdat_file_sections(file, &count);
	for (i = 0; i < count; i++)
		add(r, s[i].description, strlen(s[i].description));
	b = tdat_file_buffers(file, &count);
	for (i = 0; i < count; i++) {
		add(r, b[i].name, strlen(b[i].name));
		add(r, b[i].clock, strlen(b[i].clock));
		add(r, &b[i].cpu_count, sizeof(b[i].cpu_count));
	}
	add(r, &tdat_file_info(file)->event_format_count, sizeof(uint32_t));
	tdat_file_close(file);
}

static void pump(struct tdat_iter *iter, const struct tdat_export *e, int threads, struct result *r)
{
	struct tdat_pump_opts opts = TDAT_PUMP_OPTS_INIT;
	size_t i, count;
	const struct tdat_stream_damage *d;

	opts.threads = (uint32_t)threads;
	r->status = tdat_pump(iter, tdat_export_ops(e), tdat_export_ctx(e), &opts, add_text, r,
			      &r->err);
	d = tdat_iter_damage(iter, &count);
	for (i = 0; i < count; i++)
		add(r, d[i].message, strlen(d[i].message));
}

/* All events of the file that pass; threads is job->a. */
static void run_exporter(const char *path, const struct job *job, const char *name,
			 const struct tdat_keyed_option *options, size_t option_count,
			 const struct tdat_filter_opts *wanted, struct result *r)
{
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_iter_opts iter_opts = TDAT_ITER_OPTS_INIT;
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_filter *filter = NULL;
	struct tdat_export *e;
	struct tdat_iter *iter;

	if (!open_file(path, true, &in.file, r))
		return;
	request.inputs = &in;
	request.input_count = 1;
	request.options = options;
	request.option_count = option_count;
	iter_opts.plugin_state = !strcmp(name, "text");
	if (wanted) {
		r->status = tdat_filter_new(&filter, wanted, &r->err);
		iter_opts.filter = filter;
	}
	if (r->status == TDAT_OK)
		r->status = tdat_export_new(&e, tdat_exporter_find(name), &request, &r->err);
	if (r->status == TDAT_OK) {
		r->status = tdat_iter_new(&iter, &in, 1, &iter_opts, &r->err);
		if (r->status == TDAT_OK) {
			add(r, tdat_export_head(e).ptr, tdat_export_head(e).len);
			pump(iter, e, job->a, r);
			tdat_iter_free(iter);
		}
		tdat_export_free(e);
	}
	tdat_filter_free(filter);
	tdat_file_close(in.file);
}

/* a: threads, b: 1 raw fields, 2 latency format; text: a filter */
static void run_dump(const char *path, const struct job *job, struct result *r)
{
	static const struct tdat_keyed_option options[] = {{NULL, NULL}, {"R", ""}, {"l", ""}};
	const struct tdat_filter_expr expr = {job->text, false};
	struct tdat_filter_opts wanted = TDAT_FILTER_OPTS_INIT;

	wanted.exprs = &expr;
	wanted.expr_count = 1;
	run_exporter(path, job, "text", &options[job->b], job->b ? 1 : 0,
		     job->text ? &wanted : NULL, r);
}

/* a: threads */
static void run_json(const char *path, const struct job *job, struct result *r)
{
	static const struct tdat_keyed_option text = {"text", ""};

	run_exporter(path, job, "json", &text, 1, NULL, r);
}

/* a: threads; text: the event */
static void run_csv(const char *path, const struct job *job, struct result *r)
{
	const struct tdat_keyed_option event = {"event", job->text};
	struct tdat_filter_opts wanted = TDAT_FILTER_OPTS_INIT;

	wanted.events = &job->text;
	wanted.event_count = 1;
	run_exporter(path, job, "event_csv", &event, 1, &wanted, r);
}

static enum tdat_status on_finding(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	(void)err;
	add(ctx, f->sentence, strlen(f->sentence));
	return TDAT_OK;
}

static void run_check(const char *path, const struct job *job, struct result *r)
{
	struct tdat_check_result told = {0};
	struct tdat_file *file;

	(void)job;
	if (!open_file(path, true, &file, r))
		return;
	r->status = tdat_check(file, on_finding, r, &told, &r->err);
	add(r, &told.events, sizeof(told.events));
	tdat_file_close(file);
}

/* What CPU 0 recorded with what CPU 1 did. */
static void run_diff(const char *path, const struct job *job, struct result *r)
{
	struct tdat_iter_input input = {.file = NULL};
	struct tdat_trace *trace = NULL;
	struct tdat_diff *d = NULL;

	(void)job;
	if (!open_file(path, true, &input.file, r))
		return;
	r->status = tdat_trace_new(&trace, &input, 1, NULL, &r->err);
	if (r->status == TDAT_OK)
		r->status = tdat_diff_new(&d, NULL, &r->err);
	for (uint32_t cpu = 0; cpu < 2 && r->status == TDAT_OK; cpu++) {
		struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;

		opts.threads = 1;
		opts.cpus = &cpu;
		opts.cpu_count = 1;
		r->status = tdat_diff_add(d, (enum tdat_diff_side)cpu, trace, &opts, NULL, NULL,
					  &r->err);
	}
	if (r->status == TDAT_OK)
		r->status = tdat_diff_run(d, &r->err);
	if (r->status == TDAT_OK)
		r->status = tdat_diff_json(d, -1, add_text, r, &r->err);
	tdat_diff_free(d);
	tdat_trace_free(trace);
	tdat_file_close(input.file);
}

/* ---- writing ---- */

static struct tdat_writer *new_writer(const struct job *job, struct result *r)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_writer *w = NULL;

	opts.version = (uint32_t)job->a;
	opts.compression = job->text;
	opts.threads = 1;
	r->status = tdat_writer_new(&w, out_path, &opts, &r->err);
	return w;
}

static enum tdat_status on_warn(void *ctx, const char *input, uint64_t off, const char *sentence,
				struct tdat_error *err)
{
	(void)input, (void)off, (void)err;
	add(ctx, sentence, strlen(sentence));
	return TDAT_OK;
}

static void finish(struct tdat_writer *w, struct result *r)
{
	if (r->status == TDAT_OK)
		r->status = tdat_writer_finish(w, &r->err);
	tdat_writer_free(w);
}

/* a: version, b: 1 in the other byte order, 2 repair; text: compression */
static void run_copy(const char *path, const struct job *job, struct result *r)
{
	struct tdat_repair_result told = {0};
	struct tdat_writer *w;
	struct tdat_file *file;

	if (!open_file(path, job->b == 2, &file, r))
		return;
	w = new_writer(job, r);
	if (w) {
		tdat_writer_on_warn(w, on_warn, r);
		if (job->b == 2)
			r->status = tdat_repair(w, file, NULL, on_finding, r, &told, &r->err);
		else
			r->status = tdat_writer_copy_endian(
				w, file, tdat_file_info(file)->big_endian != job->b, &r->err);
		if (job->b == 2 && r->status == TDAT_OK)
			add(r, &told, sizeof(told));
		finish(w, r);
	}
	tdat_file_close(file);
}

/* a: version, b: 1 shrunk, 2 five events; text: a filter */
static void run_split(const char *path, const struct job *job, struct result *r)
{
	const struct job to = {.a = job->a, .text = job->a < 7 ? "none" : "zstd"};
	const struct tdat_filter_expr expr = {job->text, false};
	struct tdat_filter_opts wanted = TDAT_FILTER_OPTS_INIT;
	struct tdat_split_opts opts = TDAT_SPLIT_OPTS_INIT;
	struct tdat_split *split = NULL;
	struct tdat_filter *filter = NULL;
	struct tdat_writer *w = NULL;
	struct tdat_file *file;
	bool more;

	if (!open_file(path, true, &file, r))
		return;
	wanted.exprs = &expr;
	wanted.expr_count = job->text != NULL;
	opts.shrink = job->b == 1;
	opts.unit = job->b == 2 ? TDAT_SPLIT_EVENTS : TDAT_SPLIT_ALL;
	opts.count = 5;
	r->status = tdat_filter_new(&filter, &wanted, &r->err);
	opts.filter = filter;
	if (r->status == TDAT_OK)
		r->status = tdat_split_new(&split, file, &opts, &r->err);
	if (r->status == TDAT_OK)
		w = new_writer(&to, r);
	if (w) {
		r->status = tdat_split_next(split, w, &more, &r->err);
		finish(w, r);
	}
	tdat_split_free(split);
	tdat_filter_free(filter);
	tdat_file_close(file);
}

/* a: version, b: enum tdat_merge_as; the file with itself */
static void run_merge(const char *path, const struct job *job, struct result *r)
{
	struct tdat_iter_input in[2] = {{NULL, 0, 0}, {NULL, 1000, 0}};
	struct tdat_merge_opts opts = TDAT_MERGE_OPTS_INIT;
	struct tdat_merge_result told = {0};
	struct tdat_writer *w;

	opts.as = (enum tdat_merge_as)job->b;
	if (open_file(path, true, &in[0].file, r) && open_file(path, true, &in[1].file, r)) {
		w = new_writer(job, r);
		if (w) {
			tdat_writer_on_warn(w, on_warn, r);
			r->status = tdat_writer_merge(w, in, 2, &opts, &told, &r->err);
			if (r->status == TDAT_OK)
				add(r, &told, sizeof(told));
			finish(w, r);
		}
	}
	tdat_file_close(in[0].file);
	tdat_file_close(in[1].file);
}

struct inputs {
	struct tdat_import_input v[INPUTS_MOST];
	size_t count, skip; /* bytes of a path before the name within the capture */
};

static struct inputs inputs;

static void add_input(const char *name, const char *path)
{
	struct tdat_source *src;
	char *own;

	if (inputs.count == INPUTS_MOST ||
	    tdat_source_open_path(&src, path, TDAT_ACCESS_READ, NULL) != TDAT_OK)
		return;
	own = strdup(name);
	inputs.v[inputs.count++] = (struct tdat_import_input){own, own, src};
}

static void close_inputs(void)
{
	while (inputs.count) {
		struct tdat_import_input *in = &inputs.v[--inputs.count];

		tdat_source_close((struct tdat_source *)in->source);
		free((char *)in->name);
	}
}

static int on_file(const char *path, const struct stat *sb, int type, struct FTW *at)
{
	(void)sb, (void)at;
	if (type == FTW_F && !strstr(path, "expected"))
		add_input(path + inputs.skip, path);
	return 0;
}

/* A folder, or "NAME=PATH,NAME=PATH". */
static void open_inputs(const char *what)
{
	char *list = strdup(what), *item, *rest = list, *path;

	close_inputs();
	inputs.skip = strlen(what) + (what[strlen(what) - 1] != '/');
	if (!strchr(what, '='))
		nftw(what, on_file, 16, FTW_PHYS);
	while (strchr(what, '=') && (item = strsep(&rest, ",")) && (path = strchr(item, '='))) {
		*path++ = '\0';
		add_input(item, path);
	}
	free(list);
}

/* Inputs are opened before anything fails. a: version; text: compression */
static void run_import(const char *path, const struct job *job, struct result *r)
{
	static const char *opened;
	struct tdat_import_request request = {sizeof(request), .inputs = inputs.v};
	const struct tdat_importer *importer = NULL;
	struct tdat_writer *w;

	if (opened != path)
		open_inputs(path);
	opened = path;
	request.input_count = inputs.count;
	r->status = tdat_importer_probe(inputs.v, inputs.count, &importer, &r->err);
	w = r->status == TDAT_OK ? new_writer(job, r) : NULL;
	if (!w)
		return;
	tdat_writer_on_warn(w, on_warn, r);
	r->status = tdat_importer_run(importer, &request, tdat_writer_emit(w), &r->err);
	finish(w, r);
}

/* ---- failing ---- */

static char now[512]; /* what is being done, for a crash */

static void on_crash(int sig)
{
	ssize_t n = write(STDERR_FILENO, now, strlen(now));

	(void)n;
	signal(sig, SIG_DFL);
	raise(sig);
}

/* The file that was written, if there is one. */
static void add_file(struct result *r)
{
	FILE *f = fopen(out_path, "rb");
	char buf[4096];
	size_t n;

	if (!f)
		return;
	while ((n = fread(buf, 1, sizeof(buf), f)))
		add(r, buf, n);
	fclose(f);
	unlink(out_path);
	add(r, "written", 7);
}

/* Returns how many allocations there were. */
static long run_once(const struct job *job, const char *path, long n, bool all, struct result *r)
{
	long seen;

	*r = (struct result){.hash = 0xcbf29ce484222325u, .err = TDAT_ERROR_INIT};
	alloc_fail_arm(n, all);
	job->run(path, job, r);
	seen = alloc_fail_disarm();
	if (r->status == TDAT_OK || !n)
		add_file(r);
	return seen;
}

static bool is_no_memory(const struct result *r)
{
	return r->err.message[0] && r->err.status == r->status &&
	       (r->status == TDAT_E_NOMEM ||
		(r->status == TDAT_E_SYSTEM &&
		 (r->err.sys_errno == ENOMEM || r->err.sys_errno == EAGAIN)));
}

/* NULL, or what is wrong. */
static const char *judge(const struct result *whole, const struct result *r)
{
	if (!access(out_path, F_OK))
		return "failed, but left a file";
	if (is_no_memory(r))
		return NULL;
	if (r->status != whole->status)
		return "failed, but not for want of memory";
	if (r->status == TDAT_OK && (r->hash != whole->hash || r->len != whole->len))
		return "went well, but gave something else";
	return NULL;
}

static unsigned int try_path(const struct job *job, const char *path)
{
	struct result whole, r;
	unsigned int bad = 0;
	long n, most, live;
	int all;

	run_once(job, path, 0, false, &whole); /* what is made once and kept */
	most = run_once(job, path, 0, false, &whole);
	for (all = 0; all < 2; all++)
		for (n = 1; n <= most && bad < 10; n++) {
			const char *what;

			snprintf(now, sizeof(now), "%s %s: crash at allocation %ld%s of %ld\n",
				 job->name, path, n, all ? " and later" : "", most);
			live = alloc_fail_live();
			run_once(job, path, n, all, &r);
			what = judge(&whole, &r);
			if (!what && alloc_fail_live() > live)
				what = "leaks";
			if (!what)
				continue;
			if (getenv("ALLOC_TRACE"))
				alloc_fail_where();
			bad++;
			printf("%s %s: allocation %ld%s of %ld: %s (%d %s, %llu of %llu bytes)\n",
			       job->name, path, n, all ? " and later" : "", most, what, r.status,
			       r.err.message, (unsigned long long)r.len,
			       (unsigned long long)whole.len);
			unlink(out_path);
		}
	if (!bad)
		printf("%s %s: %ld allocations, status %d, %llu bytes\n", job->name, path, most,
		       whole.status, (unsigned long long)whole.len);
	return bad;
}

static const struct job jobs[] = {
	{"open", run_open, false, 0, NULL},
	{"open-tolerant", run_open, true, 0, NULL},
	{"dump", run_dump, 1, 0, NULL},
	{"dump-threads", run_dump, 2, 0, NULL},
	{"dump-fields", run_dump, 1, 1, NULL},
	{"dump-latency", run_dump, 1, 2, NULL},
	{"dump-filter", run_dump, 1, 0, ".*:common_pid > 0 || COMM =~ \"s\""},
	{"export-json", run_json, 1, 0, NULL},
	{"export-csv", run_csv, 1, 0, "sched_switch"},
	{"export-csv-function", run_csv, 1, 0, "function"},
	{"check", run_check, 0, 0, NULL},
	{"diff", run_diff, 0, 0, NULL},
	{"convert-6", run_copy, 6, 0, "none"},
	{"convert-7", run_copy, 7, 0, "none"},
	{"convert-7-zlib", run_copy, 7, 0, "zlib"},
	{"convert-7-zstd", run_copy, 7, 0, "zstd"},
	{"convert-endian", run_copy, 7, 1, "none"},
	{"repair", run_copy, 7, 2, "none"},
	{"repair-6", run_copy, 6, 2, "none"},
	{"split", run_split, 7, 0, NULL},
	{"split-6", run_split, 6, 2, NULL},
	{"split-filter", run_split, 7, 0, ".*:common_pid > 0 || COMM =~ \"s\""},
	{"split-shrink", run_split, 7, 1, NULL},
	{"merge", run_merge, 7, TDAT_MERGE_CPUS, "zstd"},
	{"merge-6", run_merge, 6, TDAT_MERGE_CPUS, "none"},
	{"merge-instances", run_merge, 7, TDAT_MERGE_INSTANCES, "none"},
	{"import", run_import, 7, 0, "zstd"},
	{"import-6", run_import, 6, 0, "none"},
};

int main(int argc, char **argv)
{
	unsigned int bad = 0, ran = 0;
	char dir[] = "/tmp/tdat-alloc-XXXXXX";
	size_t i;
	int k;

	setvbuf(stdout, NULL, _IOLBF, 1 << 16);
	if (argc < 3 || !mkdtemp(dir)) {
		fputs("usage: alloc JOB PATH...\n", stderr);
		return 2;
	}
	signal(SIGSEGV, on_crash);
	signal(SIGABRT, on_crash);
	snprintf(out_path, sizeof(out_path), "%s/out.dat", dir);
	for (i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		for (k = 2; k < argc && !strncmp(jobs[i].name, argv[1], strlen(argv[1]));
		     k++, ran++)
			bad += try_path(&jobs[i], argv[k]);
	close_inputs();
	rmdir(dir);
	return bad || !ran;
}
