/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the names that LTTng's kernel tracer gives events, fields and system calls. */
#ifndef EXPORT_CTF_NAMES_H
#define EXPORT_CTF_NAMES_H

#include <tdat/event.h>

#include "core/build.h"
#include "core/syscalls.h"

enum ctf_names { CTF_NAMES_LTTNG, CTF_NAMES_FTRACE };

/* Appends the name of an event type; call is the name of sys_enter's or sys_exit's, or NULL. */
void ctf_event_name(struct tdat_build *out, const struct tdat_event_format *format,
		    enum ctf_names names, const char *call);
/* The name that a field has in LTTng; its own where that has none for it. */
const char *ctf_field_name(const struct tdat_field *f, enum ctf_names names);

/* Appends a text in which each byte that is no UTF-8 is U+FFFD. */
void ctf_put_utf8(struct tdat_build *out, const char *text);

#endif
