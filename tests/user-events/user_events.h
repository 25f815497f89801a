/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's interface of user_events as a program sees it, written down from its documentation.
 */
#ifndef TESTS_RECORD_USER_EVENTS_H
#define TESTS_RECORD_USER_EVENTS_H

#include <stdint.h>
#include <sys/ioctl.h>

#define DATA_FILE "/sys/kernel/tracing/user_events_data"
#define STATUS_FILE "/sys/kernel/tracing/user_events_status"

struct reg {
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

#define REG _IOWR('*', 0, struct reg *)
#define DEL _IOW('*', 1, char *)
#define UNREG _IOW('*', 2, struct unreg *)

#endif
