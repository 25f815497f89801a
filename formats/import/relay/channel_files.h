/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists the files of a relay channel, one for each CPU, and the small files beside them. */
#ifndef TDAT_IMPORT_RELAY_CHANNEL_FILES_H
#define TDAT_IMPORT_RELAY_CHANNEL_FILES_H

#include <tdat/emit.h>

enum { RELAY_CPU_MAX = 65535 };

struct relay_file {
	const char *name;
	const char *path;
	const struct tdat_source *source;
	size_t stem_len; /* of the name, without its number */
	uint32_t cpu;
	bool numbered; /* by its name or the user */
};

struct relay_files {
	struct relay_file *files; /* ordered by CPU */
	size_t count;
	const char *stem,
		*suffix; /* that names of files have around a CPU; NULL: as they show it */
	const struct tdat_import_input *dropped;
	const struct tdat_import_input *nr_sub;
	const struct tdat_import_input *sub_size;
	const struct tdat_import_input *state;
	const struct tdat_import_input *meta;
};

/* Whether data files of these facilities have such names: "trace0", "sda.blktrace.0". */
bool relay_is_data_name(const char *name);
bool relay_is_sidecar(const char *name);
/* Few files, mostly in order already: files of equal CPUs stay as given. */
void relay_sort_by_cpu(struct relay_file *files, size_t count);

/* The inputs that are data, ordered by CPU, and those that are sidecars; warns of others. */
enum tdat_status relay_files_init(struct relay_files *f, const struct tdat_import_request *request,
				  const struct tdat_emit *emit, struct tdat_error *err);
void relay_files_fini(struct relay_files *f);

/* The head of a source, in place or copied to buf. */
struct tdat_span relay_look(const struct tdat_source *source, uint8_t *buf, size_t cap);
/* First line of a sidecar, cut to cap; "" without one. */
void relay_sidecar_line(const struct tdat_import_input *in, char *buf, size_t cap);
/* The value after "key=" in the meta file; false without. */
bool relay_meta_value(const struct tdat_import_input *meta, const char *key, char *buf, size_t cap);
/* Warns of CPUs below the highest that left no file. */
enum tdat_status relay_warn_absent(const struct relay_files *f, const struct tdat_emit *emit,
				   struct tdat_error *err);

#endif
