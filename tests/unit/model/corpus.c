/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the metadata of trace.dat files by a small reader of its own. */
#include "corpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "../common/part.h"
#include "core/cursor.h"

static bool slurp(const char *path, uint8_t **out, size_t *len)
{
	FILE *f = fopen(path, "rb");
	long n;

	if (!f)
		return false;
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	*out = malloc((size_t)n + 1);
	*len = fread(*out, 1, (size_t)n, f);
	fclose(f);
	return *len == (size_t)n;
}

static void add_format(struct corpus_file *f, const char *system, struct tdat_span text)
{
	f->formats = realloc(f->formats, (f->format_count + 1) * sizeof(*f->formats));
	f->formats[f->format_count].system = strdup(system);
	f->formats[f->format_count].text = text;
	f->format_count++;
}

static void read_ftrace(struct corpus_file *f, struct tdat_cursor *c)
{
	uint32_t n = tdat_cursor_u32(c);

	while (n-- && tdat_cursor_ok(c)) {
		uint64_t len = tdat_cursor_u64(c);
		struct tdat_span text = tdat_cursor_bytes(c, (size_t)len);

		if (text.ptr)
			add_format(f, "ftrace", text);
	}
}

static void read_events(struct corpus_file *f, struct tdat_cursor *c)
{
	uint32_t systems = tdat_cursor_u32(c), n;

	while (systems-- && tdat_cursor_ok(c)) {
		struct tdat_span name = tdat_cursor_cstr(c);

		n = tdat_cursor_u32(c);
		while (n-- && tdat_cursor_ok(c)) {
			uint64_t len = tdat_cursor_u64(c);
			struct tdat_span text = tdat_cursor_bytes(c, (size_t)len);

			if (text.ptr)
				add_format(f, (const char *)name.ptr, text);
		}
	}
}

static struct tdat_span sized(struct tdat_cursor *c, bool wide)
{
	uint64_t n = wide ? tdat_cursor_u64(c) : tdat_cursor_u32(c);

	return tdat_cursor_bytes(c, (size_t)n);
}

static void read_v6(struct corpus_file *f, struct tdat_cursor *c)
{
	tdat_cursor_cstr(c); /* header_page */
	sized(c, true);
	tdat_cursor_cstr(c); /* header_event */
	sized(c, true);
	read_ftrace(f, c);
	read_events(f, c);
	f->kallsyms = sized(c, false);
	f->printk = sized(c, false);
	f->cmdlines = sized(c, true);
}

static struct tdat_cursor section_body(struct corpus_file *f, struct tdat_cursor c,
				       const char *codec)
{
	uint16_t flags;
	uint64_t size;

	tdat_cursor_u16(&c);
	flags = tdat_cursor_u16(&c);
	tdat_cursor_u32(&c);
	size = tdat_cursor_u64(&c);
	if (flags & 1) {
		uint32_t in = tdat_cursor_u32(&c), out = tdat_cursor_u32(&c);
		struct tdat_span body = tdat_cursor_bytes(&c, in);
		uint8_t *p = malloc((size_t)out + 1);
		uLongf n = out;
		bool ok = strcmp(codec, "zlib") == 0
				  ? uncompress(p, &n, body.ptr, body.len) == Z_OK
				  : ZSTD_decompress(p, out, body.ptr, body.len) == out;

		f->blocks = realloc(f->blocks, (f->block_count + 1) * sizeof(*f->blocks));
		f->blocks[f->block_count++] = p;
		return tdat_cursor_init(p, ok ? out : 0, 0, f->big);
	}
	return tdat_cursor_sub(&c, (size_t)size);
}

static void read_section(struct corpus_file *f, uint16_t id, struct tdat_cursor c)
{
	switch (id) {
	case 17:
		read_ftrace(f, &c);
		break;
	case 18:
		read_events(f, &c);
		break;
	case 19:
		f->kallsyms = sized(&c, false);
		break;
	case 20:
		f->printk = sized(&c, false);
		break;
	case 21:
		f->cmdlines = sized(&c, true);
		break;
	default:
		break;
	}
}

static struct tdat_cursor at(const struct tdat_cursor *file, uint64_t off)
{
	struct tdat_cursor c = *file;

	c.pos = 0;
	tdat_cursor_take(&c, (size_t)off);
	return c;
}

