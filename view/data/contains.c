/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches the lines of events for a text. read.c puts it between the reader and whoever takes the
 * events of a selection with such a text. Each event is printed, because the text of an event is
 * stored nowhere; letters are compared in either case, of ASCII only.
 */
#include "contains.h"

#include <string.h>

#include "core/number.h"

enum tdat_status view_contains_init(struct view_contains *c, const char *text, view_take_fn take,
				    void *ctx, struct tdat_error *err)
{
	c->text = text;
	c->len = strlen(text);
	c->take = take;
	c->ctx = ctx;
	tdat_build_init(&c->line, false);
	return tdat_printer_share(&c->printer, c->trace->printer, err);
}

void view_contains_fini(struct view_contains *c)
{
	tdat_printer_free(c->printer);
	tdat_build_fini(&c->line);
}

static uint8_t lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c | 0x20) : c;
}

/* The text has no NUL, the line may have some. */
static bool is_in(const struct view_contains *c, const uint8_t *line, size_t len)
{
	const uint8_t *text = (const uint8_t *)c->text;
	const uint8_t first = lower(*text);

	for (size_t i = 0; i + c->len <= len; i++) {
		size_t k = 1;

		if (lower(line[i]) != first)
			continue;
		while (k < c->len && lower(line[i + k]) == lower(text[k]))
			k++;
		if (k >= c->len)
			return true;
	}
	return !c->len;
}

/* Seconds with nine decimals, or ticks. */
static void put_time(struct tdat_build *line, uint64_t ts, bool ns)
{
	const uint64_t second = 1000000000;

	char text[TDAT_NUMBER_MAX], *const end = text + sizeof(text);
	/* Ten digits, of which the point replaces the first. */
	char *point = tdat_number_dec(end, second + ts % second);

	tdat_number_u64(line, ns ? ts / second : ts);
	*point = '.';
	if (ns)
		tdat_build_bytes(line, point, (size_t)(end - point));
}

/* An event that cannot be printed has its task and its name. */
static bool matches(struct view_contains *c, const struct tdat_event *event)
{
	const struct tdat_event_format *f =
		tdat_file_format_by_id(c->trace->inputs[event->input].file, event->id);
	struct tdat_build *line = &c->line;
	struct tdat_span info;

	line->len = 0;
	put_time(line, event->ts, c->trace->ns);
	tdat_build_u8(line, ' ');
	tdat_number_u64(line, event->cpu);
	tdat_build_u8(line, ' ');
	tdat_build_bytes(line, event->comm.ptr, event->comm.len);
	tdat_build_u8(line, '-');
	tdat_number_i64(line, event->pid);
	tdat_build_u8(line, ' ');
	tdat_build_str(line, f ? tdat_event_format_system(f) : "?");
	tdat_build_u8(line, '/');
	if (f)
		tdat_build_str(line, tdat_event_format_name(f));
	else
		tdat_number_u64(line, event->id);
	tdat_build_u8(line, ':');
	if (!tdat_printer_info(c->printer, event, &info, NULL))
		tdat_build_bytes(line, info.ptr, info.len);
	return is_in(c, line->ptr, line->len);
}

size_t view_contains_take(void *ctx, const struct tdat_event *events, size_t count)
{
	struct view_contains *c = ctx;

	for (size_t i = 0, n; i < count && !c->line.failed; i += n + 1) {
		for (n = 0; i + n < count && matches(c, &events[i + n]);)
			n++;
		if (n && c->take(c->ctx, events + i, n) < n)
			return i;
	}
	return c->line.failed ? 0 : count;
}
