/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Complains of what is broken in files that are read all the same. */
#ifndef CLI_DAMAGE_H
#define CLI_DAMAGE_H

#include <tdat/iter.h>

/*
 * cli_input_doubted notes that an input was read in part, which was reported: a damaged packed
 * file, a capture with warnings. The program then fails at its end: cli_input_doubts counts them.
 */
void cli_input_doubted(void);
unsigned int cli_input_doubts(void);

/*
 * cli_file_damage complains of all that is wrong with the header and metadata of a file
 * and returns CLI_FAILED, or CLI_OK if nothing is.
 */
int cli_file_damage(const char *path, const struct tdat_file *file);

/* cli_undescribed does the same for events that were given out and have no format. */
int cli_undescribed(const char *path, const struct tdat_file *file);

/* cli_damage complains of the pages of one CPU that could not be read. */
void cli_damage(const char *path, const struct tdat_file *file,
		const struct tdat_stream_damage *damage);

/* cli_damage_all does the same for all CPUs of all inputs; it returns CLI_OK without any. */
int cli_damage_all(const struct tdat_iter_input *inputs, const struct tdat_stream_damage *damage,
		   size_t count);

/* cli_undescribed_all does what cli_undescribed does for each input. */
int cli_undescribed_all(const struct tdat_iter_input *inputs, size_t count);

#endif