static void read_v7(struct corpus_file *f, struct tdat_cursor *c)
{
	const char *codec = (const char *)tdat_cursor_cstr(c).ptr;
	struct tdat_cursor opts;
	uint64_t off;
	unsigned rounds = 100;

	tdat_cursor_cstr(c);
	off = tdat_cursor_u64(c);
	while (codec && off && rounds--) {
		opts = section_body(f, at(c, off), codec);
		off = 0;
		while (tdat_cursor_ok(&opts) && tdat_cursor_left(&opts)) {
			uint16_t id = tdat_cursor_u16(&opts);
			uint32_t len = tdat_cursor_u32(&opts);
			struct tdat_cursor o = tdat_cursor_sub(&opts, len);

			if (id == 0) {
				off = tdat_cursor_u64(&o);
				break;
			}
			if (id >= 17 && id <= 21)
				read_section(f, id,
					     section_body(f, at(c, tdat_cursor_u64(&o)), codec));
		}
	}
}

struct corpus_file *corpus_open(const char *path)
{
	struct corpus_file *f = calloc(1, sizeof(*f));
	struct tdat_cursor c;
	struct tdat_span version;
	size_t len = 0;

	f->path = strdup(path);
	if (!slurp(path, &f->bytes, &len) || len < 20 ||
	    memcmp(f->bytes, "\x17\x08\x44tracing", 10) != 0) {
		corpus_close(f);
		return NULL;
	}
	c = tdat_cursor_init(f->bytes, len, 0, false);
	tdat_cursor_take(&c, 10);
	version = tdat_cursor_cstr(&c);
	f->big = c.big = tdat_cursor_u8(&c) != 0;
	f->long_size = tdat_cursor_u8(&c);
	tdat_cursor_u32(&c);
	if (version.ptr && version.ptr[0] == '6')
		read_v6(f, &c);
	else
		read_v7(f, &c);
	return f;
}

struct corpus_file *corpus_open_text(const char *path, const char *system)
{
	struct corpus_file *f = calloc(1, sizeof(*f));
	const char *p, *end;
	size_t len = 0;

	f->path = strdup(path);
	f->long_size = 8;
	if (!slurp(path, &f->bytes, &len)) {
		corpus_close(f);
		return NULL;
	}
	f->bytes[len] = '\0';
	for (p = (const char *)f->bytes; (p = strstr(p, "\nname: ")) != NULL; p = end) {
		p++;
		end = strstr(p, "\n--- ");
		end = end ? end + 1 : (const char *)f->bytes + len;
		add_format(f, system, (struct tdat_span){(const uint8_t *)p, (size_t)(end - p)});
	}
	return f;
}

void corpus_close(struct corpus_file *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->format_count; i++)
		free(f->formats[i].system);
	for (i = 0; i < f->block_count; i++)
		free(f->blocks[i]);
	free(f->formats);
	free(f->blocks);
	free(f->bytes);
	free(f->path);
	free(f);
}

static size_t each_in(const char *dir, void (*fn)(struct corpus_file *f, void *ctx), void *ctx)
{
	struct dirent **names;
	char path[4096];
	size_t count = 0;
	int n = scandir(dir, &names, NULL, alphasort), i;

	for (i = 0; i < n; i++) {
		size_t len = strlen(names[i]->d_name);

		snprintf(path, sizeof(path), "%s/%s", dir, names[i]->d_name);
		if (len > 4 && !strcmp(names[i]->d_name + len - 4, ".dat")) {
			struct corpus_file *f = part_takes_file(path) ? corpus_open(path) : NULL;

			if (f) {
				fn(f, ctx);
				corpus_close(f);
				count++;
			}
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return count;
}

size_t corpus_each(void (*fn)(struct corpus_file *f, void *ctx), void *ctx)
{
	const char *fixtures = getenv("TDAT_FIXTURES"), *shared = getenv("TDAT_SHARED");
	char dir[4096];
	size_t own = 0, more;

	if (fixtures) {
		snprintf(dir, sizeof(dir), "%s/valid", fixtures);
		own = each_in(dir, fn, ctx);
	}
	if (shared)
		snprintf(dir, sizeof(dir), "%s/corpus/files", shared);
	else
		snprintf(dir, sizeof(dir), "%s/../../../shared/corpus/files",
			 fixtures ? fixtures : ".");
	more = each_in(dir, fn, ctx);
	fprintf(stderr, "files: %zu fixtures, %zu of the corpus\n", own, more);
	return own + more;
}
