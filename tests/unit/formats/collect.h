/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tdat_emit that keeps everything, and holds importers to the contract while
 * doing so (ck_assert): info first, formats before their events, records as
 * long as their fields say, dynamic arrays inside the record, time in order.
 * Its reader of format files is its own, so that it can disagree.
 */
#ifndef TESTS_FORMATS_COLLECT_H
#define TESTS_FORMATS_COLLECT_H

#include <stdio.h>

#include <tdat/emit.h>

/* As ck_assert_msg, but free when it holds: that writes to a pipe each time. */
#define EXPECT(cond, ...)                                                                          \
	do {                                                                                       \
		if (!(cond))                                                                       \
			ck_abort_msg(__VA_ARGS__);                                                 \
	} while (0)

struct collect_field {
	char *name;
	char *type;
	uint32_t off;
	uint32_t size;
	bool is_signed;
	bool dynamic; /* __data_loc */
	bool array;   /* name[n] */
};

struct collect_format {
	uint16_t id;
	char *system;
	char *name;
	char *text;
	struct collect_field *fields;
	size_t field_count;
	uint32_t fixed_len; /* end of the last field */
};

struct collect_event {
	const struct collect *owner;
	const struct collect_format *format;
	uint32_t buffer;
	uint32_t cpu;
	uint64_t ts;
	int64_t lost_before;
	uint8_t *data;
	size_t len;
};

struct collect_pair {
	char *key;
	char *value;
};

struct collect_option {
	uint16_t id;
	uint8_t *data;
	size_t len;
};

struct collect_pages {
	uint32_t buffer;
	uint32_t cpu;
	uint8_t *data;
	size_t len;
};

struct collect {
	struct tdat_emit emit;
	bool strict;	 /* set before: warnings fail */
	bool count_only; /* set before: events are checked and counted, not kept */
	bool got_info;
	struct tdat_emit_info info;
	char *clock, *uname, *version;
	struct collect_format **formats;
	size_t format_count;
	struct collect_event *events;
	size_t event_count;
	uint64_t events_seen;
	uint64_t last_ts[64]; /* by buffer */
	char **buffers;	      /* names; buffer 0 has none */
	char **buffer_clocks;
	size_t buffer_count;
	struct collect_pair *comms; /* key: pid in decimal */
	size_t comm_count;
	struct collect_pair *facts;
	size_t fact_count;
	char **warnings; /* "input: sentence", or "sentence" for the whole capture */
	uint64_t *warning_offs;
	size_t warning_count;
	struct collect_option *options;
	size_t option_count;
	struct collect_pages *pages;
	size_t page_count;
	char *kallsyms, *printk;
};

void collect_init(struct collect *c);
void collect_fini(struct collect *c);

/* Value of a fact, or NULL. */
const char *collect_fact(const struct collect *c, const char *key);
const struct collect_format *collect_format_named(const struct collect *c, const char *system,
						  const char *name);

/* A field that must exist. */
const struct collect_field *collect_field(const struct collect_event *e, const char *name);
bool collect_has(const struct collect_event *e, const char *name);
uint64_t collect_uint(const struct collect_event *e, const char *name);
int64_t collect_int(const struct collect_event *e, const char *name);
/* The bytes of an array field, dynamic or not. */
struct tdat_span collect_bytes(const struct collect_event *e, const char *name);
/* The same up to a NUL; buf is returned. */
char *collect_string(const struct collect_event *e, const char *name, char *buf, size_t cap);

/* "[cpu] ts system:event: field=value ...", strings in quotes, other arrays as hex. */
void collect_print_event(FILE *out, const struct collect_event *e);

/* ---- inputs ---- */

struct collect_inputs {
	struct tdat_import_input *inputs;
	size_t count;
};

/* Every file of a directory, in the order of names. */
void collect_open_dir(struct collect_inputs *in, const char *dir, enum tdat_access access);
/* One more input; memory is borrowed. */
void collect_add_memory(struct collect_inputs *in, const char *name, const void *data, size_t len);
void collect_add_file(struct collect_inputs *in, const char *path, enum tdat_access access);
void collect_close(struct collect_inputs *in);

/* Runs an importer; options: "key=value" or "key", ended by NULL; may be NULL. */
enum tdat_status collect_run(struct collect *c, const char *importer,
			     const struct collect_inputs *in, const char *const *options,
			     struct tdat_error *err);

/* A whole file as a NUL-terminated string of malloc; fails the test without it. */
char *collect_read_file(const char *path, size_t *len);

/*
 * Folders of samples: the stored fixtures and, when present, TDAT_SHARED. Calls
 * fn for every folder in <fixtures>/foreign/<name> and <shared>/samples/<name>,
 * says which were run, and returns their number.
 */
size_t collect_each_sample(const char *name, void (*fn)(const char *dir, void *ctx), void *ctx);
/* The same, of the stored fixtures only. */
size_t collect_each_fixture(const char *name, void (*fn)(const char *dir, void *ctx), void *ctx);

#endif
