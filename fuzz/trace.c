/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens files with small limits and sums up their events, for targets that take a trace.dat. */
#include "trace.h"

#include <string.h>
#include <unistd.h>

struct tdat_open_opts fuzz_open_opts(bool tolerate)
{
	static const struct tdat_limits limits = {.size = sizeof(limits),
						  .section_len = 1u << 22,
						  .chunk_len = 1u << 20,
						  .page_len = 1u << 20,
						  .cpus = 1u << 10,
						  .print_steps = 1u << 14,
						  .print_len = 1u << 12};
	struct tdat_open_opts o = TDAT_OPEN_OPTS_INIT;

	o.limits = &limits;
	o.tolerate_damage = tolerate;
	return o;
}

static volatile uint8_t touched;

void fuzz_touch(struct tdat_span s)
{
	uint8_t sum = 0;
	size_t i;

	FUZZ_ASSERT(s.ptr || !s.len);
	for (i = 0; i < s.len; i++)
		sum ^= s.ptr[i];
	touched = sum;
}

uint64_t fuzz_hash(uint64_t hash, const void *data, size_t len)
{
	const uint8_t *p = data;

	while (len--)
		hash = (hash ^ *p++) * 0x100000001b3u;
	return hash;
}

static void add(uint64_t *hash, const void *data, size_t len)
{
	*hash = fuzz_hash(*hash, data, len);
}

static void add_event(struct fuzz_events *e, const struct tdat_event *ev, const char *buffer,
		      bool records)
{
	add(&e->hash, buffer, strlen(buffer) + 1);
	add(&e->hash, &ev->cpu, sizeof(ev->cpu));
	add(&e->hash, &ev->ts, sizeof(ev->ts));
	add(&e->hash, &ev->lost_before, sizeof(ev->lost_before));
	e->count++;
	if (!records)
		return;
	add(&e->hash, &ev->id, sizeof(ev->id));
	add(&e->hash, &ev->pid, sizeof(ev->pid));
	add(&e->hash, ev->record.ptr, ev->record.len);
}

static struct fuzz_events read_events(struct tdat_file *file, bool records,
				      const struct tdat_iter_opts *opts)
{
	struct fuzz_events e = {.hash = FUZZ_HASH_INIT};
	struct tdat_iter_input in = {.file = file};
	const struct tdat_event *ev = NULL;
	const struct tdat_buffer *buffers;
	struct tdat_iter *iter;
	size_t count;

	buffers = tdat_file_buffers(file, &count);
	e.status = tdat_iter_new(&iter, &in, 1, opts, NULL);
	if (e.status != TDAT_OK)
		return e;
	while ((e.status = tdat_iter_next(iter, &ev, NULL)) == TDAT_OK && ev) {
		FUZZ_ASSERT(ev->input == 0 && ev->buffer < count);
		fuzz_touch(ev->record);
		fuzz_touch(ev->comm);
		add_event(&e, ev, buffers[ev->buffer].name, records);
	}
	tdat_iter_damage(iter, &count);
	e.bad = count;
	tdat_iter_free(iter);
	return e;
}

struct fuzz_events fuzz_read_events(struct tdat_file *file, bool records)
{
	return read_events(file, records, NULL);
}

struct fuzz_events fuzz_filter_events(struct tdat_file *file, const struct tdat_filter *filter)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;

	opts.filter = filter;
	return read_events(file, true, &opts);
}

struct fuzz_events fuzz_read_backwards(struct tdat_file *file)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;

	opts.reverse = true;
	return read_events(file, true, &opts);
}

static enum tdat_status on_finding(void *ctx, const struct tdat_finding *finding,
				   struct tdat_error *err)
{
	(void)ctx, (void)err;
	FUZZ_ASSERT(finding->sentence && *finding->sentence && finding->cost);
	if (getenv("FUZZ_TELL"))
		fprintf(stderr, "%s at %llu: %s\n", tdat_severity_name(finding->severity),
			(unsigned long long)finding->off, finding->sentence);
	return TDAT_OK;
}

bool fuzz_check(const struct tdat_file *file, struct tdat_check_result *result)
{
	return tdat_check(file, on_finding, NULL, result, NULL) == TDAT_OK;
}

/* ---- writing ---- */

static char dir[64], path[80];

static void remove_dir(void)
{
	unlink(path);
	rmdir(dir);
}

static const char *place(void)
{
	if (*dir)
		return path;
	snprintf(dir, sizeof(dir), "%s/tdat-fuzz-XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	FUZZ_ASSERT(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/out.dat", dir);
	atexit(remove_dir);
	return path;
}

struct tdat_writer *fuzz_writer_threads(uint32_t version, const char *compression, uint32_t threads)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_writer *w = NULL;
	struct tdat_error err = TDAT_ERROR_INIT;

	opts.version = version;
	opts.compression = version < 7 ? "none" : compression;
	opts.level = 1;
	opts.force = true;
	opts.threads = threads;
	FUZZ_ASSERT(tdat_writer_new(&w, place(), &opts, &err) == TDAT_OK);
	return w;
}

struct tdat_writer *fuzz_writer(uint32_t version, const char *compression)
{
	return fuzz_writer_threads(version, compression, 1);
}

struct tdat_writer *fuzz_writer_as(uint8_t flags)
{
	const char *compression = flags & FUZZ_ZSTD ? "zstd" : flags & FUZZ_ZLIB ? "zlib" : "none";

	return fuzz_writer(flags & FUZZ_V6 ? 6 : 7, compression);
}

enum tdat_status fuzz_finish(struct tdat_writer *w, enum tdat_status st, struct tdat_error *err)
{
	if (st == TDAT_OK)
		st = tdat_writer_finish(w, err);
	FUZZ_ASSERT(st == TDAT_OK || (err->status == st && *err->message));
	if (getenv("FUZZ_TELL") && st != TDAT_OK)
		fprintf(stderr, "%s\n", err->message);
	tdat_writer_free(w);
	return st;
}

struct tdat_file *fuzz_reopen(void)
{
	return fuzz_reopen_as(false);
}

struct tdat_file *fuzz_reopen_as(bool tolerate)
{
	struct tdat_open_opts opts = fuzz_open_opts(tolerate);
	struct tdat_limits limits = *opts.limits;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file = NULL;

	opts.access = TDAT_ACCESS_READ;
	limits.cpus = 1u << 16; /* what a writer takes */
	opts.limits = &limits;
	if (tdat_file_open(&file, place(), &opts, &err) != TDAT_OK && !tolerate) {
		fprintf(stderr, "written, but: %s\n", err.message);
		abort();
	}
	return file;
}
