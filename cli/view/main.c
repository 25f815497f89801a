/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program tdat-view, which the command tdat view runs. The order is: options, files, socket,
 * browser process, sandbox, parsing, engine, server. With -o a report or picture is written instead
 * of serving. A signal ends the server and waits for running answers.
 */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args/parse.h"
#include "http/server.h"
#include "input/damage.h"
#include "input/trace_files.h"
#include "safety/descriptors.h"
#include "safety/sandbox.h"
#include "safety/sandbox_output.h"
#include "safety/stack.h"
#include "view/browser.h"
#include "view/listen.h"
#include "view/options.h"
#include "view/output.h"
#include "view/sql.h"

struct view {
	struct cli_view_args args;
	struct cli_files files;
	struct tdat_iter_input *inputs;
	size_t input_count;
	struct view_engine *engine;
	struct view_api *api;
	struct cli_view_sql *sql;
	struct view_server *server;
	struct view_server_def def;
	int damaged; /* CLI_FAILED: something of the files' metadata cannot be read */
	char address[CLI_ADDRESS_LEN];
	int browser;
	sigset_t signals;
};

/* Parses the files within the sandbox, and sets their offsets. */
static int parse_files(struct view *v)
{
	const int rc = cli_files_parse_all(&v->files, &v->args.limits, &v->inputs, &v->input_count,
					   &v->damaged);

	for (size_t i = 0; i < v->input_count; i++)
		v->inputs[i].ts_offset = v->args.inputs[i].ts_offset;
	return rc;
}

/* Does everything that the sandbox forbids later, then enters it. */
static int open_all(struct view *v)
{
	int rc = cli_view_output_check(&v->args);

	v->args.input_count = cli_files_join(&v->files, v->args.inputs, v->args.input_count,
					     sizeof(*v->args.inputs));
	cli_raise_file_limit();
	for (size_t i = 0; rc == CLI_OK && i < v->args.input_count; i++)
		rc = cli_files_add(&v->files, v->args.inputs[i].path, false);
	v->damaged = cli_input_doubts() ? CLI_FAILED : CLI_OK;
	if (rc == CLI_OK && v->args.output) {
		cli_sandbox_for_output(v->args.output, NULL, NULL, 0);
		return CLI_OK;
	}
	if (rc == CLI_OK)
		rc = cli_listen(v->args.host, (uint16_t)v->args.port, &v->def.fd, v->address);
	if (rc != CLI_OK)
		return rc;
	if (!view_token_make(v->def.token)) {
		cli_error(NULL, "the system returned no random numbers");
		return CLI_FAILED;
	}
	v->browser = v->args.no_browser ? -1 : cli_browser_start();
	cli_view_sql_prepare();
	cli_sandbox_enter(NULL, 0, CLI_SANDBOX_SERVING);
	return CLI_OK;
}

/* The work of the engine that follows the index. A program that ends says nothing any more. */
static void tell_damage(void *ctx, const bool *stop)
{
	if (!__atomic_load_n(stop, __ATOMIC_RELAXED))
		cli_view_tell_damage(ctx);
}

/* Starts the index; the server answers while it is made. */
static int start(struct view *v)
{
	const struct view_engine_opts opts = {(unsigned)v->args.threads,
					      (uint32_t)v->args.read_always};
	struct tdat_error err = TDAT_ERROR_INIT;

	if (view_engine_new(&v->engine, v->inputs, v->input_count, &opts, &err) ||
	    view_api_new(&v->api, v->engine, &err))
		return cli_fail(NULL, &err);
	if (v->args.output)
		return CLI_OK;
	if (cli_view_sql_new(&v->sql, v->api, view_engine_index(v->engine)->trace, &err))
		return cli_fail(NULL, &err);
	v->def.api = v->api;
	v->def.host = v->args.host;
	v->def.in_frame = v->args.in_frame;
	if (view_server_start(&v->server, &v->def, &err))
		return cli_fail(NULL, &err);
	/* Without memory for it rows are made when they are asked for. */
	view_api_warm(v->api);
	view_engine_do(v->engine, tell_damage, v->engine, true);
	return CLI_OK;
}

