/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random but repeatable captures, and writing them with tdat_writer. */
#ifndef TESTS_WRITE_GEN_H
#define TESTS_WRITE_GEN_H

#include <tdat/writer.h>

struct gen_case {
	uint32_t version;
	const char *compression;
	bool big;
	uint8_t long_size;
	uint32_t page_size;
	uint32_t threads;
	uint64_t seed;
	size_t count; /* events */
};

enum { GEN_BUFFERS = 3, GEN_CPUS = 6 };

struct gen_event {
	uint32_t buffer, cpu;
	uint64_t ts;
	int64_t lost;
	uint32_t len; /* of record */
	uint8_t *record;
};

struct gen {
	struct gen_event *events;
	size_t count;
};

extern const char *const gen_buffer_names[GEN_BUFFERS];

/* The events of a case; id is their common_type. */
void gen_init(struct gen *g, const struct gen_case *c, uint16_t id);
void gen_fini(struct gen *g);

/* The id the format of the events gets. */
enum { GEN_ID = 1000 };

/* Writes the case to path; fails the test when the writer fails; force: over an existing file. */
void gen_write(const struct gen *g, const struct gen_case *c, const char *path);
void gen_write_as(const struct gen *g, const struct gen_case *c, const char *path, bool force);

/* Bytes a reader gives back for a record of len bytes. */
uint32_t gen_read_len(uint32_t len);

/* A name for messages; in buf. */
const char *gen_name(const struct gen_case *c, char *buf, size_t len);

uint64_t gen_random(uint64_t *state);

#endif
