/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gives strings and symbols of an ELF kernel or module, by address and by name. */
#ifndef TDAT_IMPORT_KTR_ELF_IMAGE_H
#define TDAT_IMPORT_KTR_ELF_IMAGE_H

#include <tdat/source.h>

struct tdat_build;

/* What the head of the file says; the rest is behind it. */
struct ktr_image {
	uint8_t word; /* bytes in an address: 4 or 8 */
	bool big;
	bool needs_base; /* a module, whose addresses mean nothing without the one it was loaded at
			  */
	uint16_t machine;
};

/*
 * source stays open as long as the image. base: where a module was loaded; 0
 * for a kernel. *out is NULL when the file is no ELF file that can be read.
 */
enum tdat_status ktr_image_open(struct ktr_image **out, const struct tdat_source *source,
				const char *name, uint64_t base, struct tdat_error *err);
void ktr_image_close(struct ktr_image *image);

/* Up to max bytes before a NUL at an address; ptr NULL when nothing lies there. */
struct tdat_span ktr_image_string(const struct ktr_image *image, uint64_t addr, size_t max);
/* An int variable by name; false without it. */
bool ktr_image_int(const struct ktr_image *image, const char *symbol, uint32_t *out);
/* A char array by name. */
struct tdat_span ktr_image_text(const struct ktr_image *image, const char *symbol);
/* Appends lines as of /proc/kallsyms. module: NULL for a kernel. */
enum tdat_status ktr_image_kallsyms(const struct ktr_image *image, const char *module,
				    struct tdat_build *out, struct tdat_error *err);

#endif
