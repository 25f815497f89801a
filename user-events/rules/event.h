/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares a parsed event, for the files of this folder. */
#ifndef TDAT_USER_EVENTS_EVENT_H
#define TDAT_USER_EVENTS_EVENT_H

#include <stdarg.h>
#include <stdio.h>

#include <tdat/user_events.h>

struct tdat_user_event {
	char *text; /* names and types of the fields lie in it */
	const char *name;
	struct tdat_user_field *fields;
	size_t field_count;
	uint32_t min_size;
};

/* TDAT_E_USAGE with the errno of the kernel. */
enum tdat_status user_refuse(struct tdat_error *err, int errnum, const char *fmt, ...)
	TDAT_PRINTF(3, 4);

#endif