/*
 * Says how to end the program, and how to reach it from another machine. Under ssh that machine is
 * where the user sits, and the address of this one is the third word of SSH_CONNECTION.
 */
static void tell_how(const struct view *v)
{
	const char *port = strrchr(v->address, ':') + 1, *user = getenv("USER");
	const char *connection = getenv("SSH_CONNECTION");
	char own[64] = "";

	fprintf(stderr, "Press Ctrl-C to stop.");
	if (!v->args.host && connection && user && sscanf(connection, "%*s %*s %63s", own) == 1)
		fprintf(stderr,
			" This is an ssh session: on your machine, run ssh -N -L %s:127.0.0.1:%s "
			"%s@%s and open the address",
			port, port, user, own);
	else if (!v->args.host)
		fprintf(stderr,
			" To open the page on another machine, run there: ssh -N -L "
			"%s:127.0.0.1:%s HOST",
			port, port);
	fputc('\n', stderr);
}

/* Serves until a signal ends the program. The address is the only line on stdout. */
static int serve(struct view *v)
{
	char address[CLI_ADDRESS_LEN + VIEW_TOKEN_LEN + 4];
	int number;

	snprintf(address, sizeof(address), "%s/%s/", v->address, v->def.token);
	printf("%s\n", address);
	if (fflush(stdout)) {
		cli_error(NULL, "cannot print the address");
		return CLI_FAILED;
	}
	tell_how(v);
	cli_browser_open(v->browser, address);
	sigwait(&v->signals, &number);
	return CLI_OK;
}

/* The browser's process is released on each path, also without an address. */
static int run(struct view *v)
{
	int rc = open_all(v);

	if (rc == CLI_OK)
		rc = parse_files(v);
	if (rc == CLI_OK)
		rc = start(v);
	if (rc == CLI_OK)
		rc = v->args.output ? cli_view_output_write(&v->args, v->engine, v->api) : serve(v);
	cli_browser_end(v->browser);
	/* The page shows damage, too, which does not end the server. */
	return rc == CLI_OK && v->args.output ? v->damaged : rc;
}

static void free_args(struct cli_view_args *args)
{
	cli_list_fini(&args->rows);
	free(args->inputs);
}

/*
 * The order matters: waiting questions are ended first, then the server, then the threads that work
 * for the api.
 */
static void stop(struct view *v)
{
	view_engine_stop(v->engine);
	cli_view_sql_stop(v->sql);
	view_server_stop(v->server);
	cli_view_sql_free(v->sql);
	view_engine_free(v->engine);
	view_api_free(v->api);
	cli_files_free_inputs(v->inputs, v->input_count);
	cli_files_close(&v->files);
	free_args(&v->args);
}

/* Blocks the signals, which all threads inherit; serve() waits for them. */
static void take_signals(struct view *v)
{
	sigemptyset(&v->signals);
	sigaddset(&v->signals, SIGINT);
	sigaddset(&v->signals, SIGTERM);
	sigaddset(&v->signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &v->signals, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int view_run(int argc, char **argv)
{
	const struct cli_cmd self = {.name = "view",
				     .summary = cli_view_summary,
				     .synopsis = cli_view_synopsis,
				     .opts = cli_view_opts,
				     .notes = cli_view_notes};
	struct view v = {.args = {.events = 20000, .limits = TDAT_LIMITS_INIT},
			 .def = {.fd = -1},
			 .browser = -1};
	int status;

	/* Otherwise each thread has an arena of its own, which keeps the memory that it freed. */
#ifdef M_ARENA_MAX /* of glibc */
	mallopt(M_ARENA_MAX, 2);
#endif
	if (!cli_opt_parse(&self, cli_view_opts, &argc, argv, &v.args, &status)) {
		free_args(&v.args);
		return status;
	}
	if (!v.args.output)
		take_signals(&v);
	v.files.spool_len = v.args.limits.spool_len;
	status = v.args.input_count ? CLI_OK : cli_view_input_add(&v.args, "trace.dat");
	if (status == CLI_OK)
		status = run(&v);
	stop(&v);
	return status;
}

int main(int argc, char **argv)
{
	cli_stdio_guard();
	setvbuf(stderr, NULL, _IOLBF, 0);
	return cli_stdout_close(cli_stack_run(view_run, argc, argv));
}
