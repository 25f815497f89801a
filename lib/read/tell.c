/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats findings of check and repair, and hands them to the caller. */
#include "tell.h"

#include <stdarg.h>
#include <stdio.h>

static void count(struct read_teller *t, enum tdat_severity severity)
{
	if (severity == TDAT_NOTE)
		t->notes++;
	else if (severity == TDAT_DOUBT)
		t->doubts++;
	else
		t->damages++;
}

void read_tell(struct read_teller *t, enum tdat_severity severity, uint64_t off, const char *cost,
	       const char *fmt, ...)
{
	struct tdat_finding f = {.severity = severity, .off = off, .cost = cost};
	struct tdat_error text = TDAT_ERROR_INIT;
	char sentence[sizeof(text.message)];
	va_list args;

	if (t->status != TDAT_OK)
		return;
	count(t, severity);
	if (!t->fn)
		return;
	va_start(args, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	/* Through the error's cleaner: what a file says never drives a terminal. */
	tdat_error_set(&text, TDAT_E_DAMAGED, off, "%s", sentence);
	f.sentence = text.message;
	t->status = t->fn(t->ctx, &f, &t->err);
}

void read_tell_opening(struct read_teller *t, const struct tdat_file *file)
{
	size_t i, n;
	const struct tdat_error *damage = tdat_file_damage(file, &n);

	for (i = 0; i < n; i++)
		read_tell(t, TDAT_DAMAGE, damage[i].off, "what it leads to", "%s",
			  damage[i].message);
}
