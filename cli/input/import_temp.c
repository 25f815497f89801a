/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imports a foreign capture into a temporary trace.dat, for commands that read those. A process of
 * its own does it, in the sandbox of imports, before the command enters its own, which is narrower.
 * The file has no name and disappears with the process. Warnings are printed there; a failure comes
 * back through a pipe.
 */
#include "input/import_temp.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include <tdat/writer.h>

#include "args/limits.h"
#include "core/checked.h"
#include "core/temp_file.h"
#include "input/damage.h"
#include "input/import_run.h"
#include "safety/apart.h"
#include "safety/sandbox_output.h"
#include "terminal/message.h"

/* Unless --max imported says more: enough for any capture, and for pages of many CPUs. */
enum { IMPORTED_LEAST = 256 << 20, IMPORTED_RATIO = 64 };

/* What the process reports at its end. */
struct report {
	size_t importer; /* place in tdat_importers(), from 1, of what knows the capture; 0: none */
	bool warned;	 /* it could not read all of it */
	struct tdat_error err;
};

struct importing {
	const struct cli_import_job *job;
	int fd; /* of the temporary file */
	struct report report;
};

/* Compression would be undone at once. */
static enum tdat_status run_import(const struct cli_import_job *job,
				   const struct tdat_importer *importer, int fd, struct report *r)
{
	struct tdat_import_request request = {sizeof(request),
					      job->in->v,
					      job->in->count,
					      job->given ? job->given->v : NULL,
					      job->given ? job->given->count : 0,
					      false,
					      0};
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_writer *writer;
	struct cli_import run;
	enum tdat_status st;

	opts.compression = "none";
	opts.tmpdir = job->tmpdir;
	opts.fd = &fd;
	st = tdat_writer_new(&writer, "the temporary trace.dat", &opts, &r->err);
	if (st != TDAT_OK)
		return st;
	st = cli_import_run(&run, importer, &request, job->in, writer, &r->err);
	r->warned = run.warnings != 0;
	cli_import_fini(&run);
	tdat_writer_free(writer);
	return st;
}

/* Bounds the files that this process writes; returns the bound. A write beyond it fails. */
static uint64_t bound_files(const struct cli_inputs *in)
{
	uint64_t most = cli_unpack_limits()->imported;
	struct rlimit limit;

	if (!most && (!tdat_mul_u64(cli_inputs_len(in), IMPORTED_RATIO, &most) ||
		      !tdat_add_u64(most, IMPORTED_LEAST, &most)))
		most = UINT64_MAX;
	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur < most)
		return UINT64_MAX;
	limit.rlim_cur = most;
	signal(SIGXFSZ, SIG_IGN);
	return setrlimit(RLIMIT_FSIZE, &limit) ? UINT64_MAX : most;
}

static size_t place_of(const struct tdat_importer *importer)
{
	size_t count;
	const struct tdat_importer *const *all = tdat_importers(&count);

	for (size_t i = 0; i < count; i++)
		if (all[i] == importer)
			return i + 1;
	return 0;
}

static void work(void *ctx, FILE *to)
{
	const struct cli_import_opts none = {.v = NULL};
	const struct importing *im = ctx;
	const struct cli_import_job *job = im->job;
	const struct tdat_importer *importer = job->importer;
	struct report r = {.err = TDAT_ERROR_INIT};
	const uint64_t most = bound_files(job->in);

	cli_sandbox_for_import("-", job->tmpdir, job->given ? job->given : &none, false);
	/* That no importer knows it is no failure: the file itself says what it is. */
	if (!importer &&
	    tdat_importer_probe(job->in->v, job->in->count, &importer, &r.err) != TDAT_OK)
		importer = NULL;
	r.importer = place_of(importer);
	if (r.importer)
		(void)run_import(job, importer, im->fd, &r);
	if (r.err.sys_errno == EFBIG && most != UINT64_MAX)
		tdat_error_set(&r.err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			       "its trace.dat would need more than %" PRIu64
			       " bytes; raise the limit with --max imported=SIZE",
			       most);
	fwrite(&r, sizeof(r), 1, to);
}

static enum tdat_status read_report(void *ctx, FILE *from, struct tdat_error *err)
{
	struct report *r = &((struct importing *)ctx)->report;

	size_t count;

	tdat_importers(&count);
	if (fread(r, sizeof(*r), 1, from) == 1 && r->importer <= count)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_DAMAGED, TDAT_NO_OFFSET,
			      "the process that imported it ended without a report");
}

enum tdat_status cli_import_temp(struct tdat_source **out, const struct tdat_importer **used,
				 const struct cli_import_job *job, const char *name,
				 struct tdat_error *err)
{
	const char *dir = job->tmpdir ? job->tmpdir : tdat_temp_dir();
	struct importing im = {.job = job, .fd = tdat_temp_open(dir)};
	const struct report *r = &im.report;
	enum tdat_status st;
	size_t count;
	bool known;

	*out = NULL;
	*used = NULL;
	if (im.fd < 0)
		return tdat_error_set_errno(err, errno, "cannot store the import in %s", dir);
	st = cli_apart(work, read_report, &im, "cannot import", err);
	known = st == TDAT_OK && r->importer;
	*used = known ? tdat_importers(&count)[r->importer - 1] : NULL;
	if (known && r->err.status) {
		*err = r->err;
		st = r->err.status;
	} else if (known) {
		st = tdat_source_open_fd(out, im.fd, name, TDAT_ACCESS_READ, err);
	}
	if (st == TDAT_OK && known && job->in->left_out && job->in->quiet)
		cli_error(name,
			  "%zu of its entries are links or devices, which were not opened; tdat "
			  "convert lists them",
			  job->in->left_out);
	if (st == TDAT_OK && known && (r->warned || job->in->left_out))
		cli_input_doubted();
	close(im.fd);
	return st;
}
