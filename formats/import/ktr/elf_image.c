/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads an ELF kernel or module with libelf: which bytes lie at which address, and which
 * symbols there are. libelf is given the file as memory of known length; ranges of segments are
 * checked here against that length.
 */
#include "elf_image.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/checked.h"
#include "core/grow.h"
#include "core/on_demand.h"
#include "address_map.h"
#include "entry_layout.h"

enum {
	/* Far above any vmlinux; the file may have to be copied to memory. */
	IMAGE_MAX = 1 << 30,
	/* Segments or sections that are mapped; more are ignored. */
	RANGES_MAX = 65536,
	/* Bytes of /proc/kallsyms text made of an image's symbols. */
	KALLSYMS_MAX = 64 * 1024 * 1024,
	MODULE_BELOW = 4096 /* no kernel is linked so low */
};

/* The functions of libelf that are called. */
/* clang-format off */
#define CALLS(X) \
	X(elf_end) X(elf_getdata) X(elf_getphdrnum) X(elf_getshdrnum) X(elf_kind) \
	X(elf_memory) X(elf_ndxscn) X(elf_nextscn) X(elf_strptr) X(elf_version) \
	X(gelf_getehdr) X(gelf_getphdr) X(gelf_getshdr) X(gelf_getsym)
/* clang-format on */
TDAT_CALLS(elf_calls, CALLS, "libelf.so.1", false)

struct image {
	struct ktr_image seen; /* the first member: what others see of it */
	/* NULL until map_image(). */
	Elf *elf;
	struct elf_calls lib;
	/* For messages; owned by the input. */
	const char *name;
	/* The whole file, of the source or of copy. */
	const uint8_t *bytes;
	uint8_t *copy; /* when the source is not in memory */
	size_t len;
	uint64_t bias;	 /* added to the file's addresses */
	uint64_t lowest; /* address in the file */
	uint16_t type;	 /* e_type of the ELF header */
	struct ktr_range *ranges;
	size_t range_count, range_cap;
	struct ktr_address_map map; /* of the ranges */
	uint64_t *section_addrs;    /* of ET_REL files, by section; 0: not loaded */
	size_t section_count;
	/* Symbols of .symtab; NULL: stripped. */
	Elf_Data *symbols;
	/* Section of the symbols' names. */
	uint32_t strtab;
	size_t symbol_count;
};

void ktr_image_close(struct ktr_image *seen)
{
	struct image *image = (struct image *)seen;
	if (!image)
		return;
	if (image->elf)
		image->lib.elf_end(image->elf);
	free(image->ranges);
	ktr_address_map_fini(&image->map);
	free(image->section_addrs);
	free(image->copy);
	free(image);
}

static enum tdat_status no_memory(const struct image *image, struct tdat_error *err)
{
	return tdat_error_no_memory(err, image ? image->name : "a kernel image");
}

/* Gets the whole file as memory: borrowed where the source is mapped, else copied. */
static enum tdat_status load_bytes(struct image *image, const struct tdat_source *source,
				   struct tdat_error *err)
{
	uint64_t len = tdat_source_len(source);

	if (len > IMAGE_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "%s has %" PRIu64 " bytes, but an image can have at most %d",
				      image->name, len, IMAGE_MAX);
	image->len = (size_t)len;
	image->bytes = tdat_source_peek(source, 0, image->len);
	if (image->bytes)
		return TDAT_OK;
	image->copy = malloc(image->len);
	if (!image->copy)
		return no_memory(image, err);
	image->bytes = image->copy;
	return tdat_source_read(source, 0, image->copy, image->len, err);
}

/* Adds a mapping from addresses to file bytes, cut to the bytes that the file has. */
static enum tdat_status add_range(struct image *image, uint64_t addr, uint64_t off, uint64_t len,
				  struct tdat_error *err)
{
	/* A range that the file no longer has is left out; the rest of the image is used. */
	if (off >= image->len || !len)
		return TDAT_OK;
	if (len > image->len - off)
		len = image->len - off;
	if (image->range_count == RANGES_MAX)
		return TDAT_OK;
	if (!TDAT_GROW(image->ranges, &image->range_cap, image->range_count + 1))
		return no_memory(image, err);
	image->ranges[image->range_count++] = (struct ktr_range){addr, off, len};
	return TDAT_OK;
}

/* Maps a linked file: its segments, moved as a whole so that the lowest is at base. */
static enum tdat_status map_segments(struct image *image, uint64_t base, struct tdat_error *err)
{
	uint64_t lowest = UINT64_MAX;
	enum tdat_status st = TDAT_OK;
	GElf_Phdr ph;
	size_t count;

