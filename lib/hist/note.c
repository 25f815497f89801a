/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps what a session of hist triggers has to tell its caller beside the results. A note is a
 * sentence about what the file could not give, such as stacks or names. Each is kept once, in
 * the order in which it was met, so that output does not depend on the number of events.
 */
#include "hist.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/grow.h"

void hist_note(struct tdat_hist *h, const char *fmt, ...)
{
	char text[512], **v;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	for (size_t i = 0; i < h->note_count; i++)
		if (!strcmp(h->notes[i], text))
			return;
	v = tdat_grown(h->notes, &h->note_room, h->note_count + 1, sizeof(*v));
	if (v)
		h->notes = v;
	if (!v || !(v[h->note_count] = hist_strdup(h, text)))
		h->nomem = true;
	else
		h->note_count++;
}

const char *tdat_hist_note(const struct tdat_hist *h, size_t index)
{
	return index < h->note_count ? h->notes[index] : NULL;
}
