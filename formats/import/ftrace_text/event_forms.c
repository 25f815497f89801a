/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Has the forms of events that carry texts, and makes the format of each name. The print fmt of a
 * form gives the text again; the name of the system says that it is text, so that nobody takes it
 * for an event of the kernel.
 */
#include "event_forms.h"

#include <inttypes.h>
#include <stdio.h>

#include "import/record.h"

const struct ft_form ft_forms[] = {
#define TEXT_(n)                                                                                   \
	{                                                                                          \
		n, F_TEXT                                                                          \
	}
#define STR_(n) "__get_str(" n ")"
	{"ftrace_text", {TEXT_("text")}, 1, "\"%s\", " STR_("text")},
	{"ftrace_text_nul1",
	 {TEXT_("text"), TEXT_("text1")},
	 2,
	 "\"%s%c%s\", " STR_("text") ", 0, " STR_("text1")},
	{"ftrace_text_nul2",
	 {TEXT_("text"), TEXT_("text1"), TEXT_("text2")},
	 3,
	 "\"%s%c%s%c%s\", " STR_("text") ", 0, " STR_("text1") ", 0, " STR_("text2")},
	{"ftrace_text_nul3",
	 {TEXT_("text"), TEXT_("text1"), TEXT_("text2"), TEXT_("text3")},
	 4,
	 "\"%s%c%s%c%s%c%s\", " STR_("text") ", 0, " STR_("text1") ", 0, " STR_(
		 "text2") ", 0, " STR_("text3")},
	{"ftrace_text_nul4",
	 {TEXT_("text"), TEXT_("text1"), TEXT_("text2"), TEXT_("text3"), TEXT_("text4")},
	 5,
	 "\"%s%c%s%c%s%c%s%c%s\", " STR_("text") ", 0, " STR_("text1") ", 0, " STR_(
		 "text2") ", 0, " STR_("text3") ", 0, " STR_("text4")},
	{"ftrace_text_nul5",
	 {TEXT_("text"), TEXT_("text1"), TEXT_("text2"), TEXT_("text3"), TEXT_("text4"),
	  TEXT_("text5")},
	 6,
	 "\"%s%c%s%c%s%c%s%c%s%c%s\", " STR_("text") ", 0, " STR_("text1") ", 0, " STR_(
		 "text2") ", 0, " STR_("text3") ", 0, " STR_("text4") ", 0, " STR_("text5")},
	{"ftrace_text_nul6",
	 {TEXT_("text"), TEXT_("text1"), TEXT_("text2"), TEXT_("text3"), TEXT_("text4"),
	  TEXT_("text5"), TEXT_("text6")},
	 7,
	 "\"%s%c%s%c%s%c%s%c%s%c%s%c%s\", " STR_("text") ", 0, " STR_("text1") ", 0, " STR_("text2") ", 0, " STR_(
		 "text3") ", 0, " STR_("text4") ", 0, " STR_("text5") ", 0, " STR_("text6")},
	{"ftrace_text_nul7",
	 {TEXT_("text"), TEXT_("text1"), TEXT_("text2"), TEXT_("text3"), TEXT_("text4"),
	  TEXT_("text5"), TEXT_("text6"), TEXT_("text7")},
	 8,
	 "\"%s%c%s%c%s%c%s%c%s%c%s%c%s%c%s\", " STR_("text") ", 0, " STR_("text1") ", 0, " STR_(
		 "te"
		 "xt"
		 "2") ", 0, " STR_("text3") ", 0, " STR_("text4") ", 0, " STR_("text5") ", "
											"0, " STR_(
												"te"
												"xt"
												"6") ", "
												     "0,"
												     " " STR_(
													     "text7")},
	{"ftrace_text",
	 {TEXT_("func"), TEXT_("parent")},
	 2,
	 "\"%s%s%s\", " STR_(
		 "func") ", __get_dynamic_array_len(parent) > 1 ? \" <-\" : \"\", " STR_("parent")},
	{"ftrace_text",
	 {TEXT_("func"), TEXT_("parent"), TEXT_("repeats"), TEXT_("ip"), TEXT_("parent_ip")},
	 5,
	 "\"%s <-%s (repeats: %s)\", " STR_("func") ", " STR_("parent") ", " STR_("repeats")},
	{"ftrace_text", {TEXT_("buf")}, 1, "\"tracing_mark_write: %s\", " STR_("buf")},
	{"ftrace_text",
	 {{"depth", F_U32}, TEXT_("func"), TEXT_("args"), TEXT_("note")},
	 4,
	 "\"--> %s (%u)%s%s%s%s\", " STR_(
		 "func") ", REC->depth, __get_dynamic_array_len(args) > 1 ? \" args: \" : "
			 "\"\", " STR_("args") ", __get_dynamic_array_len(note) > 1 ? \" \" : "
					       "\"\", " STR_("note")},
	{"ftrace_text",
	 {{"duration", F_U64}, {"depth", F_U32}, TEXT_("func"), TEXT_("note")},
	 4,
	 "\"<-- %s (%u) %llu ns%s%s\", " STR_(
		 "func") ", REC->depth, REC->duration, __get_dynamic_array_len(note) > 1 ? \" \" : "
			 "\"\", " STR_("note")},
	{"ftrace_text_plain",
	 {{"depth", F_U32}, TEXT_("func"), TEXT_("note")},
	 3,
	 "\"<-- %s (%u)%s%s\", " STR_("func") ", REC->depth, __get_dynamic_array_len(note) > 1 ? "
					      "\" \" : \"\", " STR_("note")},
};

enum tdat_status ft_form_emit(const struct tdat_emit *emit, enum form_id id_of_form,
			      const char *name, uint16_t *id, struct tdat_error *err)
{
	static const struct {
		const char *type;
		uint32_t size;
		int is_signed;
	} types[] = {{"u64", 8, 0}, {"unsigned int", 4, 0}, {"__data_loc char[]", 4, 1}};
	const struct ft_form *form = &ft_forms[id_of_form];
	uint32_t off = IMPORT_COMMON_LEN;
	struct tdat_build b;
	enum tdat_status st;
	char line[160];

	tdat_build_init(&b, false);
	tdat_build_str(&b, "name: ");
	tdat_build_str(&b, name);
	tdat_build_str(&b, "\nID: 0\nformat:\n"
			   "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			   "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			   "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\t"
			   "signed:0;\n"
			   "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
	for (size_t i = 0; i < form->count; i++) {
		const enum field_type t = form->fields[i].type;

		snprintf(line, sizeof(line),
			 "\tfield:%s %s;\toffset:%" PRIu32 ";\tsize:%" PRIu32 ";\tsigned:%d;\n",
			 types[t].type, form->fields[i].name, off, types[t].size,
			 types[t].is_signed);
		off += types[t].size;
		tdat_build_str(&b, line);
	}
	tdat_build_str(&b, "\nprint fmt: ");
	tdat_build_str(&b, form->print);
	tdat_build_str(&b, "\n");
	st = b.failed ? tdat_error_no_memory(err, "an event format")
		      : tdat_emit_format(emit, form->system, (const char *)b.ptr, b.len, id, err);
	tdat_build_fini(&b);
	return st;
}
