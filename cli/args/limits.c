/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The option --max NAME=VALUE, by a table of the library's limits. Each row has a member of struct
 * tdat_limits and its width. An unknown name is refused with the nearest one. Users set limits only
 * here.
 */
#include "args/limits.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "args/value.h"
#include "core/nearest.h"
#include "terminal/message.h"

/* Members of struct tdat_limits have 32 or 64 bits; the macro keeps name and offset together. */
static const struct limit {
	const char *name;
	size_t off;
	bool wide; /* 64 bits */
	bool own;  /* a member of struct cli_unpack_limits */
} limits[] = {
#define ROW(type, name, wide, own)                                                                 \
	{                                                                                          \
#name, offsetof(type, name), wide, own                                             \
	}
#define LIMIT(name, wide) ROW(struct tdat_limits, name, wide, false)
#define OWN(name) ROW(struct cli_unpack_limits, name, true, true)
	LIMIT(sections, false),
	LIMIT(options, false),
	LIMIT(option_len, false),
	LIMIT(formats, false),
	LIMIT(format_len, false),
	LIMIT(buffers, false),
	LIMIT(cpus, false),
	LIMIT(page_len, false),
	LIMIT(section_len, true),
	LIMIT(chunk_len, true),
	LIMIT(print_steps, false),
	LIMIT(print_len, false),
	LIMIT(text_ratio, false),
	LIMIT(data_ratio, false),
	LIMIT(name_len, false),
	LIMIT(spool_len, true),
	LIMIT(fields, false),
	OWN(unpacked),
	OWN(imported),
	OWN(window),
#undef OWN
#undef LIMIT
#undef ROW
};

static struct cli_unpack_limits unpack_limits;

const struct cli_unpack_limits *cli_unpack_limits(void)
{
	return &unpack_limits;
}

enum { LIMIT_COUNT = sizeof(limits) / sizeof(limits[0]) };

/* The name ends at "=", hence the length. */
static const struct limit *find(const char *name, size_t len)
{
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		if (strlen(limits[i].name) == len && !memcmp(limits[i].name, name, len))
			return &limits[i];
	return NULL;
}

static int unknown(const char *name, size_t len)
{
	char word[64];
	struct tdat_near near = {.word = word};

	snprintf(word, sizeof(word), "%.*s", (int)(len < 63 ? len : 63), name);
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		tdat_near_try(&near, limits[i].name);
	cli_error(NULL, "unknown limit '%s'%s", word, tdat_near_hint(&near, ""));
	return CLI_USAGE;
}

/* Called for each --max. Values are sizes, "64M" or a number, from 1 to the member's range. */
int cli_limits_set(void *values, const struct cli_opt *opt, const char *value)
{
	char *base = (char *)values + opt->off;
	size_t len = strcspn(value, "=");
	const struct limit *l = find(value, len);
	struct cli_opt number = {.long_name = "max", .kind = CLI_OPT_SIZE, .min = 1};
	uint64_t v;
	int rc;

	if (!value[len]) {
		cli_error(NULL, "option '--max' needs NAME=VALUE, not '%s'", value);
		return CLI_USAGE;
	}
	if (!l)
		return unknown(value, len);
	number.max = l->wide ? INT64_MAX : UINT32_MAX;
	rc = cli_value_parse(&number, value + len + 1, &v);
	if (rc != CLI_OK)
		return rc;
	if (l->own)
		base = (char *)&unpack_limits;
	/* memcpy, as the member is found by its offset. */
	if (l->wide) {
		memcpy(base + l->off, &v, sizeof(v));
	} else {
		uint32_t narrow = (uint32_t)v;

		memcpy(base + l->off, &narrow, sizeof(narrow));
	}
	return CLI_OK;
}
