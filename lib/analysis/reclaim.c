/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table reclaim: times in which tasks looked for memory. Pairs (pair.c) of one task: direct
 * reclaim, that of a memory cgroup or of a node, kswapd and kcompactd awake, compaction, and the
 * reaping of the memory of a task that the OOM killer chose; mark_victim, the choice, is a
 * moment. This file has only the definition.
 */
#include "analysis.h"
#include "pair.h"

enum { DIRECT, MEMCG, SOFTLIMIT, NODE, KSWAPD, COMPACTION, KCOMPACTD, OOM_REAP, OOM_VICTIM };
static const char *const groups[] = {"direct",	  "memcg",    "memcg_softlimit",
				     "node",	  "kswapd",   "compaction",
				     "kcompactd", "oom_reap", "oom_victim"};

static const char *const begin_fields[] = {"order", "gfp_flags", "nid", "pid", NULL};
static const char *const end_fields[] = {"nr_reclaimed", "status", NULL};

static const struct derived_event reclaim_events[] = {
	{"vmscan/mm_vmscan_direct_reclaim_begin", PAIR_OF(DIRECT, PAIR_BEGIN), begin_fields},
	{"vmscan/mm_vmscan_direct_reclaim_end", PAIR_OF(DIRECT, PAIR_END), end_fields},
	{"vmscan/mm_vmscan_memcg_reclaim_begin", PAIR_OF(MEMCG, PAIR_BEGIN), begin_fields},
	{"vmscan/mm_vmscan_memcg_reclaim_end", PAIR_OF(MEMCG, PAIR_END), end_fields},
	{"vmscan/mm_vmscan_memcg_softlimit_reclaim_begin", PAIR_OF(SOFTLIMIT, PAIR_BEGIN),
	 begin_fields},
	{"vmscan/mm_vmscan_memcg_softlimit_reclaim_end", PAIR_OF(SOFTLIMIT, PAIR_END), end_fields},
	{"vmscan/mm_vmscan_node_reclaim_begin", PAIR_OF(NODE, PAIR_BEGIN), begin_fields},
	{"vmscan/mm_vmscan_node_reclaim_end", PAIR_OF(NODE, PAIR_END), end_fields},
	{"vmscan/mm_vmscan_kswapd_wake", PAIR_OF(KSWAPD, PAIR_BEGIN), begin_fields},
	{"vmscan/mm_vmscan_kswapd_sleep", PAIR_OF(KSWAPD, PAIR_END), end_fields},
	{"compaction/mm_compaction_begin", PAIR_OF(COMPACTION, PAIR_BEGIN), begin_fields},
	{"compaction/mm_compaction_end", PAIR_OF(COMPACTION, PAIR_END), end_fields},
	{"compaction/mm_compaction_kcompactd_wake", PAIR_OF(KCOMPACTD, PAIR_BEGIN), begin_fields},
	{"compaction/mm_compaction_kcompactd_sleep", PAIR_OF(KCOMPACTD, PAIR_END), end_fields},
	{"oom/start_task_reaping", PAIR_OF(OOM_REAP, PAIR_BEGIN), begin_fields},
	{"oom/finish_task_reaping", PAIR_OF(OOM_REAP, PAIR_END), end_fields},
	{"oom/mark_victim", PAIR_OF(OOM_VICTIM, PAIR_MOMENT), begin_fields},
};
static const struct meta_column reclaim_columns[] = {
	{"kind", TABLE_NAME, 0, false},	     {"order", TABLE_INT, 4, true},
	{"gfp_flags", TABLE_NAME, 0, false}, {"nid", TABLE_INT, 4, true},
	{"victim_pid", TABLE_INT, 4, true},  {"nr_reclaimed", TABLE_INT, 8, false},
	{"status", TABLE_NAME, 0, false},    {NULL, TABLE_INT, 0, false},
};
static const struct pair_out reclaim_outs[] = {
	{PAIR_OUT_GROUP, 0, PAIR_INT},	{PAIR_OUT_BEGIN, 0, PAIR_INT},
	{PAIR_OUT_BEGIN, 1, PAIR_NAME}, {PAIR_OUT_BEGIN, 2, PAIR_INT},
	{PAIR_OUT_BEGIN, 3, PAIR_INT},	{PAIR_OUT_END, 0, PAIR_INT},
	{PAIR_OUT_END, 1, PAIR_NAME},
};
static const struct pair_def reclaim_def = {
	.by = PAIR_BY_TASK,
	.groups = groups,
	.outs = reclaim_outs,
	.out_count = sizeof(reclaim_outs) / sizeof(reclaim_outs[0]),
};

PAIR_TABLE(reclaim,
	   .about = {"searches for memory: reclaim, compaction, the OOM killer",
		     "vmscan/mm_vmscan_*|compaction/mm_compaction_*|oom/*",
		     "-e vmscan -e compaction -e oom"},
	   .per_task = true);
