/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Has the forms of events that carry texts, and makes the format of each name. The print fmt of a
 * form gives the text again; the name of the system says that it is text, so that nobody takes it
 * for an event of the kernel.
 */
#include "event_forms.h"

#include <tdat/define.h>

#include <stdio.h>
#include <string.h>

#include "import/record.h"

/* A text with NUL bytes has a field for each of its parts. */
#define NUL_FORM(n)                                                                                \
	{                                                                                          \
		.suffix = "_nul" #n, .count = (n) + 1, .fields = {                                 \
			{"text", F_TEXT},                                                          \
			{"text1", F_TEXT},                                                         \
			{"text2", F_TEXT},                                                         \
			{"text3", F_TEXT},                                                         \
			{"text4", F_TEXT},                                                         \
			{"text5", F_TEXT},                                                         \
			{"text6", F_TEXT},                                                         \
			{"text7", F_TEXT}                                                          \
		}                                                                                  \
	}

/* Without a print fmt, parts are joined by NUL bytes. */
const struct ft_form ft_forms[] = {
	[FORM_TEXT] = {"", {{"text", F_TEXT}}, 1, "\"%s\", __get_str(text)"},
	[FORM_NUL1] = NUL_FORM(1),
	NUL_FORM(2),
	NUL_FORM(3),
	NUL_FORM(4),
	NUL_FORM(5),
	NUL_FORM(6),
	[FORM_NUL7] = NUL_FORM(7),
	[FORM_FUNCTION] = {"",
			   {{"func", F_TEXT}, {"parent", F_TEXT}},
			   2,
			   "\"%s%s%s\", __get_str(func), "
			   "__get_dynamic_array_len(parent) > 1 ? \" <-\" : \"\", "
			   "__get_str(parent)"},
	[FORM_REPEATS] = {"",
			  {{"func", F_TEXT},
			   {"parent", F_TEXT},
			   {"repeats", F_TEXT},
			   {"ip", F_TEXT},
			   {"parent_ip", F_TEXT}},
			  5,
			  "\"%s <-%s (repeats: %s)\", __get_str(func), __get_str(parent), "
			  "__get_str(repeats)"},
	[FORM_PRINT] = {"", {{"buf", F_TEXT}}, 1, "\"tracing_mark_write: %s\", __get_str(buf)"},
	[FORM_ENTRY] = {"",
			{{"depth", F_U32}, {"func", F_TEXT}, {"args", F_TEXT}, {"note", F_TEXT}},
			4,
			"\"--> %s (%u)%s%s%s%s\", __get_str(func), REC->depth, "
			"__get_dynamic_array_len(args) > 1 ? \" args: \" : \"\", __get_str(args), "
			"__get_dynamic_array_len(note) > 1 ? \" \" : \"\", __get_str(note)"},
	[FORM_EXIT] = {"",
		       {{"duration", F_U64}, {"depth", F_U32}, {"func", F_TEXT}, {"note", F_TEXT}},
		       4,
		       "\"<-- %s (%u) %llu ns%s%s\", __get_str(func), REC->depth, REC->duration, "
		       "__get_dynamic_array_len(note) > 1 ? \" \" : \"\", __get_str(note)"},
	[FORM_EXIT_PLAIN] = {"_plain",
			     {{"depth", F_U32}, {"func", F_TEXT}, {"note", F_TEXT}},
			     3,
			     "\"<-- %s (%u)%s%s\", __get_str(func), REC->depth, "
			     "__get_dynamic_array_len(note) > 1 ? \" \" : \"\", "
			     "__get_str(note)"},
	/* Samples of perf's other events. */
	[FORM_SAMPLE] = {"",
			 {{"period", F_U64},
			  {"ip", F_U64},
			  {"event", F_TEXT},
			  {"symbol", F_TEXT},
			  {"dso", F_TEXT}},
			 5,
			 "\"%llu %s: %llx %s %s\", REC->period, __get_str(event), REC->ip, "
			 "__get_str(symbol), __get_str(dso)"},
	[FORM_SAMPLE_IP] = {"_ip",
			    {{"ip", F_U64}, {"event", F_TEXT}, {"symbol", F_TEXT}, {"dso", F_TEXT}},
			    4,
			    "\"%s: %llx %s %s\", __get_str(event), REC->ip, __get_str(symbol), "
			    "__get_str(dso)"},
	[FORM_SAMPLE_PERIOD] = {"_period",
				{{"period", F_U64}, {"event", F_TEXT}, {"text", F_TEXT}},
				3,
				"\"%llu %s: %s\", REC->period, __get_str(event), __get_str(text)"},
	[FORM_SAMPLE_TEXT] = {"_text",
			      {{"event", F_TEXT}, {"text", F_TEXT}},
			      2,
			      "\"%s: %s\", __get_str(event), __get_str(text)"},
};

/* "%s%c%s", __get_str(text), 0, __get_str(text1) */
static void put_nul_print(const struct ft_form *form, struct tdat_build *b)
{
	tdat_build_str(b, "\"%s");
	for (size_t i = 1; i < form->count; i++)
		tdat_build_str(b, "%c%s");
	tdat_build_str(b, "\"");
	for (size_t i = 0; i < form->count; i++)
		tdat_build_printf(b, "%s, __get_str(%s)", i ? ", 0" : "", form->fields[i].name);
}

/* Events of a tracepoint "system:name" keep its system, with the word that they are texts. */
static const char *system_of(const char *own, const char *suffix, const char **name, char *buf,
			     size_t cap)
{
	const char *colon = strchr(*name, ':');

	if (colon)
		snprintf(buf, cap, "%.*s_text%s", (int)(colon - *name), *name, suffix);
	else
		snprintf(buf, cap, "%s%s", own, suffix);
	*name = colon ? colon + 1 : *name;
	return buf;
}

enum tdat_status ft_form_emit(const struct tdat_emit *emit, enum form_id id_of_form,
			      const char *system, const char *name, uint16_t *id,
			      struct tdat_error *err)
{
	static const struct tdat_field_def types[] = {{"u64", NULL, 0, 8, 8, false},
						      {"unsigned int", NULL, 0, 4, 4, false},
						      {"__data_loc char[]", NULL, 0, 4, 4, true}};
	const struct ft_form *form = &ft_forms[id_of_form];
	struct tdat_field_def fields[FT_FIELDS_MOST];
	uint32_t off = IMPORT_COMMON_LEN;
	struct tdat_build print;
	enum tdat_status st;
	char full[160];

	system = system_of(system, form->suffix, &name, full, sizeof(full));
	for (size_t i = 0; i < form->count; i++) {
		fields[i] = types[form->fields[i].type];
		fields[i].name = form->fields[i].name;
		fields[i].off = off;
		off += fields[i].len;
	}
	tdat_build_init(&print, false);
	if (form->print)
		tdat_build_str(&print, form->print);
	else
		put_nul_print(form, &print);
	tdat_build_u8(&print, 0);
	st = print.failed ? tdat_error_no_memory(err, "an event format")
			  : tdat_emit_define(emit, system, name, fields, form->count,
					     (const char *)print.ptr, id, err);
	tdat_build_fini(&print);
	return st;
}
