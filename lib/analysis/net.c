/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table net: how long packets lay in queues. Pairs (pair.c), keyed by the address of the
 * packet: net_dev_queue to net_dev_xmit (sent), netif_rx to netif_receive_skb (received through
 * the backlog of a CPU). Each napi_poll is a moment with what it did. This file has only the
 * definition.
 */
#include "analysis.h"
#include "pair.h"

enum { XMIT, RX, NAPI };
static const char *const groups[] = {"xmit", "rx", "napi"};

/* Most packets are received without netif_rx: drivers poll them. */
static const struct derived_event net_events[] = {
	{"net/net_dev_queue", PAIR_OF(XMIT, PAIR_BEGIN),
	 (const char *const[]){"skbaddr", "name", "len", NULL}},
	{"net/net_dev_xmit", PAIR_OF(XMIT, PAIR_END),
	 (const char *const[]){"skbaddr", "", "", "rc", NULL}},
	{"net/netif_rx", PAIR_OF(RX, PAIR_BEGIN),
	 (const char *const[]){"skbaddr", "name", "len", NULL}},
	{"net/netif_receive_skb", PAIR_OF(RX, PAIR_END_IF), (const char *const[]){"skbaddr", NULL}},
	{"napi/napi_poll", PAIR_OF(NAPI, PAIR_MOMENT),
	 (const char *const[]){"napi", "dev_name", "", "work", "budget", NULL}},
};
static const struct meta_column net_columns[] = {
	{"kind", TABLE_NAME, 0, false}, {"dev", TABLE_NAME, 0, false},
	{"addr", TABLE_INT, 8, false},	{"len", TABLE_INT, 4, false},
	{"rc", TABLE_INT, 4, true},	{"work", TABLE_INT, 4, true},
	{"budget", TABLE_INT, 4, true}, {NULL, TABLE_INT, 0, false},
};
static const struct pair_out net_outs[] = {
	{PAIR_OUT_GROUP, 0, PAIR_INT}, {PAIR_OUT_BEGIN, 1, PAIR_TEXT},
	{PAIR_OUT_BEGIN, 0, PAIR_INT}, {PAIR_OUT_BEGIN, 2, PAIR_INT},
	{PAIR_OUT_END, 3, PAIR_INT},   {PAIR_OUT_BEGIN, 3, PAIR_INT},
	{PAIR_OUT_BEGIN, 4, PAIR_INT},
};
static const struct pair_def net_def = {
	.by = PAIR_BY_KEY,
	.key_slots = 1,
	.groups = groups,
	.outs = net_outs,
	.out_count = sizeof(net_outs) / sizeof(net_outs[0]),
};

PAIR_TABLE(net, .about = {"packets in queues: sent, received; and polls of devices",
			  "net/net_dev_queue|net/netif_rx|napi/napi_poll "
			  "net/net_dev_xmit|net/netif_receive_skb|napi/napi_poll",
			  "-e net -e napi"});
