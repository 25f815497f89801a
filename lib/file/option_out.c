/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hands the values of an option to a visitor. The visitor's functions may be missing: each is
 * called only if it is there. With no visitor at all the payload is merely checked.
 */
#include "option_parts.h"

void option_number(struct option_out *o, const char *key, uint64_t value)
{
	if (o->v.number)
		o->v.number(o->v.ctx, key, value, false);
}

void option_hex(struct option_out *o, const char *key, uint64_t value)
{
	if (o->v.number)
		o->v.number(o->v.ctx, key, value, true);
}

void option_signed(struct option_out *o, const char *key, int64_t value)
{
	if (o->v.signed_number)
		o->v.signed_number(o->v.ctx, key, value);
}

void option_text(struct option_out *o, const char *key, struct tdat_span text)
{
	if (o->v.text)
		o->v.text(o->v.ctx, key, text);
}

void option_bytes(struct option_out *o, const char *key, struct tdat_span bytes)
{
	if (o->v.bytes)
		o->v.bytes(o->v.ctx, key, bytes);
}

static void begin(struct option_out *o, const char *key, bool list)
{
	if (o->v.begin)
		o->v.begin(o->v.ctx, key, list);
}

static void end(struct option_out *o, bool list)
{
	if (o->v.end)
		o->v.end(o->v.ctx, list);
}

void option_list(struct option_out *o, const char *key)
{
	begin(o, key, true);
}

void option_list_end(struct option_out *o)
{
	end(o, true);
}

void option_group(struct option_out *o, const char *key)
{
	begin(o, key, false);
}

void option_group_end(struct option_out *o)
{
	end(o, false);
}