	if (image->lib.elf_getphdrnum(image->elf, &count))
		return TDAT_OK;
	if (count > RANGES_MAX)
		count = RANGES_MAX;
	/* Find the lowest address first: the bias depends on it. */
	for (size_t i = 0; i < count; i++)
		if (image->lib.gelf_getphdr(image->elf, (int)i, &ph) && ph.p_type == PT_LOAD &&
		    ph.p_vaddr < lowest)
			lowest = ph.p_vaddr;
	image->lowest = lowest;
	/* Whole pages move, as the loader moves them: the offset in the page stays. */
	if (base && lowest != UINT64_MAX)
		image->bias = base - (lowest & ~(uint64_t)0xfff);
	for (size_t i = 0; i < count && st == TDAT_OK; i++)
		if (image->lib.gelf_getphdr(image->elf, (int)i, &ph) && ph.p_type == PT_LOAD)
			st = add_range(image, ph.p_vaddr + image->bias, ph.p_offset, ph.p_filesz,
				       err);
	return st;
}

/* Maps an object file (.ko of amd64): the kernel puts its sections one behind the other. */
static enum tdat_status map_sections(struct image *image, uint64_t base, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	Elf_Scn *scn = NULL;
	uint64_t addr = base;
	GElf_Shdr sh;
	size_t count;

	/* libelf could not count the sections, or the file claims too many: map none of them. */
	if (image->lib.elf_getshdrnum(image->elf, &count) || count > RANGES_MAX)
		return TDAT_OK;
	image->section_addrs = calloc(count + 1, sizeof(*image->section_addrs));
	if (!image->section_addrs)
		return no_memory(image, err);
	image->section_count = count;
	while (st == TDAT_OK && (scn = image->lib.elf_nextscn(image->elf, scn))) {
		size_t index = image->lib.elf_ndxscn(scn);

		/* Sections without SHF_ALLOC (debug data, symbols) are never loaded. */
		if (!image->lib.gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC) ||
		    index >= count)
			continue;
		if (sh.sh_addralign > 1 && !tdat_align_u64(addr, sh.sh_addralign, &addr))
			break;
		image->section_addrs[index] = addr;
		/* .bss takes addresses but has no bytes in the file. */
		if (sh.sh_type != SHT_NOBITS)
			st = add_range(image, addr, sh.sh_offset, sh.sh_size, err);
		if (!tdat_add_u64(addr, sh.sh_size, &addr))
			break;
	}
	return st;
}

/* Finds the static symbol table. Stripped images have none, and then name no function. */
static void find_symbols(struct image *image)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = image->lib.elf_nextscn(image->elf, scn))) {
		if (!image->lib.gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB)
			continue;
		image->symbols = image->lib.elf_getdata(scn, NULL);
		image->strtab = sh.sh_link;
		if (image->symbols && image->symbols->d_buf)
			/*
			 * Elf64_Sym has 24 bytes and Elf32_Sym 16; libelf indexes by int, hence the
			 * cap.
			 */
			image->symbol_count =
				image->symbols->d_size / (image->seen.word == 8 ? 24 : 16);
		if (image->symbol_count > INT32_MAX)
			image->symbol_count = INT32_MAX;
		return;
	}
}

/*
 * Parses the headers and maps what a loader would map. A file without mappable parts is not an
 * error: its strings are just not found.
 */
static enum tdat_status map_image(struct image *image, uint64_t base, struct tdat_error *err)
{
	enum tdat_status st = elf_calls_load(&image->lib, err);
	GElf_Ehdr eh;

	if (st != TDAT_OK)
		return st;
	if (image->lib.elf_version(EV_CURRENT) == EV_NONE)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				      "libelf is older than this build requires");
	/* libelf does not write to it: it was opened for reading. */
	image->elf = image->lib.elf_memory((char *)(uintptr_t)image->bytes, image->len);
	if (!image->elf || image->lib.elf_kind(image->elf) != ELF_K_ELF ||
	    !image->lib.gelf_getehdr(image->elf, &eh))
		return tdat_error_set(err, TDAT_E_FORMAT, 0, "%s is not a readable ELF file",
				      image->name);
	image->seen.word = eh.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	image->seen.big = eh.e_ident[EI_DATA] == ELFDATA2MSB;
	image->seen.machine = eh.e_machine;
	image->type = eh.e_type;
	st = eh.e_type == ET_REL ? map_sections(image, base, err) : map_segments(image, base, err);
	/* Objects and position-independent modules are linked near 0. */
	image->seen.needs_base = eh.e_type == ET_REL || image->lowest < MODULE_BELOW;
	find_symbols(image);
	if (st == TDAT_OK && !ktr_address_map_init(&image->map, image->ranges, image->range_count))
		st = no_memory(image, err);
	return st;
}

/*
 * Opens an image for look-ups by address. base: where it was loaded (0: as linked). On failure *out
 * is NULL.
 */
enum tdat_status ktr_image_open(struct ktr_image **out, const struct tdat_source *source,
				const char *name, uint64_t base, struct tdat_error *err)
{
	struct image *image = calloc(1, sizeof(*image));
	enum tdat_status st;

	*out = NULL;
	if (!image)
		return no_memory(image, err);
	image->name = name;
	image->lowest = UINT64_MAX;
	st = load_bytes(image, source, err);
	if (st == TDAT_OK)
		st = map_image(image, base, err);
	if (st != TDAT_OK) {
		ktr_image_close(&image->seen);
		return st;
	}
	*out = &image->seen;
	return TDAT_OK;
}

