/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes the memory of other processes, and reads what /proc says of them.
 */
#include "there.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

bool there_read(int32_t pid, uint64_t addr, void *out, size_t len)
{
	struct iovec own = {out, len}, there = {(void *)(uintptr_t)addr, len};

	return process_vm_readv(pid, &own, 1, &there, 1, 0) == (ssize_t)len;
}

bool there_write(int32_t pid, uint64_t addr, const void *data, size_t len)
{
	struct iovec own = {(void *)(uintptr_t)data, len}, there = {(void *)(uintptr_t)addr, len};

	return process_vm_writev(pid, &own, 1, &there, 1, 0) == (ssize_t)len;
}

/*
 * Only the byte with the bit is read and written, and only if the bit is another: a change of
 * another bit of that byte between the two would be undone.
 */
bool there_set_bit(int32_t pid, uint64_t addr, uint8_t bit, uint8_t size, bool on)
{
	/*
	 * Bit n counts from the least significant one, whose byte is the last of a big-endian word.
	 */
	uint64_t at = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? addr + size - 1u - bit / 8u
							     : addr + bit / 8u;
	uint8_t mask = (uint8_t)(1u << bit % 8), byte = 0;

	if (!there_read(pid, at, &byte, 1))
		return false;
	if (!(byte & mask) == !on)
		return true;
	byte ^= mask;
	return there_write(pid, at, &byte, 1);
}

size_t there_text(int32_t pid, const char *name, char *out, size_t cap)
{
	char path[96];
	ssize_t len = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		/* One read(): the text may change between two. */
		len = read(fd, out, cap - 1);
		close(fd);
	}
	out[len > 0 ? len : 0] = '\0';
	return len > 0 ? (size_t)len : 0;
}
