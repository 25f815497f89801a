/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the lists that trace-cmd report prints in place of events, byte for byte: functions and
 * strings of trace_printk by address, names of events, and stored formats that an expression
 * matches. Of equal addresses the last line comes first, as libtraceevent keeps its lists in
 * reverse and sorts them stably.
 */
#include "commands/report_lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/list_events.h"
#include "core/grow.h"
#include "core/regex_bound.h"
#include "core/search.h"
#include "core/text.h"
#include "terminal/message.h"
#include "terminal/safe_text.h"

/* An address with the text behind it; place is its line. */
struct entry {
	uint64_t addr;
	struct tdat_span text;
	size_t place;
};

struct entries {
	struct entry *v;
	size_t count, cap;
};

static int by_address(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return TDAT_ORDER(x->addr, y->addr, TDAT_ORDER(y->place, x->place, 0));
}

/* "ffffffff81000000 T name\t[module]": the table ends at a line of another shape. */
static bool read_function(struct tdat_span line, struct entry *e, bool *listed)
{
	size_t at = tdat_take_digits(&line, 16, &e->addr);
	uint8_t type;

	if (!at || line.len < 4 || line.ptr[0] != ' ')
		return false;
	type = line.ptr[1];
	at = tdat_skip_space(line, 2);
	e->text = (struct tdat_span){line.ptr + at, line.len - at};
	/* Mapping symbols of arm and absolute symbols are no functions. */
	*listed = e->text.len && e->text.ptr[0] != '$' && (type | 0x20) != 'a';
	return e->text.len > 0;
}

/* "0xffffffff81000000 : "text\n"": without its quotes and the newline at its end. */
static bool read_printk(struct tdat_span line, struct entry *e, bool *listed)
{
	struct tdat_span s = line;

	*listed = false;
	if (s.len < 2 || memcmp(s.ptr, "0x", 2))
		return true;
	s = (struct tdat_span){s.ptr + 2, s.len - 2};
	if (!tdat_take_digits(&s, 16, &e->addr) || s.len < 3 || memcmp(s.ptr, " : ", 3))
		return true;
	s = (struct tdat_span){s.ptr + 3, s.len - 3};
	if (s.len && *s.ptr == '"')
		s = (struct tdat_span){s.ptr + 1, s.len - 1};
	if (s.len && s.ptr[s.len - 1] == '"') {
		s.len--;
		if (s.len >= 2 && !memcmp(s.ptr + s.len - 2, "\\n", 2))
			s.len -= 2;
	}
	e->text = s;
	*listed = true;
	return true;
}

static void put(struct tdat_span s)
{
	cli_put_text(stdout, (const char *)s.ptr, s.len);
}

static bool print_entries(struct tdat_span text,
			  bool (*read)(struct tdat_span line, struct entry *e, bool *listed))
{
	struct tdat_lines lines = tdat_lines_init(text);
	struct entries list = {NULL, 0, 0};
	struct tdat_span line;
	struct entry e;
	bool listed;

	while (tdat_lines_next(&lines, &line) && read(line, &e, &listed)) {
		e.place = list.count;
		if (!listed)
			continue;
		if (!TDAT_GROW(list.v, &list.cap, list.count + 1)) {
			free(list.v);
			return false;
		}
		list.v[list.count++] = e;
	}
	if (list.count)
		qsort(list.v, list.count, sizeof(*list.v), by_address);
	for (size_t i = 0; i < list.count; i++) {
		const struct tdat_span s = list.v[i].text;
		const uint8_t *tab = memchr(s.ptr, '\t', s.len);
		const size_t name = read == read_function && tab ? (size_t)(tab - s.ptr) : s.len;

		printf("%016" PRIx64 " ", list.v[i].addr);
		put((struct tdat_span){s.ptr, name});
		if (name < s.len) {
			putchar(' ');
			put((struct tdat_span){s.ptr + name + 1, s.len - name - 1});
		}
		putchar('\n');
	}
	free(list.v);
	return true;
}

