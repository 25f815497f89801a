/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reports what of options, and of the tables of symbols, printk formats, tasks and thread
 * groups, nothing reads. lib/model/stored_text.c says what of a text is not read; this file
 * makes findings of it, with the offset of the section and a look at the line. Called by check
 * and repair.
 */
#include "findings.h"

#include "dat/option_table.h"
#include "file/file.h"
#include "model/stored_text.h"

/* Where the section of a text begins, for messages. */
static uint64_t section_off(const struct dat_index *ix, uint16_t id)
{
	size_t i;

	for (i = 0; i < ix->section_count; i++)
		if (ix->sections[i].id == id)
			return ix->sections[i].off;
	return TDAT_NO_OFFSET;
}

/* Makes a finding of the part of a text that is not read, by the reason that the model gives. */
static void check_text(struct read_findings *f, enum model_text which, struct tdat_span text,
		       uint64_t off, const char *name, const char *cost)
{
	const struct model_unread u = model_text_unread(which, text);

	if (u.no_memory && f->status == TDAT_OK)
		f->status = tdat_error_no_memory(&f->err, name);
	if (!u.len)
		return;
	switch (u.why) {
	case MODEL_UNREAD_NUL:
		read_finding(f, TDAT_DAMAGE, off, cost,
			     "%zu bytes of %s are not read, because they follow a NUL: they start "
			     "at byte %zu of %zu",
			     u.len, name, u.off, text.len);
		break;
	case MODEL_UNREAD_SHAPE:
		read_finding(f, TDAT_DAMAGE, off, cost,
			     "%zu bytes of %s are not read: the line at byte %zu of %zu does not "
			     "have the form %s",
			     u.len, name, u.off, text.len, model_text_shape(which));
		break;
	case MODEL_UNREAD_ODD:
		read_finding(f, TDAT_DAMAGE, off, cost,
			     "%zu bytes of %s are probably misread: the line at byte %zu of %zu "
			     "does not have the form %s",
			     u.len, name, u.off, text.len, model_text_shape(which));
		break;
	case MODEL_UNREAD_TWICE:
		read_finding(f, TDAT_DAMAGE, off, cost,
			     "%zu bytes of %s are not used: the line at byte %zu of %zu "
			     "contradicts another line for the same task or address",
			     u.len, name, u.off, text.len);
		break;
	case MODEL_UNREAD_CUT:
		read_finding(f, TDAT_DAMAGE, off, cost,
			     "%s are truncated within the line at byte %zu of %zu", name, u.off,
			     text.len);
		break;
	}
}

/* Checks all texts of a file. Saved tgids come without a section, so no offset is named. */
void read_text_findings(struct read_findings *f, const struct tdat_file *file)
{
	const struct dat_index *ix = &file->ix;

	check_text(f, MODEL_TEXT_KALLSYMS, ix->kallsyms, section_off(ix, TDAT_OPTION_KALLSYMS),
		   "kallsyms", "names of functions");
	check_text(f, MODEL_TEXT_PRINTK, ix->printk, section_off(ix, TDAT_OPTION_PRINTK),
		   "printk formats", "texts of trace_printk()");
	check_text(f, MODEL_TEXT_CMDLINES, ix->cmdlines, section_off(ix, TDAT_OPTION_CMDLINES),
		   "command lines", "names of tasks");
	check_text(f, MODEL_TEXT_TGIDS, ix->tgids, TDAT_NO_OFFSET, "saved tgids",
		   "thread groups of tasks");
}

/* Reports bytes of an option behind its fields or its NUL, which no reader sees. */
void read_option_findings(struct read_findings *f, const struct tdat_file_option *option,
			  struct tdat_span rest)
{
	const struct dat_option_def *def = dat_option_def(option->id);

	if (rest.len)
		read_finding(f, TDAT_DAMAGE, option->off, "those bytes",
			     "%zu bytes of option %s at offset %llu are not read, because they "
			     "follow %s: they start at byte %zu of %zu",
			     rest.len, def->name, (unsigned long long)option->off,
			     def->nul == DAT_NUL_NONE ? "its fields" : "a NUL",
			     option->data.len - rest.len, option->data.len);
}
