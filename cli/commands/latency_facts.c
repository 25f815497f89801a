/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the outputs of "tdat latency" have in common. */
#include "commands/latency_facts.h"

#include <stdlib.h>
#include <string.h>

const uint32_t latency_quantiles[4] = {500, 900, 990, 999};
const char *const latency_quantile_names[4] = {"p50", "p90", "p99", "p99.9"};

char *latency_dump(const struct latency *l, const struct latency_worst *w)
{
	const uint64_t end = l->is_time && w->value > 0 ? w->ts + (uint64_t)w->value : w->ts;
	char from[32], to[32];
	struct tdat_build b;
	char *text = NULL;

	tdat_build_init(&b, false);
	cli_trace_time(l->trace, w->ts, from);
	cli_trace_time(l->trace, end, to);
	tdat_build_printf(&b, "tdat dump%s%s --from %s --to %s",
			  l->args->table.raw_ts ? " --raw-ts" : "",
			  l->args->table.no_date ? " --nodate" : "", from, to);
	for (int i = 0; i < l->path_count; i++) {
		tdat_build_u8(&b, ' ');
		tdat_build_str(&b, l->paths[i]);
	}
	tdat_build_u8(&b, '\0');
	if (!b.failed)
		text = strdup((const char *)b.ptr);
	tdat_build_fini(&b);
	return text;
}
