/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes a trace.dat with three events: write_three OUT.dat. */
#include <stdio.h>

#include <tdat/tdat.h>

static struct tick {
	struct tdat_record_head head;
	uint32_t count;
} tick = {{.pid = 42}, 0};

int main(int argc, char **argv)
{
	struct tdat_emit_info info = {sizeof(info), TDAT_HOST_BIG_ENDIAN, .clock = "local"};
	struct tdat_field_def field = TDAT_FIELD(struct tick, uint32_t, count);
	struct tdat_emit_event event = {.ts = 1000000, .record = {(uint8_t *)&tick, sizeof(tick)}};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *writer;
	const struct tdat_emit *emit;

	if (!tdat_writer_new(&writer, argc > 1 ? argv[1] : "three.dat", NULL, &err) &&
	    (emit = tdat_writer_emit(writer)) && !tdat_emit_info(emit, &info, &err) &&
	    !tdat_emit_define(emit, "demo", "tick", &field, 1, NULL, &tick.head.type, &err) &&
	    !tdat_emit_comm(emit, 42, "clock", &err))
		for (; tick.count < 3 && !tdat_emit_event(emit, &event, &err); tick.count++)
			event.ts += 1000000;
	if (!err.status)
		tdat_writer_finish(writer, &err);
	tdat_writer_free(writer);
	return err.status ? fprintf(stderr, "%s\n", err.message), 1 : 0;
}
