/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does from outside what the preloaded library does in its process for the registry: memory of the
 * process whose call is answered, and who that process is.
 *
 * The cookie of a process is the random number that the kernel gives each program it starts
 * (AT_RANDOM): another program, also one in the same process, has another one. A child by fork has
 * that of its parent.
 */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "notify_state.h"
#include "there.h"
#include "recorder.h"

enum { PAGE_LEN = 4096 };

/*
 * The state that a preloaded library has in its process, here that of the caller: see
 * notify_caller_set().
 */
struct ue_state ue;

/* The thread whose call is answered, and its process; pid equals tid until notify_caller_pid(). */
static struct {
	struct record_session *session;
	int32_t tid, pid;
} caller;

/* ---- memory ---- */

bool ue_get(void *out, const void *from, size_t len)
{
	return there_read(caller.tid, (uintptr_t)from, out, len);
}

bool ue_put(void *to, const void *from, size_t len)
{
	return there_write(caller.tid, (uintptr_t)to, from, len);
}

bool ue_readable(const void *p, size_t len)
{
	uint8_t byte;

	return !len || (ue_get(&byte, p, 1) && ue_get(&byte, (const uint8_t *)p + len - 1, 1));
}

/* Writes back only the first byte, so hardly anything can change between read and write. */
bool ue_writable(void *p, size_t len)
{
	uint8_t byte;

	return !len || (ue_get(&byte, p, 1) && ue_put(p, &byte, 1));
}

/* Reads up to the end of each page, as the string may end right before memory that is not there. */
int ue_string(char *out, size_t cap, const char *from)
{
	size_t len = 0;

	while (len < cap) {
		size_t rest = PAGE_LEN - ((uintptr_t)from + len) % PAGE_LEN;
		size_t part = rest < cap - len ? rest : cap - len;

		if (!ue_get(out + len, from + len, part))
			return EFAULT;
		if (memchr(out + len, '\0', part))
			return 0;
		len += part;
	}
	return EINVAL;
}

void ue_set_bit(uint64_t addr, uint8_t bit, uint8_t size, bool on)
{
	there_set_bit(caller.tid, addr, bit, size, on);
}

/* ---- who it is ---- */

/* The id of the thread group is that of the process. */
int32_t notify_caller_pid(void)
{
	char text[4096];
	const char *at;

	there_text(caller.tid, "status", text, sizeof(text));
	at = strstr(text, "\nTgid:");
	if (at)
		caller.pid = (int32_t)strtol(at + 6, NULL, 10);
	return caller.pid;
}

/* Returns where the kernel put the 16 random bytes of a program; 0: not known. */
static uint64_t random_at(int32_t pid)
{
	unsigned long list[128] = {0};
	const size_t count = there_text(pid, "auxv", (char *)list, sizeof(list)) / sizeof(list[0]);

	for (size_t i = 0; i + 1 < count; i += 2)
		if (list[i] == AT_RANDOM)
			return list[i + 1];
	return 0;
}

/* Without a place (0) no cookie can be read, and upkeep takes the process for gone. */
void ue_identify(struct ue_process *p)
{
	p->pid = caller.pid;
	p->cookie_at = random_at(caller.pid);
	p->cookie = 0;
	ue_get(&p->cookie, (const void *)(uintptr_t)p->cookie_at, sizeof(p->cookie));
}

uint32_t notify_process_of(int32_t pid)
{
	for (uint32_t i = 0; i < UE_PROCESSES_MAX; i++)
		if (ue.shared->processes[i].is_used && ue.shared->processes[i].pid == pid)
			return i + 1;
	return 0;
}

void notify_caller_set(struct record_session *s, int32_t tid)
{
	ue.shared = s->shared;
	ue.process = 0;
	caller.session = s;
	caller.tid = caller.pid = tid;
}

/* An entry of a program that was there before an exec is not this one's; upkeep takes it away. */
void notify_caller_find(void)
{
	uint32_t number = notify_process_of(caller.pid);
	uint64_t cookie = 0;

	if (number) {
		const struct ue_process *p = &ue.shared->processes[number - 1];

		if (!ue_get(&cookie, (const void *)(uintptr_t)p->cookie_at, sizeof(cookie)) ||
		    cookie != p->cookie) {
			ue.shared->processes[number - 1].pid = 0;
			number = 0;
		}
	}
	ue.process = number;
}

/* Does in the name of the child what the preloaded library does in the child itself. */
void notify_follow(struct record_session *s, int32_t pid, uint32_t parent)
{
	const int32_t old_tid = caller.tid, old_pid = caller.pid;
	const uint32_t old_process = ue.process;

	/*
	 * The functions of registry.c work for the caller, so the child becomes that for a moment.
	 */
	notify_caller_set(s, pid);
	ue_lock_registry();
	ue_own_process();
	ue_unlock_registry();
	/* The recorder itself sees each fork, before it forgets anybody who ended. */
	if (ue.process)
		ue_follow_again(parent, ue.shared->processes[parent - 1].cookie);
	caller.tid = old_tid;
	caller.pid = old_pid;
	ue.process = old_process;
}

/* ---- the registry ---- */

/* No signals are blocked, as no handler of the recorder takes the lock. */
void ue_lock_registry(void)
{
	ue_lock(&ue.shared->lock);
}

void ue_unlock_registry(void)
{
	pthread_mutex_unlock(&ue.shared->lock);
}

/* The filter sees each fork, so nothing is to be found out here. */
void ue_current(void)
{
}

/* The recorder is awake, as it answers a call. */
void ue_wake_recorder(void)
{
}

/* The recorder itself asks, so it does the work at once. */
void ue_ask_to_reap(void)
{
	atomic_fetch_add(&ue.shared->reap_wanted, 1);
	record_upkeep(caller.session);
}
