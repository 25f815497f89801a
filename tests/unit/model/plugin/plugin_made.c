/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A user's plugin: prints made/handled itself and knows double_it(). */
#include <event-parse.h>
#include <trace-seq.h>

int TEP_PLUGIN_LOADER(struct tep_handle *tep);

static int handled(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		   void *context)
{
	unsigned long long a = 0;

	(void)context;
	tep_get_field_val(s, event, "a", record, &a, 1);
	trace_seq_printf(s, "from the plugin: %llu", a);
	return 0;
}

static unsigned long long double_it(struct trace_seq *s, unsigned long long *args)
{
	trace_seq_printf(s, "%llu", args[0] * 2);
	return args[0] * 2;
}

__attribute__((visibility("default"))) int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	tep_register_event_handler(tep, -1, "made", "handled", handled, NULL);
	tep_register_print_function(tep, double_it, TEP_FUNC_ARG_STRING, (char *)"double_it",
				    TEP_FUNC_ARG_INT, TEP_FUNC_ARG_VOID);
	return 0;
}
