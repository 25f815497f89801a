/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints sys_enter_futex as the plugin futex of libtraceevent does. The plugin decodes the
 * operation and the arguments that it has; those are kept to the byte. Names and arguments of
 * each operation are a table below.
 */
#include "native_tables.h"

#include "native_util.h"

/* How an argument of an operation is printed; FUTEX_NONE: the operation ignores it. */
enum futex_arg { FUTEX_NONE, FUTEX_DEC, FUTEX_HEX };

struct futex_op {
	const char *name;
	uint8_t val, utime, uaddr2, val3; /* enum futex_arg */
	bool val2;			  /* utime is a count, not a time */
};

/* By the FUTEX_ operations of include/uapi/linux/futex.h, 0 to 13. */
static const struct futex_op futex_ops[] = {
	{"FUTEX_WAIT", FUTEX_HEX, FUTEX_HEX, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_WAKE", FUTEX_DEC, FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_FD", FUTEX_DEC, FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_REQUEUE", FUTEX_DEC, FUTEX_DEC, FUTEX_HEX, FUTEX_NONE, true},
	{"FUTEX_CMP_REQUEUE", FUTEX_DEC, FUTEX_DEC, FUTEX_HEX, FUTEX_HEX, true},
	{"FUTEX_WAKE_OP", FUTEX_DEC, FUTEX_DEC, FUTEX_HEX, FUTEX_HEX, true},
	{"FUTEX_LOCK_PI", FUTEX_NONE, FUTEX_HEX, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_UNLOCK_PI", FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_TRYLOCK_PI", FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_WAIT_BITSET", FUTEX_HEX, FUTEX_HEX, FUTEX_NONE, FUTEX_HEX, false},
	{"FUTEX_WAKE_BITSET", FUTEX_DEC, FUTEX_NONE, FUTEX_NONE, FUTEX_HEX, false},
	{"FUTEX_WAIT_REQUEUE_PI", FUTEX_HEX, FUTEX_HEX, FUTEX_HEX, FUTEX_HEX, false},
	{"FUTEX_CMP_REQUEUE_PI", FUTEX_DEC, FUTEX_DEC, FUTEX_HEX, FUTEX_HEX, true},
	{"FUTEX_LOCK_PI2", FUTEX_NONE, FUTEX_HEX, FUTEX_NONE, FUTEX_NONE, false}, /* Linux 5.14 */
};

/* Flags beside the operation, of the same header. */
#define FUTEX_FLAG_PRIVATE 128u
#define FUTEX_FLAG_REALTIME 256u

enum { UADDR, OP, VAL, UTIME, UADDR2, VAL3, FUTEX_ARGS };

/*
 * Cuts arguments that are ints: system calls are recorded as whole registers, whose upper half may
 * be anything. The plugin does not.
 */
static void cut_to_int(const struct model_native *n, uint64_t *v)
{
	if (!n->env->kernel)
		return;
	v[OP] = (uint32_t)v[OP];
	v[VAL] = (uint32_t)v[VAL];
	v[VAL3] = (uint32_t)v[VAL3];
}

/* Prints one argument with its name, unless the operation ignores it. */
static void futex_arg(const char *name, uint8_t kind, uint64_t v, struct tdat_build *out)
{
	if (kind == FUTEX_NONE)
		return;
	tdat_build_str(out, name);
	if (kind == FUTEX_DEC) {
		tdat_number_u64(out, v);
		return;
	}
	native_lit(out, "0x");
	tdat_number_x64(out, v, 8);
}

/* False: print fmt is used, since a field is missing or the operation is not known. */
static bool futex_run(const struct model_native *n, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct futex_op *op;
	uint64_t v[FUTEX_ARGS];
	uint64_t cmd;
	size_t i;

	for (i = 0; i < FUTEX_ARGS; i++)
		if (!native_get(&n->f[i], event->record, &v[i], out))
			return false;
	cut_to_int(n, v);
	cmd = v[OP] & ~(uint64_t)(FUTEX_FLAG_PRIVATE | FUTEX_FLAG_REALTIME);
	/* The plugin does not know the last operation. */
	if (cmd >= sizeof(futex_ops) / sizeof(futex_ops[0]) - !n->env->kernel)
		return false;
	op = &futex_ops[cmd];
	native_lit(out, "op=");
	tdat_build_str(out, op->name);
	if (v[OP] & FUTEX_FLAG_PRIVATE)
		native_lit(out, "|FUTEX_PRIVATE_FLAG");
	if (v[OP] & FUTEX_FLAG_REALTIME)
		native_lit(out, "|FUTEX_CLOCK_REALTIME");
	futex_arg(" uaddr=", FUTEX_HEX, v[UADDR], out);
	futex_arg(" val=", op->val, v[VAL], out);
	futex_arg(op->val2 ? " val2=" : " utime=", op->utime,
		  op->val2 && n->env->kernel ? (uint32_t)v[UTIME] : v[UTIME], out);
	futex_arg(" uaddr2=", op->uaddr2, v[UADDR2], out);
	futex_arg(" val3=", op->val3, v[VAL3], out);
	return true;
}

const struct model_native_entry native_futex[] = {
	{"syscalls", "sys_enter_futex", futex_run,
	 .fields = {"uaddr", "op", "val", "utime", "uaddr2", "val3"}},
	{.name = NULL},
};
