/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records user events into a trace.dat, as a kernel that has them would.
 * usage: user_events OUT.dat
 */
#include <stdio.h>
#include <string.h>

#include <tdat/tdat.h>
#include <tdat/user_events.h>

static enum tdat_status record(struct tdat_user_events *events, struct tdat_error *err)
{
	struct tdat_user_origin origin = {.cpu = 0, .pid = 42, .ts = 1000000};
	uint32_t enabled = 0, index, count;
	static const char text[] = "hello";
	/* What __rel_loc means: length and distance of the text from this word's end. */
	uint32_t loc = (uint32_t)sizeof(text) << 16;
	enum tdat_status st;

	st = tdat_user_events_register(events, "test u32 count; __rel_loc char[] msg", 0, &enabled,
				       31, sizeof(enabled), &index, err);
	for (count = 1; count <= 3 && st == TDAT_OK; count++, origin.ts += 1000) {
		struct tdat_user_iovec iov[] = {
			{&index, 4}, {&count, 4}, {&loc, 4}, {text, sizeof(text)}};

		if (enabled) /* a program asks before it gathers what it wants to tell */
			st = tdat_user_events_writev(events, &origin, iov, 4, err);
	}
	return st;
}

int main(int argc, char **argv)
{
	struct tdat_user_events_opts opts = TDAT_USER_EVENTS_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_user_events *events = NULL;
	const struct tdat_emit *emit;
	struct tdat_writer *writer;
	enum tdat_status st;

	st = tdat_writer_new(&writer, argc > 1 ? argv[1] : "user.dat", NULL, &err);
	if (st == TDAT_OK) {
		emit = tdat_writer_emit(writer);
		info.big_endian = opts.big_endian = TDAT_HOST_BIG_ENDIAN;
		info.clock = "mono";
		if (!(st = tdat_emit_info(emit, &info, &err)) &&
		    !(st = tdat_emit_comm(emit, 42, "demo", &err)) &&
		    !(st = tdat_user_events_new(&events, emit, &opts, &err)) &&
		    !(st = record(events, &err)))
			st = tdat_writer_finish(writer, &err);
	}
	if (st)
		fprintf(stderr, "%s\n", err.message);
	tdat_user_events_free(events);
	tdat_writer_free(writer);
	return st ? 1 : 0;
}
