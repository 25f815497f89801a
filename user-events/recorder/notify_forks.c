/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives children by fork the bits that follow events, as their memory is a copy of their parent's.
 *
 * The kernel notifies of a fork before the child is there. So the recorder remembers who forked,
 * and looks for children without an entry before anything changes that they depend on: the bits of
 * their parent, whether an event is enabled, and whether the parent is still there. All forks are
 * remembered, also of processes without bits; otherwise a child that was made before its parent got
 * some could be mistaken for one made later.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "notify_state.h"
#include "there.h"

/* Longer than a fork takes. */
enum { FORK_NS = 1000 * 1000 * 1000 };

/*
 * Returns the process that made this one; 0: it cannot be found. The name may contain parentheses.
 */
static int32_t parent_of(int32_t pid)
{
	char text[512];
	const char *at;
	int parent = 0;

	there_text(pid, "stat", text, sizeof(text));
	at = strrchr(text, ')');
	return at && sscanf(at, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* Which process with the same cookie forked: the parent, or another one when that has ended. */
static uint32_t find_parent(const struct record_notify *n, int32_t pid)
{
	uint64_t cookie = 0, at = 0;
	uint32_t found = 0;
	int32_t parent = -1;

	for (uint32_t i = 0; i < UE_PROCESSES_MAX; i++) {
		const struct ue_process *p = &n->session->shared->processes[i];

		if (!n->forked_ns[i] || !p->is_used || !p->cookie)
			continue;
		/* One read serves successive entries with the same place of the cookie. */
		if (at != p->cookie_at && !there_read(pid, p->cookie_at, &cookie, sizeof(cookie)))
			cookie = 0;
		at = p->cookie_at;
		/* Another program: it cannot be a child of this process by fork. */
		if (cookie != p->cookie)
			continue;
		if (parent < 0)
			parent = parent_of(pid);
		if (!found || p->pid == parent)
			found = i + 1;
	}
	return found;
}

/* Gives the bits of its parent to a process that came by fork. */
static void adopt(struct record_notify *n, int32_t pid)
{
	/* A process with an entry has its bits already. */
	uint32_t parent = notify_process_of(pid) ? 0 : find_parent(n, pid);

	if (parent)
		notify_follow(n->session, pid, parent);
}

/*
 * The caller of a call that depends on its bits. It may itself be a child nobody has looked for
 * yet.
 */
void notify_caller_process(struct record_notify *n)
{
	adopt(n, notify_caller_pid());
	notify_caller_find();
}

/* Called before the kernel makes the child. */
void notify_forked(struct record_notify *n)
{
	struct ue_process *p;

	notify_caller_process(n);
	ue_lock_registry();
	p = ue_own_process();
	ue_unlock_registry();
	if (p)
		n->forked_ns[p - ue.shared->processes] = record_now_ns();
}

/* Called before a process that forked gets other bits, and before upkeep. */
void notify_adopt_all(struct record_notify *n)
{
	uint64_t now = record_now_ns();
	const struct dirent *d;
	bool any = false;
	DIR *dir;

	/* Without recent forks there are no children to find. */
	for (uint32_t i = 0; i < UE_PROCESSES_MAX && !any; i++)
		any = n->forked_ns[i] != 0;
	dir = any ? opendir("/proc") : NULL;
	if (!dir)
		return;
	while ((d = readdir(dir)))
		if (*d->d_name >= '1' && *d->d_name <= '9')
			adopt(n, (int32_t)strtol(d->d_name, NULL, 10));
	closedir(dir);
	/* Children of an earlier fork now have their entry. */
	for (uint32_t i = 0; i < UE_PROCESSES_MAX; i++)
		if (n->forked_ns[i] && now - n->forked_ns[i] > FORK_NS)
			n->forked_ns[i] = 0;
}
