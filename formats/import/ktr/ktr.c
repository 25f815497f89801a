/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines the importer of KTR captures: its options, the files they name, and the steps of an
 * import. Order: options, files they name, layout, clock rate, formats and names, then entries
 * or rows of a listing. A rate that is not known is estimated (stathz.c), and VERSION says so.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/build.h"
#include "core/grow.h"
#include "import/cpustat.h"
#include "import/importer_options.h"
#include "import/importers.h"
#include "elf_image.h"
#include "ktr.h"
#include "entry_layout.h"
#include "kernel_strings.h"

/*
 * Kinds of --cpu-hz: a number, "auto" (estimated from statclock), or absent (time stays in cycles).
 */
enum { HZ_GIVEN, HZ_AUTO, HZ_NONE };

static const struct tdat_keyed_option_desc option_descs[] = {
	{"kernel", "FILE", "ELF kernel (or kernel.debug) with strings and symbols"},
	{"module", "FILE@ADDR", "ELF module and its load address; may be repeated"},
	{"strings", "FILE", "file of lines 0xADDR<TAB>\"text\""},
	{"layout", "NAME",
	 "freebsd-v2-64, freebsd-v2-32, freebsd-v2-32a8, freebsd-v1-64, freebsd-v1-32, bsdos, "
	 "freebsd-2000, freebsd-2000-64, freebsd-2000x, freebsd-2001x (default: auto)"},
	{"endian", "ORDER", "byte order: little or big (default: auto)"},
	{"clock", "KIND", "BSD/OS timestamps: tsc or timeval (default: from meta, or tsc)"},
	{"cpu-hz", "HZ", "cycles per second, to convert to ns; auto: from statclock ticks"},
	{"typed", NULL, "add a separate event type for each format"},
	{"graph", NULL, "add events for KTRGRAPH states, counters and points"},
	{"sched", NULL, "add sched_switch and sched_wakeup from KTRGRAPH states"},
	{"atrace", NULL, "add counters for Perfetto from KTRGRAPH counters"},
	{NULL, NULL, NULL},
};

struct options {
	size_t layout; /* KTR_LAYOUT_COUNT: to be found */
	int big;       /* -1: to be found */
	size_t clock;  /* 0 tsc, 1 timeval, 2 not given */
	int hz_kind;
	struct ktr_output_opts output;
};

/* Everything a run holds. */
struct session {
	const struct tdat_import_request *request;
	const struct tdat_emit *emit;
	struct options opts;
	struct ktr_files files;
	struct ktr_strings strings;
	struct tdat_source **opened; /* files that options named */
	size_t opened_count, opened_cap;
	const struct ktr_image *kernel; /* NULL: none given */
	struct ktr_setup setup;
	struct ktr_stathz stathz;
	/* By enum ktr_layout_id; then "auto", as KTR_LAYOUT_COUNT, and NULL. */
	const char *layout_names[KTR_LAYOUT_COUNT + 2];
};

/* Reads --cpu-hz. The rate itself is set later for "auto", when the entries have been surveyed. */
static enum tdat_status parse_hz(struct options *o, const struct tdat_import_request *request,
				 struct tdat_error *err)
{
	const char *value = import_option_find(request, "cpu-hz");

	o->hz_kind = HZ_NONE;
	if (!value)
		return TDAT_OK;
	o->hz_kind = strcmp(value, "auto") ? HZ_GIVEN : HZ_AUTO;
	if (o->hz_kind == HZ_AUTO)
		return TDAT_OK;
	return import_option_u64(request, "cpu-hz", 1, KTR_HZ_MAX, &o->output.hz, TDAT_OK, err);
}

static enum tdat_status parse_options(struct session *s, struct tdat_error *err)
{
	const struct tdat_import_request *request = s->request;
	struct options *o = &s->opts;
	static const char *const orders[] = {"little", "big", "auto", NULL};
	static const char *const clocks[] = {"tsc", "timeval", NULL};
	/* "auto", unless the option says otherwise */
	size_t order = 2;
	enum tdat_status st;

