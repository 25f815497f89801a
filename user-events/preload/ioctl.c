/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ioctls of user_events_data. Both generations of the kernel's structs are recognized by their
 * size and checked as the kernel does; registry.c does the work. The recorder compiles this file,
 * too, for notified calls.
 */
#include <errno.h>
#include <linux/ioctl.h>
#include <string.h>
#include <unistd.h>

#include <tdat/user_events.h>

#include "state.h"

/* As in include/uapi/linux/user_events.h: DIAG_IOCSREG, DIAG_IOCSDEL, DIAG_IOCSUNREG. */
#define UE_REG _IOWR('*', 0, void *)
#define UE_DEL _IOW('*', 1, void *)
#define UE_UNREG _IOW('*', 2, void *)

enum { PAGE = 4096 };

/* Packed as the kernel has it. */
struct unreg {
	uint32_t size;
	uint8_t disable_bit;
	uint8_t reserved;
	uint16_t reserved2;
	uint64_t disable_addr;
} __attribute__((packed));

/*
 * Copies a struct that may be longer than this library knows. The rest must be zero, as for
 * copy_struct_from_user().
 */
static int get_struct(void *out, size_t len, const uint8_t *from, uint32_t size)
{
	uint8_t all[PAGE];

	if (!ue_get(all, from, size))
		return EFAULT;
	for (size_t i = len; i < size; i++)
		if (all[i])
			return E2BIG;
	memcpy(out, all, len);
	return 0;
}

/* The first word of each struct is its size. */
static int get_size(const void *from, uint32_t least, uint32_t *size)
{
	if (!ue_get(size, from, sizeof(*size)))
		return EFAULT;
	if (*size > PAGE)
		return E2BIG;
	return *size < least ? EINVAL : 0;
}

static int check_late(const struct tdat_user_reg *reg)
{
	if (reg->flags & ~(TDAT_USER_PERSIST | TDAT_USER_MULTI_FORMAT))
		return EINVAL;
	/* PERSIST needs CAP_PERFMON; root has it. */
	if (reg->flags & TDAT_USER_PERSIST && geteuid())
		return EPERM;
	if (reg->enable_size != 4 && (reg->enable_size != 8 || sizeof(long) < 8))
		return EINVAL;
	if (reg->enable_addr % reg->enable_size || reg->enable_bit > reg->enable_size * 8 - 1)
		return EINVAL;
	return 0;
}

/* A size between both generations is one of the early one, and what is behind must be zero. */
static int decode(struct tdat_user_reg *reg, const uint8_t *arg)
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint8_t bytes[TDAT_USER_REG_SIZE];
	uint32_t size, len;
	int rc = get_size(arg, TDAT_USER_REG_SIZE_EARLY, &size);

	if (rc)
		return rc;
	len = size < TDAT_USER_REG_SIZE ? TDAT_USER_REG_SIZE_EARLY : TDAT_USER_REG_SIZE;
	rc = get_struct(bytes, len, arg, size);
	memcpy(bytes, &len, sizeof(len));
	if (!rc && tdat_user_reg_decode(reg, bytes, len, big, NULL))
		rc = EINVAL;
	return rc;
}

/* The last numbers of the struct are written: status (of the early one only), and index. */
static int register_event(uint32_t file, uint8_t *arg)
{
	struct tdat_user_reg reg;
	char command[UE_COMMAND_LEN];
	uint32_t out[2] = {0, 0};
	int rc = decode(&reg, arg);
	bool late;

	if (rc)
		return rc;
	late = reg.size == TDAT_USER_REG_SIZE;
	ue.is_early |= !late;
	rc = late ? check_late(&reg) : 0;
	/* The command is a text in the program's memory. */
	if (!rc)
		rc = ue_string(command, sizeof(command), (const char *)(uintptr_t)reg.name_args);
	/* Nothing can be written to an address in the first page. */
	if (!rc && late && reg.enable_addr < 4096)
		rc = EFAULT;
	if (!rc)
		rc = ue_register(file, command, reg.flags, (void *)(uintptr_t)reg.enable_addr,
				 reg.enable_bit, reg.enable_size, &out[1], late ? NULL : &out[0]);
	if (!rc && !ue_put(arg + reg.size - (late ? 4 : 8), out + late, late ? 4 : 8))
		rc = EFAULT;
	return rc;
}

/* Only later kernels have this call; reserved bytes must be zero. */
static int unregister(uint8_t *arg)
{
	struct unreg un;
	uint32_t size;
	int rc = get_size(arg, TDAT_USER_UNREG_SIZE, &size);

	if (!rc)
		rc = get_struct(&un, sizeof(un), arg, size);
	if (!rc && (un.reserved || un.reserved2))
		rc = EINVAL;
	return rc ? rc : ue_unregister(un.disable_addr, un.disable_bit);
}

/* Returns 0, or -1 and errno, as ioctl() does. */
int ue_ioctl(uint32_t entry, unsigned long request, void *arg)
{
	char name[UE_COMMAND_LEN];
	int rc;

	_Static_assert(sizeof(struct unreg) == TDAT_USER_UNREG_SIZE, "as Linux 6.4 has it");
	switch (request) {
	case UE_REG:
		rc = register_event(UE_FD_NUMBER(entry), arg);
		break;
	case UE_DEL:
		rc = ue_string(name, sizeof(name), arg);
		if (!rc)
			rc = ue_delete(name);
		break;
	case UE_UNREG:
		rc = unregister(arg);
		break;
	default:
		rc = ENOTTY;
	}
	return rc ? ue_refuse(rc) : 0;
}
