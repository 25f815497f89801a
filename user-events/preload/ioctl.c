/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ioctls of user_events_data: both generations of their structs, checked as the kernel
 * does. Both generations of the kernel's structs are decoded by their size
 * (user-events/rules/payload.c); registry.c does what they ask for. The recorder compiles
 * this file, too, for notified calls.
 */
#include <errno.h>
#include <linux/ioctl.h>
#include <string.h>
#include <unistd.h>

#include <tdat/user_events.h>

#include "state.h"

#define UE_REG _IOWR('*', 0, void *)
#define UE_DEL _IOW('*', 1, void *)
#define UE_UNREG _IOW('*', 2, void *)

enum { REG_LATE = 28, REG_EARLY = 20, UNREG = 16, PAGE = 4096 };

/* Both structs are packed. */
struct reg_late {
	uint32_t size;
	uint8_t enable_bit;
	uint8_t enable_size;
	uint16_t flags;
	uint64_t enable_addr;
	uint64_t name_args;
	uint32_t write_index;
} __attribute__((packed));

struct reg_early {
	uint32_t size;
	uint64_t name_args;
	uint32_t status;
	uint32_t write_index;
} __attribute__((packed));

struct unreg {
	uint32_t size;
	uint8_t disable_bit;
	uint8_t reserved;
	uint16_t reserved2;
	uint64_t disable_addr;
} __attribute__((packed));

/* Copies a struct that may be longer than this library knows it; the rest must then be zero. */
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

static int get_size(const void *from, uint32_t least, uint32_t *size)
{
	if (!ue_get(size, from, sizeof(*size)))
		return EFAULT;
	if (*size > PAGE)
		return E2BIG;
	return *size < least ? EINVAL : 0;
}

static int check_late(const struct reg_late *reg)
{
	if (reg->flags & ~(TDAT_USER_PERSIST | TDAT_USER_MULTI_FORMAT))
		return EINVAL;
	if (reg->flags & TDAT_USER_PERSIST && geteuid())
		return EPERM;
	if (reg->enable_size != 4 && (reg->enable_size != 8 || sizeof(long) < 8))
		return EINVAL;
	if (reg->enable_addr % reg->enable_size || reg->enable_bit > reg->enable_size * 8 - 1)
		return EINVAL;
	return 0;
}

static int register_late(uint32_t file, uint8_t *arg, uint32_t size)
{
	char command[UE_COMMAND_LEN];
	struct reg_late reg;
	uint32_t index = 0;
	int rc = get_struct(&reg, sizeof(reg), arg, size);

	if (!rc)
		rc = check_late(&reg);
	if (!rc)
		rc = ue_string(command, sizeof(command), (const char *)(uintptr_t)reg.name_args);
	/* Nothing can be written to an address in the first page. */
	if (!rc && reg.enable_addr < 4096)
		rc = EFAULT;
	if (!rc)
		rc = ue_register(file, command, reg.flags, (void *)(uintptr_t)reg.enable_addr,
				 reg.enable_bit, reg.enable_size, &index, NULL);
	if (!rc && !ue_put(arg + offsetof(struct reg_late, write_index), &index, sizeof(index)))
		rc = EFAULT;
	return rc;
}

static int register_early(uint32_t file, uint8_t *arg, uint32_t size)
{
	uint32_t index = 0, status = 0;
	char command[UE_COMMAND_LEN];
	struct reg_early reg;
	int rc = get_struct(&reg, sizeof(reg), arg, size);

	ue.is_early = true;
	if (!rc)
		rc = ue_string(command, sizeof(command), (const char *)(uintptr_t)reg.name_args);
	if (!rc)
		rc = ue_register(file, command, 0, NULL, 0, 0, &index, &status);
	/* The last two numbers of the struct. */
	if (!rc &&
	    !ue_put(arg + offsetof(struct reg_early, status), (uint32_t[]){status, index}, 8))
		rc = EFAULT;
	return rc;
}

static int unregister(uint8_t *arg)
{
	struct unreg un;
	uint32_t size;
	int rc = get_size(arg, UNREG, &size);

	if (!rc)
		rc = get_struct(&un, sizeof(un), arg, size);
	if (!rc && (un.reserved || un.reserved2))
		rc = EINVAL;
	return rc ? rc : ue_unregister(un.disable_addr, un.disable_bit);
}

int ue_ioctl(uint32_t entry, unsigned long request, void *arg)
{
	uint32_t file = UE_FD_NUMBER(entry), size;
	char name[UE_COMMAND_LEN];
	int rc;

	_Static_assert(sizeof(struct reg_late) == REG_LATE, "as Linux 6.4 has it");
	_Static_assert(sizeof(struct reg_early) == REG_EARLY, "as Linux 5.18 has it");
	_Static_assert(sizeof(struct unreg) == UNREG, "as Linux 6.4 has it");
	switch (request) {
	case UE_REG:
		rc = get_size(arg, REG_EARLY, &size);
		if (!rc)
			rc = size < REG_LATE ? register_early(file, arg, size)
					     : register_late(file, arg, size);
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
	if (!rc)
		return 0;
	errno = rc;
	return -1;
}
