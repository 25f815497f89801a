/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a trace.dat with hostile formats: names with quotes, slashes, emoji, keywords of SQL,
 * duplicates, 5,000 fields, and a type without events.
 * usage: make_types FILE [TYPES ROWS]
 * With TYPES: so many event types instead, each with ROWS events, by turns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/emit.h>
#include <tdat/writer.h>

#include "core/build.h"

enum { WIDE = 5000 };

static void die(const char *what, const struct tdat_error *err)
{
	fprintf(stderr, "make_types: %s: %s\n", what, err ? err->message : "");
	exit(1);
}

static const char common[] =
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

static uint16_t add_format(const struct tdat_emit *emit, const char *system, const char *name,
			   const char *fields, const char *print)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_build b;
	uint16_t id = 0;

	tdat_build_init(&b, false);
	tdat_build_str(&b, "name: ");
	tdat_build_str(&b, name);
	tdat_build_str(&b, "\nID: 0\nformat:\n");
	tdat_build_str(&b, common);
	tdat_build_str(&b, fields);
	tdat_build_str(&b, "\nprint fmt: ");
	tdat_build_str(&b, print);
	tdat_build_str(&b, "\n");
	if (b.failed || tdat_emit_format(emit, system, (char *)b.ptr, b.len, &id, &err))
		die(name, &err);
	tdat_build_fini(&b);
	return id;
}

static void add_event(const struct tdat_emit *emit, uint16_t id, uint64_t ts, uint8_t *record,
		      size_t len)
{
	struct tdat_emit_event ev = {.ts = ts, .record = {record, len}};
	struct tdat_error err = TDAT_ERROR_INIT;

	record[0] = (uint8_t)id;
	record[1] = (uint8_t)(id >> 8);
	if (tdat_emit_event(emit, &ev, &err))
		die("event", &err);
}

static void hostile(const struct tdat_emit *emit)
{
	static const char *const names[] = {
		"select",      "it's", "quo\"te", "a/b",  "\xf0\x9f\x98\x80", "naïve",
		"back\\slash", "..",   "-rf",	  "%s%n", "events",	      "ts"};
	static const char strange[] = "\tfield:u32 select;\toffset:8;\tsize:4;\tsigned:0;\n"
				      "\tfield:u32 same;\toffset:12;\tsize:4;\tsigned:0;\n"
				      "\tfield:u32 same;\toffset:16;\tsize:4;\tsigned:0;\n"
				      "\tfield:u32 SAME;\toffset:20;\tsize:4;\tsigned:0;\n"
				      "\tfield:u32 ts;\toffset:24;\tsize:4;\tsigned:0;\n"
				      "\tfield:u32 field_ts;\toffset:28;\tsize:4;\tsigned:0;\n"
				      "\tfield:u32 __proto__;\toffset:32;\tsize:4;\tsigned:0;\n"
				      "\tfield:u32 file;\toffset:36;\tsize:4;\tsigned:0;\n"
				      "\tfield:u32 order;\toffset:40;\tsize:4;\tsigned:0;\n";
	struct tdat_build wide;
	uint8_t record[256] = {0};

	for (unsigned int i = 8; i < sizeof(record); i += 4)
		record[i] = (uint8_t)(i / 4 - 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const uint16_t id = add_format(emit, i % 2 ? "odd" : "it's", names[i], strange,
					       "\"%u\", REC->same");

		for (uint64_t k = 0; k < 3; k++)
			add_event(emit, id, 1000 + 10 * i + k, record, 44);
	}
	tdat_build_init(&wide, false);
	for (unsigned int i = 0; i < WIDE; i++)
		tdat_build_printf(&wide, "\tfield:u8 f%u;\toffset:%u;\tsize:1;\tsigned:0;\n", i,
				  8 + i % 100);
	tdat_build_u8(&wide, 0);
	if (wide.failed)
		die("memory", NULL);
	add_event(emit, add_format(emit, "wide", "fields", (char *)wide.ptr, "\"\""), 5000, record,
		  108);
	add_format(emit, "wide", "without_events", strange, "\"\"");
	tdat_build_fini(&wide);
}

/* Types like those of kernels: some numbers, an address, a text. */
static void many(const struct tdat_emit *emit, unsigned int types, unsigned int rows)
{
	static const char fields[] = "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
				     "\tfield:u64 addr;\toffset:24;\tsize:8;\tsigned:0;\n"
				     "\tfield:u64 len;\toffset:32;\tsize:8;\tsigned:0;\n"
				     "\tfield:int ret;\toffset:40;\tsize:4;\tsigned:1;\n"
				     "\tfield:u32 flags;\toffset:44;\tsize:4;\tsigned:0;\n"
				     "\tfield:u32 seq;\toffset:48;\tsize:4;\tsigned:0;\n";
	uint16_t *ids = calloc(types, sizeof(*ids));
	uint8_t record[52] = {0};
	uint64_t ts = 1000, random = 1;

	if (!ids)
		die("memory", NULL);
	for (unsigned int i = 0; i < types; i++) {
		char name[32];

		snprintf(name, sizeof(name), "type_%u", i);
		ids[i] = add_format(emit, i % 2 ? "odd" : "even", name, fields,
				    "\"%s %d\", REC->comm, REC->ret");
	}
	for (uint64_t k = 0; k < (uint64_t)types * rows; k++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		memcpy(record + 8, k % 3 ? "worker" : "daemon", 6);
		for (unsigned int i = 0; i < 8; i++) {
			record[24 + i] = (uint8_t)(random >> 8 * i);
			record[32 + i] = (uint8_t)(i < 2 ? random >> (20 + 8 * i) : 0);
		}
		record[48] = (uint8_t)k;
		record[49] = (uint8_t)(k >> 8);
		ts += random >> 58;
		add_event(emit, ids[k % types], ts, record, sizeof(record));
	}
	free(ids);
}

int main(int argc, char **argv)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	struct tdat_writer *w;

	if (argc != 2 && argc != 4)
		die("usage", NULL);
	opts.force = true;
	info.clock = "local";
	info.cpu_count = 1;
	if (tdat_writer_new(&w, argv[1], &opts, &err))
		die(argv[1], &err);
	emit = tdat_writer_emit(w);
	if (tdat_emit_info(emit, &info, &err))
		die("info", &err);
	if (argc == 4)
		many(emit, (unsigned int)atoi(argv[2]), (unsigned int)atoi(argv[3]));
	else
		hostile(emit);
	if (tdat_writer_finish(w, &err))
		die(argv[1], &err);
	tdat_writer_free(w);
	return 0;
}
