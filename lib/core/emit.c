/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Formats the warnings and facts that an importer hands to its tdat_emit. Control bytes are
 * replaced, because sentences quote captures that other people made. These are helpers for
 * importers: tdat_emit_ops gets finished text.
 */
#include <tdat/emit.h>

#include <stdarg.h>
#include <stdio.h>

#include "utf8.h"

/* The bytes of a sentence may come from a hostile capture: keep terminals safe. */
static void format_clean(char *buf, size_t cap, const char *fmt, va_list args)
{
	if (vsnprintf(buf, cap, fmt, args) < 0)
		buf[0] = '\0';
	tdat_utf8_clean(buf);
}

enum tdat_status tdat_emit_warnf(const struct tdat_emit *emit, const char *input, uint64_t off,
				 struct tdat_error *err, const char *fmt, ...)
{
	char sentence[sizeof(err->message)];
	va_list args;

	va_start(args, fmt);
	format_clean(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	return tdat_emit_warn(emit, input, off, sentence, err);
}

enum tdat_status tdat_emit_notef(const struct tdat_emit *emit, const char *input, uint64_t off,
				 struct tdat_error *err, const char *fmt, ...)
{
	char sentence[sizeof(err->message)];
	va_list args;

	if (!TDAT_HAS(emit->ops, note))
		return TDAT_OK;
	va_start(args, fmt);
	format_clean(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	return tdat_emit_note(emit, input, off, sentence, err);
}

/* An owner that shows no facts has no such function; formatting is saved then. */
enum tdat_status tdat_emit_factf(const struct tdat_emit *emit, const char *key,
				 struct tdat_error *err, const char *fmt, ...)
{
	char value[sizeof(err->message)];
	va_list args;

	if (!TDAT_HAS(emit->ops, fact))
		return TDAT_OK;
	va_start(args, fmt);
	format_clean(value, sizeof(value), fmt, args);
	va_end(args);
	return tdat_emit_fact(emit, key, value, err);
}
