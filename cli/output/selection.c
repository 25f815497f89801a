/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Warns that the options that choose events chose none. A command that prints nothing should say
 * why: the options are named. A name of --comm that no file has saved is perhaps misspelled, and
 * the nearest one is proposed; events may tell names that no file has saved, so it is no error.
 */
#include "output/selection.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "core/text.h"
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
		cli_error(file, "--cpu selects no event: the trace has no data of CPU %" PRIu32,
			  cpus->v[0]);
	else
		cli_error(file,
			  "--cpu selects no event: the trace has no data of these CPUs, %" PRIu32
			  " to %" PRIu32,
			  cpus->v[0], cpus->v[cpus->count - 1]);
	return true;
}

/* Offers the saved names of tasks. True: the word fits one. */
static bool offer_tasks(struct tdat_near *near, const struct tdat_file *file)
{
	struct tdat_span text = tdat_file_part(file, TDAT_PART_CMDLINES), line;
	bool fits = false;

	while (tdat_take_line(&text, &line)) {
		const char *blank = line.len ? memchr(line.ptr, ' ', line.len) : NULL;
		const size_t pid = blank ? (size_t)(blank + 1 - (const char *)line.ptr) : line.len;
		char name[TDAT_NEAR_NAME];

		snprintf(name, sizeof(name), "%.*s", (int)(line.len - pid), line.ptr + pid);
		fits |= !fnmatch(near->word, name, 0);
		tdat_near_try(near, name);
	}
	return fits;
}

/* The task that is nearest to the first name of --comm that no file has saved. */
const char *cli_selection_hint(struct tdat_near *near, const struct cli_list *comms,
			       const struct tdat_iter_input *inputs, size_t input_count)
{
	for (size_t i = 0; i < comms->count; i++) {
		bool fits = false;

		*near = (struct tdat_near){.word = comms->v[i]};
		for (size_t k = 0; k < input_count; k++)
			fits |= offer_tasks(near, inputs[k].file);
		/* The idle tasks have no name in a file. */
		tdat_near_try(near, "<idle>");
		if (!fits && *near->best)
			return tdat_near_hint(near, "");
	}
	return "";
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
	struct tdat_near near;
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
		cli_error(file, "no event matches %s%s", names,
			  cli_selection_hint(&near, &f->comms, inputs, input_count));
	return given != 0;
}
