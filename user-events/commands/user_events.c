/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat user-events: formats that the kernel makes, its status files, and recording.
 * Words after the command choose a verb: print formats, check payloads, read status files,
 * record, enable. The first need no kernel; record is in user_record.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/user_events.h>

#include "user_events.h"
#include "core/nearest.h"
#include "user_record.h"
#include "user_status.h"
#include "terminal/safe_text.h"

/* The options of all verbs; record has most of them. */
struct user_args {
	uint64_t id;
	int way;
	struct user_record_args record;
};

/* One table for all verbs: its help names the verb of each option. */
static const struct cli_opt user_opts[] = {
	CLI_U64(0, "id", "N", 0, 65535, struct user_args, id,
		"format: the event id in the ID line (default: 0)"),
	CLI_CHOICE(0, "index", "WAY", cli_status_ways, struct user_args, way,
		   "status: the layout of pages: byte (5.18), bit (6.0 to 6.3), or auto (default)"),
	CLI_STRING('o', "output", "FILE", struct user_args, record.out.path,
		   "record: write FILE (default: trace.dat)"),
	CLI_FLAG('f', "force", struct user_args, record.out.force,
		 "record: replace an existing file"),
	CLI_LIST(0, "enable", "GLOB", struct user_args, record.globs,
		 "record: enable only events whose name matches (default: all)"),
	CLI_STRING(0, "control", "PATH", struct user_args, record.control,
		   "record: create a socket for enable and disable"),
	CLI_FLAG(0, "notify", struct user_args, record.notify,
		 "record: use seccomp notifications instead of loading a library"),
	CLI_SIZE(0, "ring-size", "SIZE", 65536, 1073741824, struct user_args, record.ring_len,
		 "record: size of each thread's ring buffer, a power of two (default: 4M)"),
	CLI_U64(0, "wait", "MS", 0, 3600000, struct user_args, record.wait_ms,
		"record: time that a write waits for room in its ring buffer (default: 1000)"),
	CLI_U64(0, "file-version", "6|7", 6, 7, struct user_args, record.out.file_version,
		"record: output version (default: 7)"),
	CLI_CHOICE(0, "compression", "NAME", cli_compressions, struct user_args,
		   record.out.compression, "record: none, zlib, zstd, or any (default)"),
	CLI_OUT_TMPDIR(struct user_args, record.out.tmpdir),
	CLI_FLAG('q', "quiet", struct user_args, record.out.quiet, "record: print no summary"),
	CLI_OPT_END,
};

/* Warns of brackets behind the name of a field, which the kernel takes as a part of the name. */
static void warn_of_brackets(const struct tdat_user_event *event)
{
	const struct tdat_user_field *f;

	for (size_t i = 0; (f = tdat_user_event_field(event, i)); i++) {
		const char *bracket = strchr(f->name, '[');

		if (bracket)
			cli_error(NULL,
				  "field \"%s %s\": the kernel reads the brackets as part of the "
				  "name, so the field has %" PRIu32
				  " byte%s; write an array as \"%s%s %.*s\"",
				  f->type, f->name, f->size, f->size == 1 ? "" : "s", f->type,
				  bracket, (int)(bracket - f->name), f->name);
	}
}

/* Parses a registration as the kernel does. A refusal has the kernel's errno, by name. */
static int parse(const char *command, struct tdat_user_event **event)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	if (tdat_user_event_parse(event, command, &err) == TDAT_OK) {
		warn_of_brackets(*event);
		return CLI_OK;
	}
	if (err.sys_errno)
		cli_error(NULL, "'%s': %s: %s", command, tdat_user_errno_name(err.sys_errno),
			  err.message);
	else
		cli_fail(NULL, &err);
	return CLI_FAILED;
}

/* Prints the file format that tracefs would have for a registration. */
static int print_format(const struct user_args *args, const char *command)
{
	struct tdat_user_event *event;
	int rc = parse(command, &event);
	char *text;
	size_t len;

	/* The first call finds the length, the second one writes. */
	if (rc)
		return rc;
	len = tdat_user_event_format(event, (uint16_t)args->id, NULL, 0);
	text = malloc(len + 1);
	if (text) {
		tdat_user_event_format(event, (uint16_t)args->id, text, len + 1);
		cli_put_stored(text, len, false);
	}
	tdat_user_event_free(event);
	free(text);
	return text ? CLI_OK : cli_nomem();
}

