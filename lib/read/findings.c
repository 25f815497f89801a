/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Formats findings of check and repair, counts them, and hands them to the caller. Sentences
 * may quote the file, so they pass through the cleaner of errors. Counts by severity decide the
 * exit status of check.
 */
#include "findings.h"

#include <stdarg.h>
#include <stdio.h>

static void count(struct read_findings *f, enum tdat_severity severity)
{
	if (severity == TDAT_NOTE)
		f->notes++;
	else if (severity == TDAT_DOUBT)
		f->doubts++;
	else
		f->damages++;
}

/*
 * Reports a finding unless the caller's function has asked to stop. cost: the loss for the user, a
 * literal.
 */
void read_finding(struct read_findings *f, enum tdat_severity severity, uint64_t off,
		  const char *cost, const char *fmt, ...)
{
	struct tdat_finding finding = {.severity = severity, .off = off, .cost = cost};
	struct tdat_error text = TDAT_ERROR_INIT;
	char sentence[sizeof(text.message)];
	va_list args;

	if (f->status != TDAT_OK)
		return;
	count(f, severity);
	if (!f->fn)
		return;
	va_start(args, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	/* Through the error's cleaner: what a file says never drives a terminal. */
	tdat_error_set(&text, TDAT_E_DAMAGED, off, "%s", sentence);
	finding.sentence = text.message;
	f->status = f->fn(f->ctx, &finding, &f->err);
}

/* Reports the damage that opening found. */
void read_opening_findings(struct read_findings *f, const struct tdat_file *file)
{
	size_t i, n;
	const struct tdat_error *damage = tdat_file_damage(file, &n);

	for (i = 0; i < n; i++)
		read_finding(f, TDAT_DAMAGE, damage[i].off, "the data that depends on it", "%s",
			     damage[i].message);
}