	for (size_t i = 0; i < KTR_LAYOUT_COUNT; i++)
		s->layout_names[i] = ktr_layout(i)->name;
	s->layout_names[KTR_LAYOUT_COUNT] = "auto";
	*o = (struct options){.layout = KTR_LAYOUT_COUNT, .clock = 2};
	st = import_options_check(request, option_descs, "ktr", err);
	st = import_option_choice(request, "layout", s->layout_names, &o->layout, st, err);
	st = import_option_choice(request, "endian", orders, &order, st, err);
	st = import_option_choice(request, "clock", clocks, &o->clock, st, err);
	if (st == TDAT_OK)
		st = parse_hz(o, request, err);
	o->big = order == 2 ? -1 : (int)order;
	o->output.typed = import_option_flag(request, "typed");
	o->output.graph = import_option_flag(request, "graph");
	o->output.sched = import_option_flag(request, "sched");
	o->output.atrace = import_option_flag(request, "atrace");
	return st;
}

/* ---- strings ---- */

/*
 * Finds a file that an option names. An input of that name or path is used; else the file is opened
 * and the session owns it.
 */
static enum tdat_status find_source(struct session *s, const char *path,
				    const struct tdat_source **out, struct tdat_error *err)
{
	struct tdat_source *source;
	enum tdat_status st;

	/* Inputs may not be files at all (a pipe, memory), so their names come first. */
	for (size_t i = 0; i < s->request->input_count; i++) {
		const struct tdat_import_input *in = &s->request->inputs[i];

		if (strcmp(in->path, path) && strcmp(in->name, path))
			continue;
		*out = in->source;
		return TDAT_OK;
	}
	if (!TDAT_GROW(s->opened, &s->opened_cap, s->opened_count + 1))
		return tdat_error_no_memory(err, "files that options name");
	st = tdat_source_open_path(&source, path, TDAT_ACCESS_READ, err);
	if (st != TDAT_OK)
		return st;
	s->opened[s->opened_count++] = source;
	*out = source;
	return TDAT_OK;
}

/*
 * Opens an image and adds its strings. The first one that is not a module is the kernel, whose word
 * size, byte order and machine describe the capture.
 */
static enum tdat_status add_image(struct session *s, const struct tdat_source *source,
				  const char *name, const char *module, uint64_t base,
				  struct tdat_error *err)
{
	struct ktr_image *image;
	enum tdat_status st = ktr_image_open(&image, source, name, base, err);

	if (st != TDAT_OK)
		return st;
	/* Without its address, an object file's strings would be found at wrong addresses. */
	if (!base && image->needs_base) {
		ktr_image_close(image);
		return tdat_error_set(
			err, TDAT_E_FORMAT, 0,
			"%s is a module: specify its load address with --module FILE@ADDR", name);
	}
	if (!module && !s->kernel)
		s->kernel = image;
	return ktr_strings_add_image(&s->strings, image, module, err);
}

/* Adds a module named as "if_em.ko@ffffffff82000000". */
static enum tdat_status add_module(struct session *s, const char *value, struct tdat_error *err)
{
	const char *at = strrchr(value, '@');
	char path[4096], number[40];
	const struct tdat_source *source;
	enum tdat_status st;
	uint64_t base;

	/* The address is hexadecimal with or without 0x, as kldstat prints it. */
	snprintf(number, sizeof(number), "%s%s", at && strncmp(at + 1, "0x", 2) ? "0x" : "",
		 at ? at + 1 : "");
	if (!at || at == value || (size_t)(at - value) >= sizeof(path) ||
	    !tdat_whole_size(number, &base) || !base)
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"option \"module\" is \"%s\", but must be FILE@ADDR with ADDR "
			"in hex",
			value);
	memcpy(path, value, (size_t)(at - value));
	path[at - value] = '\0';
	st = find_source(s, path, &source, err);
	if (st != TDAT_OK)
		return st;
	/* The name is used in sentences and in kallsyms: it has to outlive path. */
	return add_image(s, source, tdat_source_name(source), tdat_source_name(source), base, err);
}

