/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table kvm: how long the host worked for a virtual CPU before the guest ran on. A pair
 * (pair.c) of kvm_exit and kvm_entry of one task, which is the thread of a virtual CPU. This
 * file has only its definition.
 */
#include "analysis.h"
#include "pair.h"

/* The reason is a number; isa says by which table print fmt names it. */
static const struct derived_event kvm_events[] = {
	{"kvm/kvm_exit", PAIR_BEGIN,
	 (const char *const[]){"exit_reason", "guest_rip", "isa", NULL}},
	{"kvm/kvm_entry", PAIR_END, (const char *const[]){"vcpu_id", NULL}},
};
static const struct meta_column kvm_columns[] = {
	{"exit_reason", TABLE_INT, 4, false}, {"reason", TABLE_NAME, 0, false},
	{"guest_rip", TABLE_INT, 8, false},   {"vcpu_id", TABLE_INT, 4, false},
	{NULL, TABLE_INT, 0, false},
};
static const struct pair_out kvm_outs[] = {
	{PAIR_OUT_BEGIN, 0, PAIR_INT},
	{PAIR_OUT_BEGIN, 0, PAIR_NAME},
	{PAIR_OUT_BEGIN, 1, PAIR_INT},
	{PAIR_OUT_END, 0, PAIR_INT},
};
/* Intel's and AMD's exits have names of their own, which isa chooses from. */
static const struct names_printed kvm_printed = {0, 2, "reason ", " rip"};
static const struct pair_def kvm_def = {
	.by = PAIR_BY_TASK,
	.printed = &kvm_printed,
	.outs = kvm_outs,
	.out_count = sizeof(kvm_outs) / sizeof(kvm_outs[0]),
};

PAIR_TABLE(kvm,
	   .about = {"guest exits, until the guest entered again", "kvm/kvm_exit kvm/kvm_entry",
		     "-e kvm"},
	   .per_task = true);
