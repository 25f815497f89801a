/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the names that LTTng's kernel tracer gives events, fields and system calls. */
#ifndef EXPORT_CTF_NAMES_H
#define EXPORT_CTF_NAMES_H

#include <tdat/event.h>

#include "core/build.h"

enum ctf_names { CTF_NAMES_LTTNG, CTF_NAMES_FTRACE };

/* The names of the system calls of an architecture, by their numbers; NULL: there is none. */
struct ctf_calls {
	const char *const *names;
	size_t count;
};
extern const struct ctf_calls ctf_calls_x86_64, ctf_calls_i386, ctf_calls_generic;

/* The calls of a machine as uname names it ("x86_64"); NULL: not known. */
const struct ctf_calls *ctf_calls_of(struct tdat_span machine);
/* The name of a call; NULL for a number without one, and without calls. */
const char *ctf_call_name(const struct ctf_calls *calls, uint32_t number);

/* Appends the name of an event type; call is the name of sys_enter's or sys_exit's, or NULL. */
void ctf_event_name(struct tdat_build *out, const struct tdat_format *format, enum ctf_names names,
		    const char *call);
/* The name that a field has in LTTng; its own where that has none for it. */
const char *ctf_field_name(const struct tdat_field *f, enum ctf_names names);

/* Appends a text in which each byte that is no UTF-8 is U+FFFD. */
void ctf_put_utf8(struct tdat_build *out, const char *text);

#endif
