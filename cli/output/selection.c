/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Warns that the options that choose events chose none. A command that prints nothing should say
 * why: the options are named.
 */
#include "output/selection.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "terminal/message.h"

/* True if a file has one of the CPUs, with or without events. */
static bool has_cpu(const struct tdat_file *file, const struct cli_cpus *cpus)
{
	size_t count;
	const struct tdat_buffer *buffers = tdat_file_buffers(file, &count);

	for (size_t b = 0; b < count; b++)
		for (uint32_t c = 0; c < buffers[b].cpu_count; c++)
			if (cli_cpus_has(cpus, buffers[b].cpus[c].cpu))
				return true;
	return false;
}

/* Names CPUs that no file has: "CPU 99", or the range of several. False: there is data of some. */
static bool warn_cpus(const char *file, const struct cli_cpus *cpus,
		      const struct tdat_iter_input *inputs, size_t input_count)
{
	for (size_t i = 0; i < input_count; i++)
		if (has_cpu(inputs[i].file, cpus))
			return false;
	if (cpus->count == 1)
		cli_error(file, "--cpu chooses no event: there is no data of CPU %" PRIu32,
			  cpus->v[0]);
	else
		cli_error(file,
			  "--cpu chooses no event: there is no data of its CPUs, %" PRIu32
			  " to %" PRIu32,
			  cpus->v[0], cpus->v[cpus->count - 1]);
	return true;
}

/* file NULL: several files. Without an option that chooses events nothing is printed, and false
 * returned. */
bool cli_selection_warn(const char *file, const struct cli_filter *f, const struct cli_cpus *cpus,
			const struct tdat_iter_input *inputs, size_t input_count)
{
	const struct {
		const char *name;
		bool given;
	} options[] = {
		{"--cpu", cpus->count},	      {"-F", f->expr_count},
		{"--event", f->events.count}, {"--pid", f->pids.count},
		{"--comm", f->comms.count},   {"--buffer", f->buffers.count},
		{"--from", f->from},	      {"--until", f->until},
	};
	char names[128] = "";
	size_t given = 0, used = 0, n = 0;

	if (cpus->count && warn_cpus(file, cpus, inputs, input_count))
		return true;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		given += options[i].given;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (!options[i].given)
			continue;
		n++;
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
					 n == 1	      ? ""
					 : n == given ? " and "
						      : ", ",
					 options[i].name);
	}
	if (given)
		cli_error(file, "no event passes %s", names);
	return given != 0;
}
