/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts that "tdat info" prints, and the two ways it prints them. */
#ifndef CLI_INFO_FACTS_H
#define CLI_INFO_FACTS_H

#include <tdat/tdat.h>

#include "input/trace_files.h"
#include "output/json_out.h"

struct info_args {
	bool count;
	bool verbose;
	bool json, exact;
	unsigned parts; /* of enum info_part; 0: all facts are wanted */
	int section;	/* among info_section_names; -1: none */
	bool raw_bytes;
	struct tdat_limits limits;
};

struct info_facts {
	struct tdat_file *file;
	const struct tdat_file_info *info;
	const char *capture; /* the format of a capture; NULL: it is a trace.dat */
	uint64_t len;	     /* bytes of the file, or of the capture's files */
	const struct tdat_buffer *buffers;
	size_t buffer_count;
	const struct tdat_file_option *options;
	size_t option_count;
	const struct tdat_section *sections;
	size_t section_count;
	const struct tdat_error *damage;
	size_t damage_count;
	size_t symbol_count, printk_count, comm_count;
	struct tdat_cpu_summary **cpus; /* [buffer][entry] */
	bool is_counted;		/* events were: all pages were read */
	bool bad_pages;			/* of CPU data that was read; it was reported */
};

/* info_facts_init collects what is known without reading CPU data. */
void info_facts_init(struct info_facts *f, struct tdat_file *file, const struct cli_file *from);

/* Tells of the damaged pages that counting a CPU's events met. False: there are none. */
bool info_tell_bad_pages(const char *path, const struct tdat_buffer *buffer, size_t entry,
			 const struct tdat_cpu_summary *summary);

/*
 * info_facts_count adds times of every CPU of every buffer, and counts of events if
 * events is set or little has to be read. CLI_OK, or an exit status after a complaint.
 */
int info_facts_count(struct info_facts *f, const char *path, bool events);
void info_facts_fini(struct info_facts *f);

/* info_text_of gives the text of a string option, without its NUL; empty for NULL. */
struct tdat_span info_text_of(const struct tdat_file_option *option);

/* info_print_kind says how such an event type is printed. */
const char *info_print_kind(enum tdat_print_kind kind);

/* info_each_foreign calls fn for each event type whose print fmt is not compiled, or not all of it.
 */
void info_each_foreign(struct tdat_file *file,
		       void (*fn)(void *ctx, const struct tdat_event_format *format,
				  enum tdat_print_kind kind, const char *reason),
		       void *ctx);

/*
 * Both print what is in an option: as indented lines, and as the member "value" with,
 * if the option is broken, the member "error".
 */
void info_option_text(const struct tdat_file *file, const struct tdat_file_option *option);
void info_option_json(struct tdat_json *j, const struct tdat_file *file,
		      const struct tdat_file_option *option);

/* info_text puts an empty line before all files but the first. False: no memory. */
bool info_text(const struct info_facts *f, const struct info_args *a, bool first);
void info_json(struct tdat_json *j, const struct info_facts *f, const struct info_args *a);
void info_json_error(struct tdat_json *j, const char *path, const struct tdat_error *err);

#endif
