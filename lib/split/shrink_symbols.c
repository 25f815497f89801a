/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the lines of kallsyms that a piece needs for addresses and for names in print formats.
 * A smaller table may find another of several names of one address. It is tried, and lines are
 * added until every address is found as before; after a few tries the whole text is taken.
 * Words of print fmts that are functions are kept by name.
 */
#include <stdlib.h>
#include <string.h>

#include "shrink.h"
#include "core/grow.h"
#include "core/text.h"

enum { TRIES = 32 };

/*
 * True if each ref is found in the smaller table as in the whole one. A ref that is found under
 * another name of its address gets a further copy of its line: the table picks among equal
 * addresses.
 */
static bool all_found(struct split_refs *refs, const struct model_symbols *whole,
		      const struct model_symbols *part)
{
	bool ok = true;

	for (size_t i = 0; i < refs->count; i++) {
		struct split_ref *ref = &refs->v[i];
		uint64_t want_start = 0, start = 0;
		struct tdat_span want, name;

		/* Names are found by themselves, whatever their address. */
		if (ref->named)
			continue;
		want = model_symbols_find(whole, ref->key, &want_start);
		name = model_symbols_find(part, ref->key, &start);
		if (start == want_start && tdat_span_same(name, want))
			continue;
		ref->copies++;
		ok = false;
	}
	return ok;
}

/*
 * Each try adds copies of lines that were found wrongly; after TRIES the whole text is taken.
 */
enum tdat_status split_shrink_symbols(struct split_refs *refs, const struct model_symbols *whole,
				      struct tdat_span text, struct tdat_build *out,
				      struct tdat_error *err)
{
	for (int i = 0; i < TRIES && !out->failed; i++) {
		struct model_symbols *part;
		enum tdat_status st;
		bool ok;

		/* Each try writes the lines anew, with more copies. */
		out->len = 0;
		split_refs_lines(refs, text, out);
		if (out->failed || !refs->count)
			return TDAT_OK;
		st = model_symbols_new(&part, (struct tdat_span){out->ptr, out->len}, err);
		if (st != TDAT_OK)
			return st;
		ok = all_found(refs, whole, part);
		if (model_symbols_failed(part))
			st = tdat_error_no_memory(err, "a smaller kallsyms");
		model_symbols_free(part);
		if (ok || st != TDAT_OK)
			return st;
	}
	out->len = 0;
	tdat_build_bytes(out, text.ptr, text.len);
	return TDAT_OK;
}

/* ---- functions by name ---- */

void split_words_fini(struct split_words *words)
{
	free(words->v);
	memset(words, 0, sizeof(*words));
}

/* A word as in C; a dot belongs to names of the compiler, "func.isra.0". */
static bool is_word(char c, bool first)
{
	return (tdat_is_word((uint8_t)c) && !(first && tdat_is_dec((uint8_t)c))) ||
	       (!first && c == '.');
}

/* Words are not unique here: sorting and searching do not mind. */
static bool add_word(struct split_words *words, const char *word, size_t len)
{
	if (!TDAT_GROW(words->v, &words->cap, words->count + 1))
		return false;
	words->v[words->count++] = (struct tdat_span){(const uint8_t *)word, len};
	return true;
}

/* The closing quote; a backslash escapes the next character. */
static const char *skip_quoted(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* Words in quotes are text for people, never names of functions. */
bool split_words_add(struct split_words *words, const char *p)
{
	while (*p) {
		const char *from = p;

		if (*p == '"') {
			p = skip_quoted(p);
			continue;
		}
		while (is_word(*p, p == from))
			p++;
		if (p == from)
			p++;
		else if (!add_word(words, from, (size_t)(p - from)))
			return false;
	}
	return true;
}

/* The context of find_name(). */
struct find {
	const struct split_words *words;
	struct tdat_span text;
	struct split_refs *refs;
	bool failed;
};

/* Called for each function of the table. */
static bool find_name(void *ctx, struct tdat_span name)
{
	struct find *f = ctx;
	struct split_ref ref = {.copies = 1, .named = true};

	if (!bsearch(&name, f->words->v, f->words->count, sizeof(name), tdat_by_bytes))
		return true;
	ref.off = (uint32_t)(name.ptr - f->text.ptr);
	ref.key = ref.start = ref.off;
	f->failed = !split_refs_add(f->refs, &ref);
	return !f->failed;
}

/* Sorted once, so that each function costs a search by halves. */
bool split_words_find(struct split_words *words, const struct model_symbols *whole,
		      struct tdat_span text, struct split_refs *refs)
{
	struct find f = {words, text, refs, false};

	if (!words->count)
		return true;
	qsort(words->v, words->count, sizeof(*words->v), tdat_by_bytes);
	model_symbols_each(whole, find_name, &f);
	return !f.failed;
}
