/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the notes of a session of hist triggers. A note is a sentence about data that the file
 * lacks, for example stacks or names. Each is kept once, in the order of the first occurrence, so
 * output does not depend on the number of events. The caller reads them by tdat_hist_note().
 */
#include "hist.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/grow.h"

void hist_note(struct tdat_hist *h, const char *fmt, ...)
{
	/* Longer sentences are cut; names in them are the only unbounded part. */
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* Few notes exist, so each is compared. */
	for (size_t i = 0; i < h->note_count; i++)
		if (!strcmp(h->notes[i], text))
			return;
	if (!TDAT_GROW(h->notes, &h->note_room, h->note_count + 1) ||
	    !(h->notes[h->note_count] = hist_strdup(h, text)))
		h->nomem = true;
	else
		h->note_count++;
}

const char *tdat_hist_note(const struct tdat_hist *h, size_t index)
{
	return index < h->note_count ? h->notes[index] : NULL;
}
