/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares how events are found by name, and their fields as the kernel sees them. */
#ifndef TDAT_HIST_EVENT_H
#define TDAT_HIST_EVENT_H

#include "hist.h"

/* NULL: neither the file nor a synthetic event has it (or there is no memory). */
struct hist_event *hist_event_find(struct tdat_hist *h, const char *system, const char *name);
/* NULL: the event has no such field; those of every event ("cpu", "comm") come after its own. */
const struct hist_efield *hist_event_field(const struct hist_event *e, const char *name);
/* Makes an event of fields that are known; NULL: no memory. */
struct hist_event *hist_event_new(struct tdat_hist *h, const char *system, const char *name,
				  uint32_t id, const struct tdat_event_format *format);

/*
 * For onmatch(): the same, or an event that each kernel has though the file says nothing of it,
 * without fields.
 */
struct hist_event *hist_event_match(struct tdat_hist *h, const char *system, const char *name);

/* A synthetic event by its name; NULL: there is none. */
struct hist_event *hist_synth_find(struct tdat_hist *h, const char *name);

#endif