/* True if an option names the input, so that it was added already. */
static bool is_option_file(const struct session *s, const struct tdat_import_input *in)
{
	if (ktr_is_option_file(s->request, "kernel", in) ||
	    ktr_is_option_file(s->request, "strings", in))
		return true;
	/* --module may be repeated, and its file's name ends before the last @. */
	for (size_t i = 0; i < s->request->option_count; i++) {
		const char *value = s->request->options[i].value, *at;
		size_t len;

		if (strcmp(s->request->options[i].key, "module"))
			continue;
		at = strrchr(value, '@');
		len = at ? (size_t)(at - value) : 0;
		if ((strlen(in->path) == len && !memcmp(value, in->path, len)) ||
		    (strlen(in->name) == len && !memcmp(value, in->name, len)))
			return true;
	}
	return false;
}

/*
 * Adds files beside the capture. A damaged image is a doubt, since the entries can still be
 * read.
 */
static enum tdat_status add_sidecars(struct session *s, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < s->files.sidecar_count && st == TDAT_OK; i++) {
		const struct tdat_import_input *in = s->files.sidecars[i];
		struct tdat_error own = TDAT_ERROR_INIT;

		if (is_option_file(s, in))
			continue;
		if (!ktr_is_elf(in->source)) {
			st = ktr_strings_add_file(&s->strings, in, s->emit, err);
			continue;
		}
		/*
		 * Its own error: a damaged image becomes a warning, other failures stop the import.
		 */
		st = add_image(s, in->source, in->name, NULL, 0, &own);
		if (st == TDAT_E_FORMAT || st == TDAT_E_LIMIT || st == TDAT_E_UNSUPPORTED)
			st = tdat_emit_warnf(s->emit, in->name, 0, err, "%s", own.message);
		else if (st != TDAT_OK && err)
			*err = own;
	}
	return st;
}

/*
 * Adds the files of --kernel, --module and --strings. A failure is an error, since the user asked
 * for them.
 */
static enum tdat_status add_option_files(struct session *s, struct tdat_error *err)
{
	const char *kernel = import_option_find(s->request, "kernel");
	const char *strings = import_option_find(s->request, "strings");
	const struct tdat_source *source;
	enum tdat_status st = TDAT_OK;

	if (kernel) {
		st = find_source(s, kernel, &source, err);
		if (st == TDAT_OK)
			st = add_image(s, source, kernel, NULL, 0, err);
	}
	for (size_t i = 0; i < s->request->option_count && st == TDAT_OK; i++)
		if (!strcmp(s->request->options[i].key, "module"))
			st = add_module(s, s->request->options[i].value, err);
	if (st == TDAT_OK && strings) {
		struct tdat_import_input in = {strings, strings, NULL};

		st = find_source(s, strings, &in.source, err);
		/* An empty list is allowed, and adds nothing. */
		if (st == TDAT_OK && tdat_source_len(in.source))
			st = ktr_strings_add_file(&s->strings, &in, s->emit, err);
	}
	return st;
}

/* ---- layout ---- */

/* Takes layout, byte order and clock from the sidecar, where the options do not say. */
static enum tdat_status use_meta(struct session *s, struct tdat_error *err)
{
	const struct ktr_meta *m = &s->files.meta;
	struct options *o = &s->opts;

	if (!m->input)
		return TDAT_OK;
	if (o->layout == KTR_LAYOUT_COUNT && m->layout[0]) {
		if (!import_find_name(s->layout_names, m->layout, &o->layout) ||
		    o->layout == KTR_LAYOUT_COUNT)
			return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
					      "%s names the layout \"%s\", which is unknown",
					      m->input->path, m->layout);
		/* The sidecar names the layout by its year only, and the word size apart. */
		if (o->layout == KTR_2000_32 && m->word == 8)
			o->layout = KTR_2000_64;
	}
	if (o->big < 0 && (!strcmp(m->endian, "little") || !strcmp(m->endian, "big")))
		o->big = m->endian[0] == 'b';
	if (o->clock == 2 && m->clock[0])
		o->clock = !strcmp(m->clock, "timeval");
	return TDAT_OK;
}

