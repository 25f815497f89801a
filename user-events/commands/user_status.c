/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the text of user_events_status, and the pages mapped from it. Files are copies of
 * user_events_status: its text, or the page of either generation, which is told by its bytes.
 * Names of the bits of a page come from the texts among the files.
 */
#include "user_status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/source.h>
#include <tdat/user_events.h>

#include "core/grow.h"
#include "core/search.h"
#include "core/text.h"
#include "input/trace_files.h"
#include "safety/own_input.h"
#include "terminal/message.h"
#include "terminal/safe_text.h"

const char *const cli_status_ways[] = {"auto", "byte", "bit", NULL};

/* The text of all events has less than FILE_MAX bytes. */
enum { FILE_MAX = 16 * 1024 * 1024 };

/* The bits of a byte in a page: EVENT_STATUS_* of Linux 5.18's uapi/linux/user_events.h. */
enum { BY_FTRACE = 1, BY_PERF = 2, BY_OTHER = 0x80, STATUS_BITS = BY_FTRACE | BY_PERF | BY_OTHER };

struct name {
	uint32_t index;
	size_t order; /* in which it was read */
	char *name;
};

/* The names that status texts gave to indexes. */
struct names {
	struct name *v;
	size_t count, room;
};

/* By index, then in the order of the files. */
static int compare_names(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return TDAT_ORDER(x->index, y->index, TDAT_ORDER(x->order, y->order, 0));
}

/* Sorts the names for name_of, which gives the first one of several names of an index. */
static void sort_names(struct names *n)
{
	if (n->count)
		qsort(n->v, n->count, sizeof(*n->v), compare_names);
}

/* The name that a text gave to an index; "-" without one. */
static const char *name_of(const struct names *n, uint32_t index)
{
	size_t i;

	TDAT_SEARCH(i, n->count, n->v[i].index < index);
	return i < n->count && n->v[i].index == index ? n->v[i].name : "-";
}

static bool add_name(struct names *n, uint32_t index, const char *s, size_t len)
{
	if (!TDAT_GROW(n->v, &n->room, n->count + 1))
		return false;
	n->v[n->count].index = index;
	n->v[n->count].order = n->count;
	n->v[n->count].name = strndup(s, len);
	return n->v[n->count].name && ++n->count;
}

/* Frees the names, which are copies. */
static void names_fini(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->v[i].name);
	free(n->v);
}

/* Reads a whole file into *out, NUL behind it. *out is the caller's, also after a failure. */
static int read_file(const struct cli_file *file, char **out, size_t *len)
{
	const uint64_t total = file->source ? tdat_source_len(file->source) : 0;
	struct tdat_error err = TDAT_ERROR_INIT;

	if (!file->source)
		return cli_fail(file->path, &file->err);
	if (total > FILE_MAX) {
		cli_error(file->path, "%" PRIu64 " bytes are too many for a status file", total);
		return CLI_FAILED;
	}
	*len = (size_t)total;
	*out = calloc(1, *len + 1);
	if (!*out)
		return cli_nomem();
	return tdat_source_read(file->source, 0, *out, *len, &err) ? cli_fail(file->path, &err)
								   : CLI_OK;
}

/* ---- text ---- */

/* Reads the index before a name, as in "3:test"; kernels up to 6.3 write it. */
static bool read_index(const char **s, const char *end, uint32_t *index)
{
	const char *p = *s;
	uint64_t v;

	if (!tdat_read_u64(&p, end, 10, &v) || p == end || *p != ':' || v > UINT32_MAX)
		return false;
	*index = (uint32_t)v;
	*s = p + 1;
	return true;
}

/* memmem() for a word, as lines do not end with a NUL. */
static const char *find(const char *s, const char *end, const char *word)
{
	return memmem(s, (size_t)(end - s), word, strlen(word));
}

/* Prints a line of the text, and keeps its name for the pages behind it. */
static int text_line(const char *s, const char *end, struct names *names)
{
	/* As the kernel's user_seq_show() writes it behind events in use. */
	static const char mark[] = " # Used by";
	const char *used = find(s, end, mark), *name_end = used ? used : end;
	uint32_t index = 0;
	bool indexed = read_index(&s, end, &index);

	if (indexed)
		printf("%6" PRIu32 " ", index);
	else
		printf("%6s ", "-");
	/* The index may end behind the mark in a line that no kernel wrote. */
	if (s > name_end)
		name_end = s;
	cli_put_text(stdout, s, (size_t)(name_end - s));
	if (used) {
		used += sizeof(mark) - 1;
		printf(": used by");
		cli_put_text(stdout, used, (size_t)(end - used));
	} else {
		printf(": not used");
	}
	putchar('\n');
	if (indexed && !add_name(names, index, s, (size_t)(name_end - s)))
		return cli_nomem();
	return CLI_OK;
}

