/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the tables that native.c joins, each ended by an entry without a name. */
#ifndef TDAT_MODEL_NATIVE_TABLES_H
#define TDAT_MODEL_NATIVE_TABLES_H

#include "native_handler.h"

extern const struct model_native_entry native_function[];
extern const struct model_native_entry native_futex[];
extern const struct model_native_entry native_graph[];
extern const struct model_native_entry native_hrtimer[];
extern const struct model_native_entry native_kmem[];
extern const struct model_native_entry native_kvm[];
extern const struct model_native_entry native_kvmmmu[];
extern const struct model_native_entry native_mac80211[];
extern const struct model_native_entry native_sched[];
extern const struct model_native_entry native_tlb[];

/* The handler of EventHeader events, whose name may be any. */
extern const struct model_native_entry native_event_header;

#endif
