/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes sched_switch and sched_wakeup of what KTRGRAPH messages say of threads. */
#ifndef TDAT_IMPORT_KTR_SCHED_EVENTS_H
#define TDAT_IMPORT_KTR_SCHED_EVENTS_H

#include <tdat/source.h>

struct ktr_graph;
struct ktr_output;

/* Makes o->sched, which free() frees, also after a failure. */
enum tdat_status ktr_sched_new(struct ktr_output *o, struct tdat_error *err);
/* Follows one state of a thread. */
enum tdat_status ktr_sched_state(struct ktr_output *o, const struct ktr_graph *g, int32_t pid,
				 uint32_t cpu, uint64_t ts, struct tdat_error *err);

#endif
