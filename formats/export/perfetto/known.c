/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds events and their fields in the table of the events that Perfetto has messages for.
 * Events and fields are sorted by name, so that both are found by halves. The table itself is
 * generated.
 */
#include <stdlib.h>
#include <string.h>

#include "known_events.h"

static int by_name(const void *name, const void *event)
{
	return strcmp(name, ((const struct pf_known_event *)event)->name);
}

/* Message of an event; NULL: Perfetto has none. */
const struct pf_known_event *pf_known_event(const char *name)
{
	return bsearch(name, pf_known_events, pf_known_event_count, sizeof(pf_known_events[0]),
		       by_name);
}

/*
 * Finds a field of a message. Fields are a text like "1iirq 2sname ": number, letter of the type,
 * name.
 */
bool pf_known_field(const struct pf_known_event *event, const char *name,
		    struct pf_known_field *field)
{
	const size_t len = strlen(name);
	const char *p = event->fields;

	while (*p) {
		const char *end = strchr(p, ' ');
		char *letter;
		const unsigned long number = strtoul(p, &letter, 10);

		if ((size_t)(end - letter) == len + 1 && !memcmp(letter + 1, name, len)) {
			*field = (struct pf_known_field){(uint32_t)number, *letter};
			return true;
		}
		p = end + 1;
	}
	return false;
}
