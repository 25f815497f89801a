/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports damage of files that are read as far as possible. Every command calls it after it has
 * read, so all report alike: metadata, pages, ids without a format. A report makes the exit status
 * 1.
 */
#include "input/damage.h"

#include <tdat/check.h>

#include "core/text.h"
#include "terminal/message.h"

static unsigned int doubts;

void cli_input_doubted(void)
{
	doubts++;
}

unsigned int cli_input_doubts(void)
{
	return doubts;
}

/* The context of on_finding: whether something was reported. */
struct told {
	const char *path;
	int status;
};

/* Doubts and notes are for tdat check. */
static enum tdat_status on_finding(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	struct told *told = ctx;

	(void)err;
	if (f->severity != TDAT_DAMAGE)
		return TDAT_OK;
	cli_error(told->path, "%s", f->sentence);
	told->status = CLI_FAILED;
	return TDAT_OK;
}

/*
 * Reports damage of the metadata: what opening tolerated, and what a check of the sections finds.
 */
int cli_file_damage(const char *path, const struct tdat_file *file)
{
	struct told told = {path, CLI_OK};
	struct tdat_error err = TDAT_ERROR_INIT;
	size_t count;
	const struct tdat_error *found = tdat_file_damage(file, &count);

	for (size_t i = 0; i < count; i++)
		told.status = cli_fail(path, &found[i]);
	if (tdat_check_meta(file, on_finding, &told, &err))
		told.status = cli_fail(path, &err);
	return told.status;
}

/*
 * Reports the first event type that was met without a format. Called at the end, as reading finds
 * them.
 */
int cli_undescribed(const char *path, const struct tdat_file *file)
{
	struct tdat_error first = TDAT_ERROR_INIT;

	return tdat_file_undescribed(file, &first) ? cli_fail(path, &first) : CLI_OK;
}

/* One line for each CPU of a buffer: the first damage, and the number of pages. */
void cli_damage(const char *path, const struct tdat_file *file,
		const struct tdat_stream_damage *damage)
{
	size_t count;
	const struct tdat_buffer *b = &tdat_file_buffers(file, &count)[damage->buffer];

	cli_error(path,
		  "CPU %u%s%s: %llu %s, read up to the damage; the first at offset "
		  "%llu: %s",
		  damage->cpu, *b->name ? " of buffer " : "", b->name,
		  (unsigned long long)damage->bad_pages,
		  tdat_damaged_pages(b->compressed, damage->bad_pages),
		  (unsigned long long)damage->off, damage->message);
}

int cli_damage_all(const struct tdat_iter_input *inputs, const struct tdat_stream_damage *damage,
		   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct tdat_file *file = inputs[damage[i].input].file;

		cli_damage(tdat_file_info(file)->name, file, &damage[i]);
	}
	return count ? CLI_FAILED : CLI_OK;
}

int cli_undescribed_all(const struct tdat_iter_input *inputs, size_t count)
{
	int rc = CLI_OK;

	for (size_t i = 0; i < count; i++)
		if (cli_undescribed(tdat_file_info(inputs[i].file)->name, inputs[i].file) != CLI_OK)
			rc = CLI_FAILED;
	return rc;
}
