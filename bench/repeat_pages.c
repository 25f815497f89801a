/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a large trace.dat of a small one: the same pages over and over, with
 * time stamps that go on. usage: repeat_pages IN.dat TIMES OUT.dat
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "core/endian.h"

struct job {
	struct tdat_file *in;
	struct tdat_source *bytes;
	struct tdat_writer *out;
	const struct tdat_emit *emit;
	struct tdat_error err;
	uint64_t span; /* time of one repetition */
};

static int die(struct job *j, const char *what)
{
	fprintf(stderr, "repeat_pages: %s: %s\n", what, j->err.message);
	return 1;
}

/* Longest time any CPU covers, and a little. */
static int measure(struct job *j, const struct tdat_buffer *b)
{
	uint64_t first = UINT64_MAX, last = 0;
	uint32_t i;

	for (i = 0; i < b->cpu_count; i++) {
		struct tdat_cpu_summary s;

		if (tdat_file_cpu_summary(j->in, 0, i, false, &s, &j->err))
			return die(j, "reading");
		if (!s.has_events)
			continue;
		first = s.first_ts < first ? s.first_ts : first;
		last = s.last_ts > last ? s.last_ts : last;
	}
	j->span = last - first + 1000000;
	return 0;
}

static int put_metadata(struct job *j)
{
	const struct tdat_file_info *info = tdat_file_info(j->in);
	struct tdat_emit_info e = TDAT_EMIT_INFO_INIT;
	struct tdat_span s;
	const char *line, *end;
	size_t i;

	e.big_endian = info->big_endian;
	e.long_size = info->long_size;
	e.page_size = info->page_size;
	e.cpu_count = info->cpu_count;
	e.clock = "local";
	e.version = "repeat_pages";
	if (tdat_emit_info(j->emit, &e, &j->err))
		return die(j, "header");
	for (i = 0; i < tdat_file_format_count(j->in); i++) {
		const char *system;
		uint16_t id;

		s = tdat_file_format_text(j->in, i, &system);
		if (tdat_emit_format(j->emit, system, (const char *)s.ptr, s.len, &id, &j->err))
			return die(j, "format");
	}
	s = tdat_file_part(j->in, TDAT_PART_KALLSYMS);
	if (tdat_emit_kallsyms(j->emit, (const char *)s.ptr, s.len, &j->err))
		return die(j, "kallsyms");
	s = tdat_file_part(j->in, TDAT_PART_PRINTK);
	if (tdat_emit_printk(j->emit, (const char *)s.ptr, s.len, &j->err))
		return die(j, "printk");
	s = tdat_file_part(j->in, TDAT_PART_CMDLINES);
	for (line = (const char *)s.ptr, end = line + s.len; line < end;) {
		const char *eol = memchr(line, '\n', (size_t)(end - line));
		char comm[64];
		int pid;

		if (eol && sscanf(line, "%d %63[^\n]", &pid, comm) == 2 &&
		    tdat_emit_comm(j->emit, pid, comm, &j->err))
			return die(j, "comm");
		line = eol ? eol + 1 : end;
	}
	return 0;
}

static int put_pages(struct job *j, const struct tdat_buffer *b, uint64_t shift)
{
	const bool big = tdat_file_info(j->in)->big_endian;
	uint8_t *page = malloc(b->page_size);
	uint32_t i;
	int rc = page ? 0 : 1;

	for (i = 0; i < b->cpu_count && !rc; i++) {
		uint64_t at;

		for (at = 0; at < b->cpus[i].len && !rc; at += b->page_size) {
			if (tdat_source_read(j->bytes, b->cpus[i].off + at, page, b->page_size,
					     &j->err))
				rc = die(j, "reading");
			tdat_store64(page, tdat_load64(page, big) + shift, big);
			if (!rc && tdat_emit_pages(j->emit, 0, b->cpus[i].cpu, page, b->page_size,
						   &j->err))
				rc = die(j, "writing");
		}
	}
	free(page);
	return rc;
}

static int run(struct job *j, unsigned long times)
{
	const struct tdat_buffer *b;
	unsigned long i;
	size_t count;

	b = tdat_file_buffers(j->in, &count);
	if (!count || b->compressed || b->latency) {
		fprintf(stderr, "repeat_pages: needs a file with plain CPU data\n");
		return 1;
	}
	if (measure(j, b) || put_metadata(j))
		return 1;
	for (i = 0; i < times; i++)
		if (put_pages(j, b, i * j->span))
			return 1;
	return tdat_writer_finish(j->out, &j->err) ? die(j, "finishing") : 0;
}

int main(int argc, char **argv)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct job j = {.err = TDAT_ERROR_INIT};
	int rc;

	if (argc != 4) {
		fprintf(stderr, "usage: repeat_pages IN.dat TIMES OUT.dat\n");
		return 2;
	}
	opts.compression = "none";
	opts.force = true;
	if (tdat_file_open(&j.in, argv[1], NULL, &j.err) ||
	    tdat_source_open_path(&j.bytes, argv[1], TDAT_ACCESS_READ, &j.err) ||
	    tdat_writer_new(&j.out, argv[3], &opts, &j.err))
		return die(&j, argv[1]);
	j.emit = tdat_writer_emit(j.out);
	rc = run(&j, strtoul(argv[2], NULL, 10));
	tdat_writer_free(j.out);
	tdat_source_close(j.bytes);
	tdat_file_close(j.in);
	return rc;
}