/* True for the lines at the end, which count events. */
static bool is_total(const char *s, const char *end)
{
	return find(s, end, "Active: ") == s || find(s, end, "Busy: ") == s ||
	       find(s, end, "Max: ") == s;
}

/* Prints each line that is not empty. A line may lack its newline at the end of the file. */
static int print_text(const char *text, size_t len, struct names *names)
{
	struct tdat_span all = {(const uint8_t *)text, len}, line;
	int rc = CLI_OK;

	while (rc == CLI_OK && tdat_take_line(&all, &line)) {
		const char *s = (const char *)line.ptr, *end = s + line.len;

		if (is_total(s, end)) {
			cli_put_text(stdout, s, line.len);
			putchar('\n');
		} else if (line.len) {
			rc = text_line(s, end, names);
		}
	}
	return rc;
}

/* ---- pages ---- */

/* Linux 5.18 and 5.19: the byte of an index has a bit for each kind of user. */
static void print_bytes(const void *page, size_t len, const struct names *names)
{
	printf("as bytes (5.18, 5.19):\n");
	for (uint32_t i = 0; i < len; i++) {
		uint8_t v = tdat_user_status_byte(page, len, i);

		if (!v)
			continue;
		printf("%6" PRIu32 " ", i);
		cli_put_str(stdout, name_of(names, i));
		printf(": used by%s%s%s", v & BY_FTRACE ? " ftrace" : "",
		       v & BY_PERF ? " perf" : "", v & BY_OTHER ? " other" : "");
		if (v & ~STATUS_BITS)
			printf(" 0x%x", v & ~STATUS_BITS);
		putchar('\n');
	}
}

/* Linux 6.0 to 6.3: the bit of an index says whether anybody uses the event. */
static void print_bits(const void *page, size_t len, const struct names *names)
{
	printf("as bits (6.0 to 6.3):\n");
	for (uint32_t i = 0; i < len * 8; i++) {
		if (!tdat_user_status_bit(page, len, i))
			continue;
		printf("%6" PRIu32 " ", i);
		cli_put_str(stdout, name_of(names, i));
		printf(": enabled\n");
	}
}

/* A page does not say how it is indexed; only pages of bits have a byte with a bit beside
 * STATUS_BITS. */
static void print_page(const char *page, size_t len, enum cli_status_way way,
		       const struct names *names)
{
	bool bytes = way != CLI_STATUS_BIT, bits = way != CLI_STATUS_BYTE;

	for (size_t i = 0; i < len && way == CLI_STATUS_AUTO; i++)
		bytes = bytes && !((uint8_t)page[i] & ~STATUS_BITS);
	if (bytes)
		print_bytes(page, len, names);
	if (bits)
		print_bits(page, len, names);
}

/* A text has no NUL; a page ends with many, as few events fill it. */
static bool is_page(const char *text, size_t len)
{
	return memchr(text, 0, len) != NULL;
}

/* Files are printed in the given order, so texts name the events of pages behind them. */
int cli_status_files(char *const *paths, int count, enum cli_status_way way)
{
	struct cli_files files = {.count = 0};
	struct names names = {.count = 0};
	int rc;

	if (!count) {
		cli_error(NULL, "user-events status needs a file");
		return CLI_USAGE;
	}
	rc = cli_output_check_text("user-events status", paths, (size_t)count);
	if (rc == CLI_OK)
		rc = cli_files_open(&files, paths, count, true);
	for (size_t i = 0; i < files.count && rc == CLI_OK; i++) {
		char *text = NULL;
		size_t len = 0;

		rc = read_file(&files.v[i], &text, &len);
		if (rc == CLI_OK && is_page(text, len)) {
			sort_names(&names);
			print_page(text, len, way, &names);
		} else if (rc == CLI_OK) {
			rc = print_text(text, len, &names);
		}
		free(text);
	}
	names_fini(&names);
	cli_files_close(&files);
	return rc;
}