/*
 * True if a layout is possible by word size, ktr_version and machine (0: unknown). A layout that
 * was named is the only one possible.
 */
static bool layout_fits(const struct session *s, size_t id, uint64_t word, uint32_t version)
{
	const struct ktr_layout *l = ktr_layout(id);
	bool v1 = id == KTR_V1_64 || id == KTR_V1_32;

	if (s->opts.layout < KTR_LAYOUT_COUNT)
		return id == s->opts.layout;
	if ((word && l->word != word) || (version == 1 && !v1) || (version == 2 && v1))
		return false;
	/* i386 aligns 64-bit members to 4 bytes, other 32-bit machines to 8 bytes. */
	if (s->kernel && id == KTR_V2_32)
		return s->kernel->machine == EM_386;
	if (s->kernel && id == KTR_V2_32A8)
		return s->kernel->machine != EM_386;
	return true;
}

/* freebsd-2000 and freebsd-2000x each mean two layouts: of 64-bit machines, and of 2001. */
static void refine_layout(struct session *s)
{
	uint64_t len = 0;

	if (s->opts.layout == KTR_2000_32 && s->kernel && s->kernel->word == 8)
		s->opts.layout = KTR_2000_64;
	/*
	 * The two freebsd-2000x layouts differ in length: the one that divides the data is right.
	 */
	for (size_t i = 0; i < s->files.data_count; i++)
		len += tdat_source_len(s->files.data[i]->source);
	if (s->opts.layout == KTR_2000X && len % ktr_layout(KTR_2000X)->len &&
	    !(len % ktr_layout(KTR_2001X)->len))
		s->opts.layout = KTR_2001X;
}

/*
 * Settles s->setup: from options and sidecar, from the kernel image, then by scoring the entries.
 */
static enum tdat_status find_layout(struct session *s, struct tdat_error *err)
{
	const struct ktr_meta *m = &s->files.meta;
	struct ktr_candidates candidates = {0};
	uint64_t word = m->word;
	uint32_t version = (uint32_t)m->version;
	int big = s->opts.big;
	enum tdat_status st;

	if (s->kernel) {
		word = word ? word : s->kernel->word;
		if (big < 0)
			big = s->kernel->big;
		/* FreeBSD's kernel has its KTR version as a variable (sys/kern/kern_ktr.c). */
		if (!version)
			ktr_image_int(s->kernel, "ktr_version", &version);
	}
	if (version > 2 && s->opts.layout == KTR_LAYOUT_COUNT)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				      "ktr_version is %u, but only 1 and 2 are supported "
				      "(DragonFly has 3 and more: convert its text)",
				      version);
	refine_layout(s);
	/* Little endian unless something says big; detection below may still change it. */
	s->setup.big = big > 0;
	/* These layouts cannot be scored, so only the byte order is left to find. */
	if (s->opts.layout >= KTR_SCORED && s->opts.layout < KTR_LAYOUT_COUNT) {
		s->setup.layout = ktr_layout(s->opts.layout);
		s->setup.time = s->setup.layout->time;
		if (big < 0)
			s->setup.big =
				ktr_detect_big(&s->setup, s->files.data, s->files.data_count,
					       ktr_strings_any(&s->strings) ? &s->strings : NULL);
		/* Both are known: nothing is left to find. */
	} else if (s->opts.layout < KTR_SCORED && big >= 0) {
		s->setup.layout = ktr_layout(s->opts.layout);
		/* Score all layouts that do not contradict the facts. */
	} else {
		for (size_t id = 0; id < KTR_SCORED; id++)
			for (int order = 0; order < 2; order++)
				candidates.allowed[id][order] = (big < 0 || order == big) &&
								layout_fits(s, id, word, version);
		st = ktr_detect(&s->setup, &candidates, s->files.data, s->files.data_count,
				&s->strings, err);
		if (st != TDAT_OK)
			return st;
	}
	/* Files without entries leave the layout unknown. */
	if (s->setup.layout)
		s->setup.time = s->setup.layout->time;
	if (s->opts.layout == KTR_BSDOS) {
		s->setup.time = s->opts.clock == 1 ? KTR_TIME_TIMEVAL : KTR_TIME_CYCLES;
		s->strings.max = 79; /* as tdump */
	}
	return TDAT_OK;
}

