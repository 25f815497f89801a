/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small trace.dat of a real one: a few of its events in small pages, and of the
 * formats, symbols and names what they need.
 * usage: make_seeds IN OUT VERSION COMPRESSION EVENTS [PREFIX]
 * PREFIX: a number, written as a byte before the file, for targets that take one.
 */
#include <string.h>

#include <tdat/tdat.h>

#include "fuzz.h"

enum { IDS = 65536, PAGE = 512, NAMES_MOST = 400, PRINTK_MOST = 4000 };

static void die(const struct tdat_error *err)
{
	fprintf(stderr, "%s\n", err->message);
	exit(1);
}

struct shrink {
	struct tdat_file *file;
	const struct tdat_emit *emit;
	struct tdat_error err;
	uint64_t most;
	bool wanted[IDS];
	uint32_t numbers[64]; /* of buffers */
};

#define TRY(call)                                                                                  \
	do {                                                                                       \
		if ((call) != TDAT_OK)                                                             \
			die(&s->err);                                                              \
	} while (0)

/* An even share of each event type: the first few are shown or counted. */
static bool takes(unsigned int *seen, const struct tdat_event *ev)
{
	return ev->id < IDS && seen[ev->id]++ < 3;
}

static void put_comm(struct shrink *s, const struct tdat_event *ev)
{
	char comm[64];

	snprintf(comm, sizeof(comm), "%.*s", (int)ev->comm.len, (const char *)ev->comm.ptr);
	TRY(tdat_emit_comm(s->emit, ev->pid, comm, &s->err));
}

static void walk(struct shrink *s, bool emit)
{
	struct tdat_iter_input in = {.file = s->file};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	unsigned int *seen = calloc(IDS, sizeof(*seen));
	const struct tdat_event *ev;
	struct tdat_iter *iter;
	uint64_t n = 0;

	opts.raw_ts = opts.no_date = true;
	if (!seen)
		exit(1);
	TRY(tdat_iter_new(&iter, &in, 1, &opts, &s->err));
	while (n < s->most && tdat_iter_next(iter, &ev, &s->err) == TDAT_OK && ev) {
		struct tdat_emit_event e = {s->numbers[ev->buffer], ev->cpu, ev->ts,
					    ev->lost_before, ev->record};

		if (!takes(seen, ev))
			continue;
		n++;
		s->wanted[ev->id] = true;
		if (emit)
			TRY(tdat_emit_event(s->emit, &e, &s->err));
		if (emit && ev->comm.len)
			put_comm(s, ev);
	}
	tdat_iter_free(iter);
	free(seen);
}

static void put_head(struct shrink *s)
{
	const struct tdat_file_info *info = tdat_file_info(s->file);
	struct tdat_emit_info head = TDAT_EMIT_INFO_INIT;
	const struct tdat_buffer *b;
	size_t i, count;

	b = tdat_file_buffers(s->file, &count);
	head.big_endian = info->big_endian;
	head.long_size = info->kernel_long_size;
	head.page_size = PAGE;
	head.cpu_count = info->cpu_count;
	head.clock = count && *b[0].clock ? b[0].clock : NULL;
	TRY(tdat_emit_info(s->emit, &head, &s->err));
	for (i = 0; i < count && i < 64; i++)
		if (*b[i].name)
			TRY(tdat_emit_buffer(s->emit, b[i].name, *b[i].clock ? b[i].clock : NULL,
					     &s->numbers[i], &s->err));
}

static void put_formats(struct shrink *s)
{
	size_t i;

	for (i = 0; i < tdat_file_format_count(s->file); i++) {
		const struct tdat_event_format *f;
		const char *system;
		struct tdat_span text = tdat_file_format_text(s->file, i, &system);
		uint16_t id;

		if (tdat_file_format(s->file, i, &f, NULL) == TDAT_OK &&
		    tdat_event_format_id(f) < IDS && s->wanted[tdat_event_format_id(f)])
			TRY(tdat_emit_format(s->emit, system, (const char *)text.ptr, text.len, &id,
					     &s->err));
	}
}

/* Whole lines from the start. */
static size_t some(struct tdat_span text, size_t most)
{
	const uint8_t *end;

	if (text.len <= most)
		return text.len;
	end = memrchr(text.ptr, '\n', most);
	return end ? (size_t)(end + 1 - text.ptr) : 0;
}

static void put_rest(struct shrink *s)
{
	struct tdat_span kallsyms = tdat_file_part(s->file, TDAT_PART_KALLSYMS);
	struct tdat_span printk = tdat_file_part(s->file, TDAT_PART_PRINTK);
	const struct tdat_file_option *o;
	size_t i, count;

	TRY(tdat_emit_kallsyms(s->emit, (const char *)kallsyms.ptr, some(kallsyms, NAMES_MOST),
			       &s->err));
	TRY(tdat_emit_printk(s->emit, (const char *)printk.ptr, some(printk, PRINTK_MOST),
			     &s->err));
	o = tdat_file_options(s->file, &count);
	for (i = 0; i < count; i++)
		if ((o[i].id == TDAT_OPTION_DATE || o[i].id == TDAT_OPTION_OFFSET ||
		     o[i].id == TDAT_OPTION_TRACEID || o[i].id == TDAT_OPTION_TSC2NSEC ||
		     o[i].id == TDAT_OPTION_HOOK || o[i].id == TDAT_OPTION_CPUSTAT) &&
		    o[i].data.len <= NAMES_MOST)
			TRY(tdat_emit_option(s->emit, o[i].id, o[i].data.ptr, o[i].data.len,
					     &s->err));
}

static void shrink(struct shrink *s, char **argv)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_writer *w;

	opts.version = (uint32_t)atoi(argv[3]);
	opts.compression = argv[4];
	opts.force = true;
	s->most = strtoull(argv[5], NULL, 10);
	TRY(tdat_file_open(&s->file, argv[1], NULL, &s->err));
	TRY(tdat_writer_new(&w, argv[2], &opts, &s->err));
	s->emit = tdat_writer_emit(w);
	walk(s, false);
	put_head(s);
	put_formats(s);
	put_rest(s);
	walk(s, true);
	TRY(tdat_writer_finish(w, &s->err));
	tdat_writer_free(w);
	tdat_file_close(s->file);
}

/* The file once more, behind the byte. */
static void add_prefix(const char *path, int byte)
{
	static char rest[1 << 20];
	FILE *f = fopen(path, "r+b");
	size_t n = f ? fread(rest, 1, sizeof(rest), f) : 0;

	if (!n || fseek(f, 0, SEEK_SET) || fputc(byte, f) == EOF || fwrite(rest, 1, n, f) != n ||
	    fclose(f)) {
		perror(path);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct shrink *s = calloc(1, sizeof(*s));

	if (!s || argc < 6 || argc > 7) {
		fputs("usage: make_seeds IN OUT VERSION COMPRESSION EVENTS [PREFIX]\n", stderr);
		return 2;
	}
	shrink(s, argv);
	if (argc == 7)
		add_prefix(argv[2], atoi(argv[6]));
	free(s);
	return 0;
}
