/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes small files to be merged. */
#include "make_input.h"

#include <stdio.h>
#include <string.h>

#include <core/endian.h>

#include "../common/asserts.h"

const char input_format[] =
	"name: ev\nID: 900\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned long value;\toffset:8;\tsize:8;\tsigned:0;\n\n";

static void ok(enum tdat_status st, const struct tdat_error *err)
{
	ck_assert_msg(st == TDAT_OK, "%s", err->message);
}

static uint16_t tell(const struct input_case *c, const struct tdat_emit *e, struct tdat_error *err)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	uint16_t id = c->id;
	char text[4096];

	info.clock = c->clock;
	info.cpu_count = INPUT_CPUS;
	ok(tdat_emit_info(e, &info, err), err);
	snprintf(text, sizeof(text), "%s",
		 c->format ? c->format : "print fmt: \"value=%lu\", REC->value\n");
	if (!id) {
		static const char off[] = "common_type;\toffset:";
		const char *at = strstr(input_format, off) + sizeof(off) - 1;
		char whole[8192];

		snprintf(whole, sizeof(whole), "%.*s%u%s%s", (int)(at - input_format), input_format,
			 c->type_off, at + 1, text);
		ok(tdat_emit_format(e, c->system ? c->system : "test", whole, strlen(whole), &id,
				    err),
		   err);
	}
	if (c->kallsyms)
		ok(tdat_emit_kallsyms(e, c->kallsyms, strlen(c->kallsyms), err), err);
	if (c->printk)
		ok(tdat_emit_printk(e, c->printk, strlen(c->printk), err), err);
	if (c->comm)
		ok(tdat_emit_comm(e, 42, c->comm, err), err);
	for (size_t i = 0; i < c->option_count; i++)
		ok(tdat_emit_option(e, c->options[i].id, c->options[i].data, c->options[i].len,
				    err),
		   err);
	return id;
}

void input_write(const struct input_case *c, const char *path)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *e;
	struct tdat_writer *w;
	uint8_t record[1024] = {0};
	uint16_t id;

	opts.force = true;
	ok(tdat_writer_new(&w, path, &opts, &err), &err);
	e = tdat_writer_emit(w);
	id = tell(c, e, &err);
	tdat_store16(record + c->type_off, id, false);
	tdat_store32(record + 4, 42, false);
	tdat_store64(record + 8, c->value, false);
	for (uint64_t i = 0; i < INPUT_EVENTS; i++) {
		struct tdat_emit_event ev = {
			.cpu = i % INPUT_CPUS,
			.ts = c->first_ts + i * c->step,
			.lost_before = i == 7	? 3
				       : i == 8 ? -1
						: 0,
			.record = {record, c->type_off ? c->type_off + 4 : 16}};

		ok(tdat_emit_event(e, &ev, &err), &err);
	}
	ok(tdat_writer_finish(w, &err), &err);
	tdat_writer_free(w);
}