bool report_functions(const struct tdat_file *file)
{
	return print_entries(tdat_file_part(file, TDAT_PART_KALLSYMS), read_function);
}

bool report_printks(const struct tdat_file *file)
{
	return print_entries(tdat_file_part(file, TDAT_PART_PRINTK), read_printk);
}

static int by_name(const void *a, const void *b)
{
	const struct tdat_event_format *const *x = a, *const *y = b;
	int c = strcmp(tdat_event_format_system(*x), tdat_event_format_system(*y));

	if (!c)
		c = strcmp(tdat_event_format_name(*x), tdat_event_format_name(*y));
	if (c)
		return c;
	return tdat_event_format_id(*x) < tdat_event_format_id(*y) ? -1 : 1;
}

bool report_event_names(const struct tdat_file *file)
{
	const size_t most = tdat_file_format_count(file);
	const struct tdat_event_format **v = calloc(most + 1, sizeof(const void *));
	size_t count = 0;

	if (!v)
		return false;
	for (size_t i = 0; i < most; i++)
		if (tdat_file_format(file, i, &v[count], NULL) == TDAT_OK)
			count++;
	qsort(v, count, sizeof(const void *), by_name);
	for (size_t i = 0; i < count; i++) {
		cli_put_str(stdout, tdat_event_format_system(v[i]));
		putchar(':');
		cli_put_str(stdout, tdat_event_format_name(v[i]));
		putchar('\n');
	}
	free(v);
	return true;
}

/* ---- stored formats by an expression ---- */

/* The expression's two parts; without a colon both are the whole. */
struct expression {
	regex_t system, event;
	bool both;
};

static bool compile(regex_t *regex, const char *text)
{
	char why[128];

	if (tdat_regex_compile(regex, text, REG_ICASE | REG_NOSUB, why, sizeof(why)))
		return true;
	cli_error("--event", "'%s': %s", text, why);
	return false;
}

static bool parse_expression(struct expression *x, const char *text)
{
	const char *first = strchr(text, ':');
	const char *colon = first && first[1] ? first : NULL; /* "sched:" is both */
	char *system = strndup(text, first ? (size_t)(first - text) : strlen(text));
	bool ok;

	x->both = colon != NULL;
	ok = system && compile(&x->system, system);
	if (ok && !compile(&x->event, colon ? colon + 1 : system)) {
		regfree(&x->system);
		ok = false;
	}
	free(system);
	return ok;
}

static bool is_event(const struct expression *x, struct tdat_span stored)
{
	char name[256];

	snprintf(name, sizeof(name), "%.*s", (int)stored.len, (const char *)stored.ptr);
	return stored.len && !regexec(&x->event, name, 0, NULL, 0);
}

static bool fits(const struct expression *x, const char *system, struct tdat_span name)
{
	const bool of_system = !regexec(&x->system, system, 0, NULL, 0);

	if (x->both)
		return of_system && is_event(x, name);
	return of_system || is_event(x, name);
}

int report_formats(const struct tdat_file *file, const char *expression)
{
	const size_t count = tdat_file_format_count(file);
	const char *printed = NULL;
	struct expression x;

	if (!parse_expression(&x, expression))
		return CLI_USAGE;
	for (size_t i = 0; i < count; i++) {
		const char *system;
		const struct tdat_span name = list_stored_name(file, i, &system);
		const struct tdat_span text = tdat_file_format_text(file, i, NULL);

		/* trace-cmd reads the formats of ftrace before it looks for any. */
		if (!strcmp(system, "ftrace") || !fits(&x, system, name))
			continue;
		if (!printed || strcmp(printed, system)) {
			printf("\nsystem: ");
			cli_put_str(stdout, system);
			putchar('\n');
		}
		printed = system;
		cli_put_stored((const char *)text.ptr, text.len, false);
		putchar('\n');
	}
	regfree(&x.system);
	regfree(&x.event);
	return CLI_OK;
}
