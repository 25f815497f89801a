/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the events of trace files by name: count_events FILE... */
#include <inttypes.h>
#include <stdio.h>

#include <tdat/tdat.h>

static enum tdat_status count(struct tdat_file *file, uint64_t counts[65536],
			      struct tdat_error *err)
{
	struct tdat_iter_input input = {.file = file};
	const struct tdat_event *event;
	struct tdat_iter *iter;
	enum tdat_status st = tdat_iter_new(&iter, &input, 1, NULL, err);

	while (!st && !(st = tdat_iter_next(iter, &event, err)) && event)
		counts[event->id & 0xffff]++;
	tdat_iter_free(iter);
	return st;
}

static void print_counts(const struct tdat_file *file, const uint64_t counts[65536])
{
	for (uint32_t id = 0; id < 65536; id++) {
		const struct tdat_format *format = tdat_file_format_by_id(file, id);

		if (counts[id] && format)
			printf("%10" PRIu64 " %s:%s\n", counts[id], tdat_format_system(format),
			       tdat_format_name(format));
		else if (counts[id])
			printf("%10" PRIu64 " id %" PRIu32 "\n", counts[id], id);
	}
}

int main(int argc, char **argv)
{
	int failures = 0;

	for (int i = 1; i < argc; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		static uint64_t counts[65536];
		struct tdat_file *file;

		for (uint32_t id = 0; id < 65536; id++)
			counts[id] = 0;
		if (tdat_file_open(&file, argv[i], NULL, &err)) {
			fprintf(stderr, "%s: %s\n", argv[i], err.message);
			failures++;
			continue;
		}
		if (count(file, counts, &err)) {
			fprintf(stderr, "%s: %s\n", argv[i], err.message);
			failures++;
		}
		print_counts(file, counts);
		tdat_file_close(file);
	}
	return failures ? 1 : 0;
}
