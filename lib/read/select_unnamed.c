/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells whether a selection by names may mean event types that the file does not describe: a
 * pattern may name anything, and a name that is written out may be that of a type whose format
 * is lost. One that the file describes can be no other's. If so, the iterator asks the file for
 * each id without a format as its first event comes, so that it is reported. Names are compared
 * with all formats: arguments x formats.
 */
#include <ctype.h>
#include <string.h>

#include "model/format.h"
#include "select.h"

/* Splits "system/name" or "system:name", as patterns write it; false for one that has wildcards. */
static bool take_words(struct tdat_span pattern, struct tdat_span *system, struct tdat_span *name)
{
	*system = (struct tdat_span){NULL, 0};
	*name = pattern;
	for (size_t i = 0; i < pattern.len; i++) {
		const uint8_t c = pattern.ptr[i];

		if ((c == '/' || c == ':') && !system->ptr) {
			*system = (struct tdat_span){pattern.ptr, i};
			*name = (struct tdat_span){pattern.ptr + i + 1, pattern.len - i - 1};
		} else if (!isalnum(c) && c != '_' && c != '-') {
			return false;
		}
	}
	return true;
}

static bool is_text(struct tdat_span s, const char *text)
{
	return strlen(text) == s.len && !memcmp(text, s.ptr, s.len);
}

/* Whether the pattern names one event type that the file describes, and nothing else. */
static bool names_described(struct tdat_span pattern, const struct dat_index *ix)
{
	struct tdat_span system, name;
	bool there = false;

	if (!take_words(pattern, &system, &name))
		return false;
	for (size_t i = 0; i < ix->format_count; i++) {
		struct tdat_span head;
		uint32_t id;

		/* A name alone is that of a system, too, which may have had more events. */
		if (!system.ptr && is_text(name, ix->formats[i].system))
			return false;
		if (system.ptr && !is_text(system, ix->formats[i].system))
			continue;
		there |= model_format_head(ix->formats[i].text, &head, &id) &&
			 head.len == name.len && !memcmp(head.ptr, name.ptr, name.len);
	}
	return there;
}

/* True if event patterns and expressions together leave room for an unknown name. */
bool read_select_means_unnamed(const struct tdat_filter *d, const struct dat_index *ix)
{
	bool globbed = !d->event_count, named = !read_select_wants_some(d);
	struct tdat_span item;
	size_t column;

	for (size_t i = 0; i < d->event_count && !globbed; i++) {
		item = (struct tdat_span){(const uint8_t *)d->events[i], strlen(d->events[i])};
		globbed = !names_described(item, ix);
	}
	for (size_t i = 0; i < d->expr_count && globbed && !named; i++)
		for (size_t k = 0; !d->negative[i] && !named; k++) {
			item = model_filter_item(d->exprs[i], k, &column);
			if (!item.ptr)
				break;
			named = !names_described(item, ix);
		}
	return globbed && named;
}
