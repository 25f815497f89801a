/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Imports recorded writes: definitions -> registered events; logs of writes, in text or as a
 * stream -> sorted by time -> events.
 */
#ifndef TDAT_IMPORT_USER_EVENTS_RECORDED_WRITES_H
#define TDAT_IMPORT_USER_EVENTS_RECORDED_WRITES_H

#include <tdat/user_events.h>

#include "import/text_lines.h"
#include "import/sort.h"

enum user_log_kind { USER_LOG_AUTO, USER_LOG_TEXT, USER_LOG_RAW, USER_LOG_RAW_TS };

enum { USER_CPU_MAX = 65535, USER_WRITE_MAX = 65536 };

struct user_import {
	const struct tdat_import_request *request;
	const struct tdat_emit *emit;
	bool big;
	bool multi;
	enum user_log_kind kind;
	int32_t pid; /* of streams, which have none */
	struct tdat_user_events *events;
	uint32_t *numbers; /* line of the definitions -> write index + 1; 0: refused */
	uint32_t number_count;
	size_t number_cap;
	struct import_sort *sort;
	uint64_t writes; /* lines or records seen */
	uint64_t kept;
	uint64_t refused;
	uint64_t extra;	  /* payloads longer than their fields */
	uint64_t earlier; /* than the one before it in its log */
	uint32_t cpu_count;
	bool stamped;
};

/* ---- definitions.c ---- */

/* Registers every definition; refused ones are warned of. */
enum tdat_status user_read_defs(struct user_import *u, const char *name,
				const struct tdat_source *source, struct tdat_error *err);

/* ---- text_log.c ---- */

/* Bits of text lines "time cpu pid hex" at the start. */
uint32_t user_probe_text(const struct tdat_source *source);
enum tdat_status user_read_text(struct user_import *u, const char *name,
				const struct tdat_source *source, struct tdat_error *err);
/* Checks one write and keeps it for its time; data begins with the index. */
enum tdat_status user_keep_write(struct user_import *u, uint64_t ts, uint32_t cpu, int32_t pid,
				 const uint8_t *data, size_t len, struct tdat_error *why);
/* The kept writes, in order, to the events. */
enum tdat_status user_emit_writes(struct user_import *u, struct tdat_error *err);

/* ---- raw_log.c ---- */

enum tdat_status user_read_stream(struct user_import *u, const char *name, uint32_t order,
				  const struct tdat_source *source, struct tdat_error *err);

#endif
