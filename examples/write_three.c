/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a trace.dat with three events.
 * usage: write_three OUT.dat
 */
#include <stdio.h>
#include <string.h>

#include <tdat/tdat.h>

static const char format[] =
	"name: tick\nID: 0\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned int count;\toffset:8;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"count=%u\", REC->count\n";

static enum tdat_status write_events(const struct tdat_emit *emit, struct tdat_error *err)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct {
		uint16_t type;
		uint8_t flags, preempt;
		int32_t pid;
		uint32_t count;
	} record = {0};
	struct tdat_emit_event event = {.record = {(const uint8_t *)&record, sizeof(record)}};
	uint16_t one = 1;
	enum tdat_status st;

	info.big_endian = *(const uint8_t *)&one == 0; /* records are in this host's order */
	info.cpu_count = 1;
	info.clock = "local"; /* time stamps are nanoseconds */
	if ((st = tdat_emit_info(emit, &info, err)) ||
	    (st = tdat_emit_format(emit, "demo", format, strlen(format), &record.type, err)) ||
	    (st = tdat_emit_comm(emit, 42, "clock", err)))
		return st;
	for (record.pid = 42; record.count < 3 && !st; record.count++) {
		event.ts = 1000000 * (record.count + 1);
		st = tdat_emit_event(emit, &event, err);
	}
	return st;
}

int main(int argc, char **argv)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *writer;
	enum tdat_status st =
		tdat_writer_new(&writer, argc > 1 ? argv[1] : "three.dat", NULL, &err);

	if (!st && !(st = write_events(tdat_writer_emit(writer), &err)))
		st = tdat_writer_finish(writer, &err);
	if (st)
		fprintf(stderr, "%s\n", err.message);
	tdat_writer_free(writer);
	return st ? 1 : 0;
}
