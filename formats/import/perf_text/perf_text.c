/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines the importer of perf script's text. Its lines are taken apart here; what becomes of the
 * events, tasks and losses in them is as with the kernel's text, whose importer runs it.
 */
#include "import/importers.h"
#include "perf_line.h"
#include "perf_reader.h"

enum { LINE_BITS = 20, EVENT_BITS = 1 };

static enum tdat_status run(const struct tdat_import_request *request, const struct tdat_emit *emit,
			    struct tdat_error *err)
{
	static const struct ft_kind kind = {
		.name = "perf-text",
		.system = "perf_text",
		.none = "no line has the columns of perf script and an event's name",
		.read = perf_read_text,
	};

	return ft_import(&kind, request, emit, err);
}

/* Bits that a line speaks for perf script; none, if the kernel may have printed it. */
static uint32_t line_bits(struct tdat_span line)
{
	struct perf_line perf;
	struct tdat_span name;
	struct ft_head kernel;
	unsigned columns;

	if (!perf_line_guess(line, &columns, &perf))
		return 0;
	for (enum ft_layout l = FT_DEFAULT; l < FT_GRAPH; l++)
		if (ft_head_parse(l, line, 0, &kernel))
			return 0;
	if (!perf_is_record(perf.event) && !perf_tracepoint(perf.event, &name) &&
	    !(columns & PERF_TIME && columns & PERF_TID))
		return 0;
	/* Listings of other tools may have a CPU and a name, too. */
	return columns & PERF_TIME ? LINE_BITS : EVENT_BITS;
}

static uint32_t probe(const struct tdat_import_input *inputs, size_t input_count)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < input_count; i++)
		bits += ft_probe(inputs[i].source, "# ========\n# capture", LINE_BITS, line_bits);
	return bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
}

const struct tdat_importer import_perf_text = {
	.name = "perf-text",
	.summary = "text of perf script, with or without call chains, with any -F",
	.options = ft_option_descs,
	.probe = probe,
	.run = run,
};
