/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads marks of atrace. Text is what programs write into trace_marker: "B|pid|name", "E|pid",
 * "C|pid|name|value" and their likes. The parser borrows spans of the text, allocates nothing,
 * and refuses what is not whole. Users are the tables slice and counter, and the exporters chrome
 * and perfetto.
 */
#include "atrace.h"

#include <string.h>

#include "core/text.h"

/* Takes the text up to the next '|' off the front, and the bar. */
struct tdat_span tdat_mark_part(struct tdat_span *text)
{
	struct tdat_span part = *text;
	const uint8_t *bar;

	if (!text->len)
		return part;
	bar = memchr(text->ptr, '|', text->len);
	if (bar)
		part.len = (size_t)(bar - text->ptr);
	*text = tdat_span_from(*text, part.len + (bar != NULL));
	return part;
}

/* Splits at the last '|': names may have some, cookies and values have none. */
static bool split_last(struct tdat_mark *m)
{
	size_t n = m->name.len;

	while (n && m->name.ptr[n - 1] != '|')
		n--;
	if (!n)
		return false;
	m->last = (struct tdat_span){m->name.ptr + n, m->name.len - n};
	m->name.len = n - 1;
	return true;
}

/*
 * Parses one mark. Kinds: B and E (begin, end), S and F (asynchronous start, finish), I (instant),
 * C (counter). False: the text is not a whole mark.
 */
bool tdat_mark_parse(struct tdat_mark *m, struct tdat_span text)
{
	struct tdat_span part;
	int64_t tgid;

	/* Programs may end a mark with a newline; the kernel's record may have a NUL. */
	while (text.len && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\0'))
		text.len--;
	part = tdat_mark_part(&text);
	if (part.len != 1 || !memchr("BESFIC", *part.ptr, 6))
		return false;
	*m = (struct tdat_mark){.kind = (char)*part.ptr};
	part = tdat_mark_part(&text);
	/* Programs may write "E" alone, so its tgid is optional. */
	if (m->kind != 'E' || part.len) {
		if (!tdat_whole_i64(part, &tgid) || tgid < 0 || tgid > INT32_MAX)
			return false;
		m->has_tgid = true;
		m->tgid = (int32_t)tgid;
	}
	m->name = text;
	if (m->kind == 'E')
		return true;
	if (m->kind == 'S' || m->kind == 'F' || m->kind == 'C')
		return split_last(m) && m->name.len;
	return m->name.len;
}