/*
 * Bytes at an address of the running kernel, and how many follow in the same range; NULL: not
 * mapped.
 */
static const uint8_t *at_addr(const struct image *image, uint64_t addr, uint64_t *left)
{
	const struct ktr_range *r;
	size_t i;

	if (!ktr_address_map_find(&image->map, addr, &i))
		return NULL;
	r = &image->ranges[i];
	*left = r->len - (addr - r->addr);
	return image->bytes + r->off + (addr - r->addr);
}

/*
 * Text up to a NUL, the end of its range or max bytes. An empty span with NULL means "not mapped".
 */
struct tdat_span ktr_image_string(const struct ktr_image *seen, uint64_t addr, size_t max)
{
	const struct image *image = (const struct image *)seen;
	struct tdat_span s = {NULL, 0};
	const uint8_t *nul;
	uint64_t left = 0;

	s.ptr = at_addr(image, addr, &left);
	if (!s.ptr)
		return s;
	s.len = left < max ? (size_t)left : max;
	nul = memchr(s.ptr, 0, s.len);
	if (nul)
		s.len = (size_t)(nul - s.ptr);
	return s;
}

/* Address of a symbol in the running kernel; 0: its section was not loaded. */
static uint64_t symbol_addr(const struct image *image, const GElf_Sym *sym)
{
	if (image->type != ET_REL)
		return sym->st_value + image->bias;
	if (sym->st_shndx >= image->section_count || !image->section_addrs[sym->st_shndx])
		return 0;
	return image->section_addrs[sym->st_shndx] + sym->st_value;
}

/*
 * Searches by name, one symbol after the other: an import looks up only ktr_version and osrelease.
 */
static bool find_symbol(const struct image *image, const char *name, GElf_Sym *sym)
{
	for (size_t i = 0; i < image->symbol_count; i++) {
		const char *s;

		if (!image->lib.gelf_getsym(image->symbols, (int)i, sym))
			return false;
		s = image->lib.elf_strptr(image->elf, image->strtab, sym->st_name);
		if (s && !strcmp(s, name))
			return true;
	}
	return false;
}

/* Reads a 32-bit variable's initial value from the image. */
bool ktr_image_int(const struct ktr_image *seen, const char *symbol, uint32_t *out)
{
	const struct image *image = (const struct image *)seen;
	const uint8_t *p;
	uint64_t left;
	GElf_Sym sym;

	if (!find_symbol(image, symbol, &sym))
		return false;
	p = at_addr(image, symbol_addr(image, &sym), &left);
	if (!p || left < 4)
		return false;
	*out = tdat_load32(p, image->seen.big);
	return true;
}

struct tdat_span ktr_image_text(const struct ktr_image *seen, const char *symbol)
{
	const struct image *image = (const struct image *)seen;
	struct tdat_span none = {NULL, 0};
	GElf_Sym sym;

	if (!find_symbol(image, symbol, &sym))
		return none;
	return ktr_image_string(seen, symbol_addr(image, &sym), KTR_STRING_MAX);
}

/* True if a symbol's name survives kallsyms text: printable, without blanks, at most 256 bytes. */
static bool name_ok(const char *s)
{
	size_t n = 0;

	for (; s[n]; n++)
		if ((unsigned char)s[n] <= ' ' || (unsigned char)s[n] >= 0x7f || n > 255)
			return false;
	return n > 0;
}

/*
 * Writes the symbols as lines of /proc/kallsyms, the form that trace.dat stores. Index 0 of an ELF
 * symbol table is reserved.
 */
enum tdat_status ktr_image_kallsyms(const struct ktr_image *seen, const char *module,
				    struct tdat_build *out, struct tdat_error *err)
{
	const struct image *image = (const struct image *)seen;
	for (size_t i = 1; i < image->symbol_count && out->len < KALLSYMS_MAX; i++) {
		const char *s;
		uint64_t addr;
		GElf_Sym sym;
		char letter;

		if (!image->lib.gelf_getsym(image->symbols, (int)i, &sym))
			break;
		/* Sections, files and unnamed symbols resolve no address. */
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC &&
		    GELF_ST_TYPE(sym.st_info) != STT_OBJECT)
			continue;
		s = image->lib.elf_strptr(image->elf, image->strtab, sym.st_name);
		addr = symbol_addr(image, &sym);
		if (sym.st_shndx == SHN_UNDEF || !addr || !s || !name_ok(s))
			continue;
		/* Letters of nm: lower case for local symbols, upper case for global ones. */
		letter = GELF_ST_TYPE(sym.st_info) == STT_FUNC ? 't' : 'd';
		if (GELF_ST_BIND(sym.st_info) != STB_LOCAL)
			letter = (char)(letter - 'a' + 'A');
		tdat_build_printf(out, "%016" PRIx64 " %c %s", addr, letter, s);
		if (module)
			tdat_build_printf(out, "\t[%s]", module);
		tdat_build_u8(out, '\n');
	}
	return out->failed ? no_memory(image, err) : TDAT_OK;
}
