/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts findings of check and repair, and hands them to the caller. */
#ifndef TDAT_READ_FINDINGS_H
#define TDAT_READ_FINDINGS_H

#include <tdat/check.h>

struct read_findings {
	tdat_finding_fn fn; /* NULL: findings are only counted */
	void *ctx;
	uint64_t notes, doubts, damages;
	enum tdat_status
		status; /* the first failure, of fn or of the owner; no finding follows it */
	struct tdat_error err;
};

/* Counts a finding, formats its sentence without control bytes, and hands it to fn. */
void read_finding(struct read_findings *f, enum tdat_severity severity, uint64_t off,
		  const char *cost, const char *fmt, ...) TDAT_PRINTF(5, 6);

/* Hands over the damage that was found when the file was opened. */
void read_opening_findings(struct read_findings *f, const struct tdat_file *file);

/* Reports what of kallsyms, printk formats, command lines and tgids no table reads. */
void read_text_findings(struct read_findings *f, const struct tdat_file *file);

/* Reports the bytes of an option that nothing reads, as option_unread() gives them, if any. */
void read_option_findings(struct read_findings *f, const struct tdat_file_option *option,
			  struct tdat_span rest);

#endif
