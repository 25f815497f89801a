/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Judges a format with our own parser before libtraceevent gets its text. libtraceevent's parser
 * has no bounds, so length, depth and fields are checked first with ours. Used by tep_fallback.c,
 * and for words by repair.
 */
#include "print_sound.h"

#include <string.h>

#include "print_ast.h"

enum {
	SOUND_TEXT = 64 * 1024, /* the longest format of Linux 6.12 has some 20 KiB */
	SOUND_RECORD = 64 * 1024,
	SOUND_DEPTH = 64 /* calls of our parser; libtraceevent's take about 500 bytes */
};

/* True for a C identifier, or digits: names of other bytes confuse libtraceevent's parser. */
bool print_sound_word(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n && !name[n];
}

/*
 * True if libtraceevent may get the text before print fmt. A NUL would make it read another text
 * than we did.
 */
bool print_sound_fields(const struct tdat_event_format *format, size_t head_len)
{
	return !format->cut && head_len <= SOUND_TEXT && format->fixed_len <= SOUND_RECORD &&
	       print_sound_word(format->name) && !memchr(format->text.ptr, 0, format->text.len);
}

/*
 * True if libtraceevent may get the print fmt. *asked: it calls a function that only a plugin
 * knows.
 */
bool print_sound_fmt(const struct tdat_event_format *format, print_knows_fn knows, void *ctx,
		     bool *asked)
{
	struct tdat_arena arena = {0};
	struct ast_print parsed = {.knows = knows, .knows_ctx = ctx};
	bool ok = *format->print_fmt && format->text.len <= SOUND_TEXT &&
		  ast_parse(&parsed, format, true, &arena);

	tdat_arena_fini(&arena);
	*asked = parsed.knew;
	return ok && parsed.deepest <= SOUND_DEPTH;
}