/* ---- what comes before the events ---- */

/* Clock of the trace: "local" for ns, "x86-tsc" for cycles of x86, else "counter". */
static const char *clock_name(const struct session *s, const struct ktr_survey *survey)
{
	const struct ktr_layout *l = s->setup.layout;

	if (s->opts.output.ns || s->opts.output.hz)
		return "local";
	if (!l || s->setup.big)
		return "counter";
	/* The kernel's machine is certain; without a kernel, layout and addresses must do. */
	if (s->kernel)
		return s->kernel->machine == EM_386 || s->kernel->machine == EM_X86_64 ? "x86-tsc"
										       : "counter";
	/* Only i386 has these layouts. */
	if (l == ktr_layout(KTR_V2_32) || l == ktr_layout(KTR_BSDOS))
		return "x86-tsc";
	if (l->word == 8 && survey && survey->image_votes * 2 > survey->entries)
		return "x86-tsc";
	return "counter";
}

/*
 * Describes the system in place of uname, which no capture holds. The release is the kernel's
 * variable osrelease.
 */
static void make_uname(const struct session *s, enum ktr_text_form form, char *out, size_t cap)
{
	struct tdat_span release = {NULL, 0};

	if (s->kernel)
		release = ktr_image_text(s->kernel, "osrelease");
	if (s->setup.layout == ktr_layout(KTR_BSDOS) || form == KTR_TEXT_TDUMP ||
	    form == KTR_TEXT_KDEBUG)
		snprintf(out, cap, "BSD/OS (ktr import)");
	else if (form == KTR_TEXT_DRAGONFLY)
		snprintf(out, cap, "DragonFly (ktr import)");
	else if (release.len)
		snprintf(out, cap, "FreeBSD %.*s (ktr import)", (int)release.len,
			 (const char *)release.ptr);
	else
		snprintf(out, cap, "FreeBSD (ktr import)");
	/* The release is text of the image and may hold anything. */
	for (char *p = out; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
}

/*
 * Emits the symbols of all images as one kallsyms text. Modules are named by their file, without
 * folder and suffix.
 */
static enum tdat_status emit_kallsyms(const struct session *s, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct tdat_build b;

	tdat_build_init(&b, false);
	for (size_t i = 0; i < s->strings.image_count && st == TDAT_OK; i++) {
		const char *name = s->strings.module_names[i];
		char module[64];

		if (name)
			name = tdat_base_name(name);
		snprintf(module, sizeof(module), "%.*s", (int)(name ? strcspn(name, ". \t\n") : 0),
			 name ? name : "");
		st = ktr_image_kallsyms(s->strings.images[i], name ? module : NULL, &b, err);
	}
	if (st == TDAT_OK && b.len)
		st = tdat_emit_kallsyms(s->emit, (const char *)b.ptr, b.len, err);
	tdat_build_fini(&b);
	return st;
}

/* What the survey of either kind of capture found. */
struct found {
	const char *layout, *endian, *clock;
	enum ktr_text_form form;
	uint64_t entries;
	uint32_t cpus, cpu_count; /* different ones; highest + 1 */
};

/* Emits the fixed facts of the trace; must come before all events. */
static enum tdat_status emit_info(const struct session *s, const struct found *f,
				  struct tdat_error *err)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	char version[160], uname[KTR_STRING_MAX + 64];

	make_uname(s, f->form, uname, sizeof(uname));
	snprintf(version, sizeof(version), "tdat %s (ktr, %s%s%s)", tdat_version(), f->layout,
		 s->opts.output.sched ? ", sched events synthesised" : "",
		 s->opts.output.hz ? ", time from cycles" : "");
	info.big_endian = s->setup.big;
	info.long_size = s->setup.layout ? s->setup.layout->word : 8;
	info.cpu_count = f->cpu_count ? f->cpu_count : 1;
	info.clock = f->clock;
	info.uname = uname;
	info.version = version;
	return tdat_emit_info(s->emit, &info, err);
}

