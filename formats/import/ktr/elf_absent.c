/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the place of elf_image.c in a library without libelf: no image can be opened, so that
 * the other functions are never called with one.
 */
#include "elf_image.h"

/* Fails always, so that every later function can rely on an image being NULL. */
enum tdat_status ktr_image_open(struct ktr_image **out, const struct tdat_source *source,
				const char *name, uint64_t base, struct tdat_error *err)
{
	(void)source;
	(void)base;
	*out = NULL;
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
			      "%s needs libelf, but this libtdat was built without it "
			      "(TDAT_LIBELF=OFF): give a list of strings instead (--strings)",
			      name);
}

void ktr_image_close(struct ktr_image *image)
{
	(void)image;
}

struct tdat_span ktr_image_string(const struct ktr_image *image, uint64_t addr, size_t max)
{
	(void)image;
	(void)addr;
	(void)max;
	return (struct tdat_span){NULL, 0};
}

bool ktr_image_int(const struct ktr_image *image, const char *symbol, uint32_t *out)
{
	(void)image;
	(void)symbol;
	(void)out;
	return false;
}

struct tdat_span ktr_image_text(const struct ktr_image *image, const char *symbol)
{
	(void)image;
	(void)symbol;
	return (struct tdat_span){NULL, 0};
}

enum tdat_status ktr_image_kallsyms(const struct ktr_image *image, const char *module,
				    struct tdat_build *out, struct tdat_error *err)
{
	(void)image;
	(void)module;
	(void)out;
	(void)err;
	return TDAT_OK;
}
