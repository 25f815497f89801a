/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds code that the outputs of "tdat latency" share. */
#include "commands/latency_facts.h"

#include <stdlib.h>
#include <string.h>

const char *const latency_quantile_names[LATENCY_QUANTILES] = {"p50", "p90", "p99", "p99.9"};

bool latency_quantiles(const struct latency *l, size_t group, int64_t out[LATENCY_QUANTILES])
{
	static const uint32_t parts[LATENCY_QUANTILES] = {500, 900, 990, 999};
	const bool all = group == LATENCY_ALL;

	return cli_values_quantiles(all ? l->values : &l->values[group], all ? l->groups.count : 1,
				    parts, LATENCY_QUANTILES, out);
}

void latency_log2(const struct latency *l, size_t group, uint64_t out[CLI_VALUES_LOG2])
{
	const bool all = group == LATENCY_ALL;

	cli_values_log2(all ? l->values : &l->values[group], all ? l->groups.count : 1, out);
}

/* A word as a shell takes it: in quotes unless it has none but harmless characters. */
static void put_shell_word(struct tdat_build *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:,=+@%";

	if (*word && strspn(word, plain) == strlen(word)) {
		tdat_build_str(b, word);
		return;
	}
	tdat_build_u8(b, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			tdat_build_str(b, "'\\'");
		tdat_build_u8(b, (uint8_t)*word);
	}
	tdat_build_u8(b, '\'');
}

char *latency_dump(const struct latency *l, const struct latency_worst *w)
{
	const uint64_t end = l->is_time && w->value > 0 ? w->ts + (uint64_t)w->value : w->ts;
	char from[32], to[32];
	struct tdat_build b;
	char *text = NULL;

	tdat_build_init(&b, false);
	cli_trace_time(l->trace, w->ts, from);
	cli_trace_time(l->trace, end, to);
	tdat_build_printf(&b, "tdat dump%s%s --from %s --until %s",
			  l->args->table.raw_ts ? " --raw-ts" : "",
			  l->args->table.no_date ? " --nodate" : "", from, to);
	for (int i = 0; i < l->path_count; i++) {
		tdat_build_u8(&b, ' ');
		put_shell_word(&b, l->paths[i]);
	}
	tdat_build_u8(&b, '\0');
	if (!b.failed)
		text = strdup((const char *)b.ptr);
	tdat_build_fini(&b);
	return text;
}