/* Emits all that comes before the events, and readies the output. */
static enum tdat_status begin(struct session *s, const struct found *f, struct ktr_output *out,
			      struct tdat_error *err)
{
	enum tdat_status st = emit_info(s, f, err);

	if (st == TDAT_OK)
		st = tdat_emit_factf(s->emit, "layout", err, "%s", f->layout);
	if (st == TDAT_OK)
		st = tdat_emit_factf(s->emit, "endian", err, "%s", f->endian);
	st = import_fact_u64(s->emit, "entries", f->entries, st, err);
	st = import_fact_u64(s->emit, "cpus", f->cpus, st, err);
	if (s->opts.output.hz && !s->opts.output.ns)
		st = import_fact_u64(s->emit, "cpu-hz", s->opts.output.hz, st, err);
	if (st == TDAT_OK)
		st = emit_kallsyms(s, err);
	if (st == TDAT_OK)
		st = ktr_output_init(out, s->emit, &s->setup, &s->opts.output, &s->strings,
				     f->cpu_count, err);
	return st;
}

/*
 * Applies the rate that --cpu-hz=auto found, or that the listing names (given). Time stays in
 * cycles if there is none.
 */
static enum tdat_status settle_hz(struct session *s, uint64_t given, struct tdat_error *err)
{
	if (s->opts.hz_kind != HZ_AUTO)
		return TDAT_OK;
	s->opts.output.hz = given ? given : ktr_stathz_hz(&s->stathz);
	if (s->opts.output.hz && s->opts.output.hz <= KTR_HZ_MAX)
		return TDAT_OK;
	s->opts.output.hz = 0;
	return tdat_emit_warnf(s->emit, NULL, TDAT_NO_OFFSET, err,
			       "cpu-hz=auto failed: no CPU has two statclock ticks with a stathz "
			       "attribute, so times stay in cycles");
}

/* ---- binary ---- */

/*
 * Second half of a binary import: everything is known, so emit facts, symbols, warnings and then
 * events.
 */
static enum tdat_status convert_binary(struct session *s, struct ktr_reader *r,
				       const struct ktr_survey *survey, struct tdat_error *err)
{
	struct found f = {.layout = s->setup.layout ? s->setup.layout->name : "unknown",
			  .endian = s->setup.big ? "big" : "little",
			  .entries = survey->entries,
			  .cpus = survey->cpus,
			  .cpu_count = survey->cpu_count};
	struct ktr_output out = {0};
	enum tdat_status st;

	/* Layouts with real time need no rate. */
	s->opts.output.ns = s->setup.time != KTR_TIME_CYCLES;
	f.clock = clock_name(s, survey);
	if (!s->setup.layout)
		f.endian = "unknown";
	st = begin(s, &f, &out, err);
	if (st == TDAT_OK)
		st = ktr_survey_warn(survey, r, s->emit, err);
	if (st == TDAT_OK)
		st = ktr_reader_emit(r, survey, &out, s->request->threads, err);
	if (st == TDAT_OK)
		st = ktr_output_end(&out, &s->files.meta, err);
	ktr_output_fini(&out);
	return st;
}

/* Imports binary entries: two passes over the input, since order and rate must be known first. */
static enum tdat_status run_binary(struct session *s, struct tdat_error *err)
{
	struct ktr_formats formats = {0};
	struct ktr_survey survey = {0};
	struct ktr_reader r = {0};
	bool rate = s->opts.hz_kind == HZ_AUTO;
	enum tdat_status st = find_layout(s, err);

