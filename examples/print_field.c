/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prints a field of the events between two times in ns: print_field FILE FIELD FROM TO. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tdat/tdat.h>

int main(int argc, char **argv)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *event;
	struct tdat_iter *iter;
	int64_t value;

	opts.from = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
	opts.to = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	tdat_iter_open(&iter, argc > 2 ? argv[1] : "", &opts, &err);
	while (!err.status && !tdat_iter_next(iter, &event, &err) && event)
		if (!tdat_event_i64(event, argv[2], &value, NULL))
			printf("%" PRIu64 " %" PRId64 "\n", event->ts, value);
	tdat_iter_free(iter);
	return err.status ? fprintf(stderr, "%s\n", err.message), 1 : 0;
}
