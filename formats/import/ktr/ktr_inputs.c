/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells what each input is: entries, a listing, strings, an image, or nothing of a capture.
 * Names and first bytes decide. A second file of a kind of which a capture has one is reported
 * as left out.
 */
#include "ktr.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "import/importer_options.h"
#include "import/left_out.h"
#include "elf_image.h"
#include "entry_layout.h"

/* True if a file is named as a ring of BSD/OS, "ktrN.bin", and *cpu is in range. */
bool ktr_ring_cpu(const char *name, uint32_t *cpu)
{
	const char *p;
	uint64_t v;

	if (strncmp(name, "ktr", 3) || !tdat_is_dec((uint8_t)name[3]))
		return false;
	p = tdat_read_digits(name + 3, NULL, 10, &v);
	*cpu = (uint32_t)v;
	return v < KTR_CPU_MAX && !strcmp(p, ".bin");
}

/* True if a file begins as ELF and is at least as long as the header of 32-bit ELF (52 bytes). */
bool ktr_is_elf(const struct tdat_source *source)
{
	uint8_t magic[4];

	return tdat_source_len(source) >= 52 &&
	       tdat_source_read(source, 0, magic, sizeof(magic), NULL) == TDAT_OK &&
	       !memcmp(magic, "\177ELF", sizeof(magic));
}

/* True if the name marks a list of strings: strings.txt or *.strings. */
bool ktr_is_strings_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return !strcmp(name, "strings.txt") || (dot && !strcmp(dot, ".strings"));
}

/* True if the name alone says that a file holds entries, even an empty one. */
static bool is_entries_name(const char *name)
{
	uint32_t cpu;

	return !strcmp(name, "ktr.out") || !strcmp(name, "ktr_buf.bin") || ktr_ring_cpu(name, &cpu);
}

/* True if the option key names the input. */
bool ktr_is_option_file(const struct tdat_import_request *request, const char *key,
			const struct tdat_import_input *in)
{
	const char *value = import_option_find(request, key);

	return value && (!strcmp(value, in->path) || !strcmp(value, in->name));
}

/*
 * Sorts one input into data, listings or sidecars. Names come before contents, as strings and an
 * empty ring have no telling contents.
 */
static enum tdat_status take_input(struct ktr_files *f, const struct tdat_import_request *request,
				   const struct tdat_import_input *in, const struct tdat_emit *emit,
				   struct tdat_error *err)
{
	if (!strcmp(in->name, "meta"))
		return ktr_meta_read(&f->meta, in, emit, err);
	if (ktr_is_option_file(request, "strings", in) || ktr_is_strings_name(in->name) ||
	    ktr_is_elf(in->source))
		f->sidecars[f->sidecar_count++] = in;
	/* An empty ring is a capture of nothing, not an error. */
	else if (!tdat_source_len(in->source) &&
		 (is_entries_name(in->name) || request->input_count == 1))
		f->data[f->data_count++] = in;
	else if (ktr_text_is(in->source))
		f->texts[f->text_count++] = in;
	/* Binary bytes of unknown name may be entries; scoring will tell. Prose never is. */
	else if (tdat_source_len(in->source) && !import_is_prose(in->source))
		f->data[f->data_count++] = in;
	else
		return import_warn_left_out(
			emit, in, is_entries_name(in->name),
			"they are text, but not a listing of ktrdump, tdump or ddb", err);
	return TDAT_OK;
}

/* Warns of CPUs whose ring is missing, if at least one CPU has a ring. */
static enum tdat_status warn_absent_rings(const struct ktr_files *f, const struct tdat_emit *emit,
					  struct tdat_error *err)
{
	bool *has_ring = calloc(KTR_CPU_MAX, sizeof(*has_ring));
	enum tdat_status st = TDAT_OK;
	bool any = false;
	uint32_t cpu;

	if (!has_ring)
		return tdat_error_no_memory(err, "the CPUs of rings");
	for (size_t i = 0; i < f->data_count; i++)
		if (ktr_ring_cpu(f->data[i]->name, &cpu))
			any = has_ring[cpu] = true;
	if (any)
		st = ktr_meta_warn_absent(&f->meta, has_ring, KTR_CPU_MAX, emit, err);
	free(has_ring);
	return st;
}

/*
 * Sorts the inputs by what they are and refuses mixtures that cannot be imported together. The
 * lists borrow the inputs.
 */
enum tdat_status ktr_files_init(struct ktr_files *f, const struct tdat_import_request *request,
				const struct tdat_emit *emit, struct tdat_error *err)
{
	size_t n = request->input_count + 1;
	enum tdat_status st = TDAT_OK;

	*f = (struct ktr_files){0};
	/* Each list may take all inputs. */
	f->data = calloc(n, sizeof(*f->data));
	f->texts = calloc(n, sizeof(*f->texts));
	f->sidecars = calloc(n, sizeof(*f->sidecars));
	if (!f->data || !f->texts || !f->sidecars)
		return tdat_error_no_memory(err, "inputs");
	for (size_t i = 0; i < request->input_count && st == TDAT_OK; i++)
		st = take_input(f, request, &request->inputs[i], emit, err);
	if (st != TDAT_OK)
		return st;
	if (!f->data_count && !f->text_count)
		return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
				      "no KTR entries among the inputs: no ktr.out, no ring copy "
				      "and no listing of ktrdump, tdump or ddb");
	if (f->data_count && f->text_count)
		return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
				      "the inputs contain both binary entries (%s) and a listing "
				      "(%s): give only one of them",
				      f->data[0]->path, f->texts[0]->path);
	/* Rows of two listings cannot be merged. */
	if (f->text_count > 1)
		return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
				      "the inputs contain %zu listings (%s, %s), whose clocks may "
				      "differ: give one at a time",
				      f->text_count, f->texts[0]->path, f->texts[1]->path);
	return warn_absent_rings(f, emit, err);
}

void ktr_files_fini(struct ktr_files *f)
{
	free(f->data);
	free(f->texts);
	free(f->sidecars);
}