	if (st == TDAT_OK)
		st = ktr_reader_init(&r, &s->setup, &s->files, s->emit, err);
	/*
	 * The survey has formats of its own: counts of unresolved ones belong to the second pass.
	 */
	if (st == TDAT_OK)
		st = ktr_reader_survey(&r, &survey, rate ? &s->stathz : NULL, &formats, &s->strings,
				       err);
	ktr_formats_fini(&formats);
	if (st == TDAT_OK && s->setup.time == KTR_TIME_CYCLES)
		st = settle_hz(s, 0, err);
	if (st == TDAT_OK)
		st = convert_binary(s, &r, &survey, err);
	ktr_survey_fini(&survey);
	ktr_reader_fini(&r);
	return st;
}

/* ---- text ---- */

/* Second half of an import of a listing. */
static enum tdat_status convert_text(struct session *s, struct ktr_text *t, struct tdat_error *err)
{
	const struct ktr_text_survey *survey = &t->survey;
	struct found f = {.layout = ktr_text_form_name(t->shape.form),
			  .endian = "-",
			  .form = t->shape.form,
			  .entries = survey->rows,
			  .cpus = survey->cpus,
			  .cpu_count = survey->cpu_count};
	struct ktr_output out = {0};
	enum tdat_status st;

	s->opts.output.ns = survey->ns;
	if (!survey->has_time)
		s->opts.output.hz = 0; /* rows are only numbered */
	f.clock = clock_name(s, NULL);
	st = begin(s, &f, &out, err);
	if (st == TDAT_OK)
		st = ktr_text_warn(t, s->emit, err);
	if (st == TDAT_OK)
		st = ktr_text_emit(t, &out, err);
	if (st == TDAT_OK)
		st = ktr_output_end(&out, &s->files.meta, err);
	ktr_output_fini(&out);
	return st;
}

/* Imports one listing: its shape, a survey of all rows, then the events. */
static enum tdat_status run_text(struct session *s, struct tdat_error *err)
{
	struct ktr_text t = {.input = s->files.texts[0]};
	bool rate = s->opts.hz_kind == HZ_AUTO;
	enum tdat_status st;

	ktr_text_shape(t.input->source, &t.shape);
	st = ktr_text_survey(&t, rate ? &s->stathz : NULL, err);
	/* DragonFly's listing may name the TSC frequency in its head. */
	if (st == TDAT_OK && t.survey.has_time && !t.survey.ns)
		st = settle_hz(s, t.shape.hz, err);
	if (st == TDAT_OK)
		st = convert_text(s, &t, err);
	return st;
}

/* Runs the steps of an import. Options win over the sidecar, which wins over guesses. */
static enum tdat_status run_session(struct session *s, struct tdat_error *err)
{
	enum tdat_status st = parse_options(s, err);

	if (st == TDAT_OK)
		st = ktr_files_init(&s->files, s->request, s->emit, err);
	if (st == TDAT_OK)
		st = use_meta(s, err);
	if (st == TDAT_OK)
		st = add_option_files(s, err);
	if (st == TDAT_OK)
		st = add_sidecars(s, err);
	if (st != TDAT_OK)
		/* ktr_files_init() made sure that there is one kind and not both. */
		return st;
	return s->files.data_count ? run_binary(s, err) : run_text(s, err);
}

/*
 * Entry point of the importer. The session is large (a cache of strings), so it lives on the heap.
 */
static enum tdat_status ktr_run(const struct tdat_import_request *request,
				const struct tdat_emit *emit, struct tdat_error *err)
{
	struct session *s = calloc(1, sizeof(*s));
	enum tdat_status st;

	if (!s)
		return tdat_error_no_memory(err, "a KTR capture");
	s->request = request;
	s->emit = emit;
	ktr_strings_init(&s->strings);
	st = run_session(s, err);
	ktr_strings_fini(&s->strings);
	ktr_files_fini(&s->files);
	for (size_t i = 0; i < s->opened_count; i++)
		tdat_source_close(s->opened[i]);
	free(s->opened);
	free(s);
	return st;
}

const struct tdat_importer import_ktr = {
	.name = "ktr",
	.summary = "KTR entries of FreeBSD and BSD/OS (ktr.out, ring copies), and output of "
		   "ktrdump, tdump and ddb",
	.options = option_descs,
	.probe = ktr_probe,
	.run = ktr_run,
};
