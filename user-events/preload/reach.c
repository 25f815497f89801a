/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds out from the head of a program whether this library can be loaded into it: not if it is
 * static, setuid, or for another machine. A script is as its interpreter is. It reads only the ELF
 * head, the rights and the first line. It allocates nothing, as it also runs before exec in the
 * program.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "reach.h"

#if UINTPTR_MAX > 0xffffffff
typedef Elf64_Ehdr elf_head;
typedef Elf64_Phdr elf_segment;
enum { OWN_CLASS = ELFCLASS64 };
#else
typedef Elf32_Ehdr elf_head;
typedef Elf32_Phdr elf_segment;
enum { OWN_CLASS = ELFCLASS32 };
#endif

/* SEGMENTS_MAX: real programs have some ten. SCRIPTS_MAX: an interpreter may be a script, too. */
enum {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	OWN_ORDER = ELFDATA2MSB,
#else
	OWN_ORDER = ELFDATA2LSB,
#endif
	SEGMENTS_MAX = 256,
	SCRIPTS_MAX = 4
};

/*
 * True if the machine is the one that this code was compiled for, among those that tdat is built
 * for.
 */
static bool is_own_machine(unsigned int machine)
{
#if defined(__x86_64__)
	return machine == EM_X86_64;
#elif defined(__i386__)
	return machine == EM_386;
#elif defined(__aarch64__)
	return machine == EM_AARCH64;
#elif defined(__arm__)
	return machine == EM_ARM;
#elif defined(__s390x__)
	return machine == EM_S390;
#else
	return machine != EM_NONE;
#endif
}

/*
 * A program with an interpreter (ld.so) loads libraries; one without is static. NULL: it can be
 * reached.
 */
static const char *look_at_elf(int fd, const elf_head *head)
{
	if (head->e_ident[EI_CLASS] != OWN_CLASS || head->e_ident[EI_DATA] != OWN_ORDER ||
	    !is_own_machine(head->e_machine))
		return "it is for another architecture";
	if (head->e_phentsize != sizeof(elf_segment) || head->e_phnum > SEGMENTS_MAX)
		return NULL;
	for (unsigned int i = 0; i < head->e_phnum; i++) {
		off_t at = (off_t)(head->e_phoff + i * sizeof(elf_segment));
		elf_segment segment;

		if (pread(fd, &segment, sizeof(segment), at) != (ssize_t)sizeof(segment))
			return NULL;
		if (segment.p_type == PT_INTERP)
			return NULL;
	}
	return UE_IS_STATIC;
}

/* Reports a program that gains rights: it is started without LD_PRELOAD. */
static const char *look_at_rights(int fd)
{
	struct stat sb;
	char caps[64];

	if (fstat(fd, &sb))
		return NULL;
	if (sb.st_mode & S_ISUID && sb.st_uid != geteuid())
		return "it is setuid";
	if (sb.st_mode & S_ISGID && sb.st_mode & S_IXGRP && sb.st_gid != getegid())
		return "it is setgid";
	if (geteuid() && fgetxattr(fd, "security.capability", caps, sizeof(caps)) > 0)
		return "it has file capabilities";
	return NULL;
}

/* Puts the interpreter of the first line at its start. False: it is not an absolute path. */
static bool interpreter(char *line)
{
	char *from = line + 2;

	from += strspn(from, " \t");
	from[strcspn(from, " \t\r\n")] = '\0';
	memmove(line, from, strlen(from) + 1);
	return line[0] == '/';
}

const char *ue_unreachable(const char *path)
{
	const char *why = NULL;
	char line[256];

	for (int depth = 0; depth < SCRIPTS_MAX; depth++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t len;
		elf_head head;

		if (fd < 0)
			return NULL;
		len = pread(fd, line, sizeof(line) - 1, 0);
		line[len > 0 ? len : 0] = '\0';
		if (len >= (ssize_t)sizeof(head) && !memcmp(line, ELFMAG, SELFMAG)) {
			memcpy(&head, line, sizeof(head));
			why = look_at_rights(fd);
			if (!why)
				why = look_at_elf(fd, &head);
			close(fd);
			return why;
		}
		close(fd);
		if (len < 3 || line[0] != '#' || line[1] != '!' || !interpreter(line))
			return NULL;
		path = line;
	}
	return NULL;
}
