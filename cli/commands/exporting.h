/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares an export that is under way, for the files of the command that write its output. */
#ifndef CLI_EXPORTING_H
#define CLI_EXPORTING_H

#include "commands/export_args.h"
#include "commands/export_parts.h"
#include "input/trace_files.h"
#include "output/output_folder.h"

struct exporting {
	const struct export_args *args;
	const struct tdat_exporter *exporter;
	struct cli_files files;
	struct tdat_iter_input *inputs;
	size_t input_count;
	struct tdat_filter *filter;
	struct export_parts parts; /* of an exporter of tables */
	struct cli_table_file own; /* of an exporter that writes one file itself */
	struct cli_folder made;	   /* of an exporter whose output is a folder */
	char *made_path;	   /* its name, without slashes at its end */
	struct tdat_keyed_option *options;
	bool folder; /* the output is one */
	int status;
};

/* A function of struct tdat_table_opts and struct export_events: ctx is the export. */
void exporting_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count);

/* Reports ids that no file describes; their events are in the output as bytes, or not at all. */
void exporting_undescribed(struct exporting *x);

void exporting_fini(struct exporting *x);

#endif