/* Prints the size of a payload and its fields: offset, size, signed or not, type, name. */
static int print_check(const struct user_args *args, const char *command)
{
	const struct tdat_user_field *f;
	struct tdat_user_event *event;
	int rc = parse(command, &event);

	(void)args;
	if (rc)
		return rc;
	cli_put_str(stdout, tdat_user_event_name(event));
	printf(": payload of %" PRIu32 " bytes or more\n", tdat_user_event_min_size(event));
	for (size_t i = 0; (f = tdat_user_event_field(event, i)); i++) {
		printf("  %4" PRIu32 " %4" PRIu32 " %s ", f->off, f->size,
		       f->is_signed ? "s" : "u");
		cli_put_str(stdout, f->type);
		putchar(' ');
		cli_put_str(stdout, f->name);
		putchar('\n');
	}
	tdat_user_event_free(event);
	return CLI_OK;
}

/* Calls fn for each registration. One that is wrong does not keep the others from being printed. */
static int each(const struct user_args *args, char *const *words, int count, const char *what,
		int (*fn)(const struct user_args *, const char *))
{
	int rc = CLI_OK;

	if (!count) {
		cli_error(NULL, "user-events %s needs a registration: 'test u32 count'", what);
		return CLI_USAGE;
	}
	for (int i = 0; i < count; i++) {
		int one = fn(args, words[i]);

		rc = rc ? rc : one;
	}
	return rc;
}

/* Runs the verb after the command. --control is checked by its own verbs. */
static int run_verb(const struct user_args *args, int argc, char **argv)
{
	static const char *const names[] = {"format", "check",	"status",
					    "record", "enable", "disable"};
	struct tdat_near near = {.word = argv[1]};

	if (argc < 2) {
		cli_error(NULL, "user-events needs a subcommand: format, check, status or record");
		return CLI_USAGE;
	}
	if (!strcmp(argv[1], "format"))
		return each(args, argv + 2, argc - 2, "format", print_format);
	if (!strcmp(argv[1], "check"))
		return each(args, argv + 2, argc - 2, "check", print_check);
	if (!strcmp(argv[1], "status"))
		return cli_status_files(argv + 2, argc - 2, (enum cli_status_way)args->way);
	if (!strcmp(argv[1], "record"))
		return cli_user_record(&args->record, argv + 2, argc - 2);
	if (!strcmp(argv[1], "enable") || !strcmp(argv[1], "disable"))
		return cli_user_enable(&args->record, argv[1], argv + 2, argc - 2);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		tdat_near_try(&near, names[i]);
	cli_error(NULL, "unknown user-events subcommand '%s'%s", argv[1],
		  tdat_near_hint(&near, ""));
	return CLI_USAGE;
}

/* Sets the defaults that differ from zero, and frees the globs on each way out. */
static int user_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct user_args args = {
		.record = {.out = {.path = "trace.dat", .compression = -1},
			   .ring_len = 4 << 20,
			   .wait_ms = 1000},
	};
	int status;

	if (cli_opt_parse(cmd, user_opts, &argc, argv, &args, &status))
		status = run_verb(&args, argc, argv);
	cli_list_fini(&args.record.globs);
	return status;
}

static const char *const user_synopsis[] = {"format [--id N] REGISTRATION...",
					    "check REGISTRATION...",
					    "status [--index WAY] FILE...",
					    "record [OPTIONS] [-o FILE] -- PROGRAM [ARGUMENT...]",
					    "enable|disable --control PATH GLOB...",
					    NULL};
static const char *const user_notes[] = {
	"REGISTRATION is the line that a program passes to the kernel: 'test u32 n; char[20] msg'.",
	"FILE is a copy of user_events_status: its lines, or the page that programs map. Lines "
	"name the events of the pages that follow.",
	"record ends when the program and its children end, and exits with the program's status, "
	"or with 1 if events were dropped or the file could not be written.",
	NULL,
};

const struct cli_cmd cli_cmd_user_events = {
	.name = "user-events",
	.summary = "Record user_events without kernel support; print their formats",
	.synopsis = user_synopsis,
	.opts = user_opts,
	.notes = user_notes,
	.run = user_run,
};
