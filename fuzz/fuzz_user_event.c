/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A registration and a payload behind its NUL: parsed, shown, parsed again. */
#include <string.h>

#include <tdat/user_events.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = memchr(data, 0, size);
	struct tdat_user_event *event, *again;
	char text[8192], command[2048];
	size_t used;

	if (!nul || tdat_user_event_parse(&event, (const char *)data, NULL) != TDAT_OK)
		return 0;
	used = (size_t)(nul - data) + 1;
	tdat_user_event_check(event, nul + 1, size - used, size & 1, NULL);
	tdat_user_event_format(event, 1, text, sizeof(text));
	/* A field without a name is shown as two spaces, which cannot be read again. */
	if (tdat_user_event_command(event, command, sizeof(command)) <= TDAT_USER_COMMAND_MAX &&
	    tdat_user_event_parse(&again, command, NULL) == TDAT_OK) {
		if (!tdat_user_event_same(event, again))
			abort();
		tdat_user_event_free(again);
	}
	tdat_user_event_free(event);
	return 0;
}
