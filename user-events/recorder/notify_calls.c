/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers the system calls that the kernel notifies of. Each is checked first: a call about another
 * file is left to the kernel. A call that was handled gets its result or its errno, or a descriptor
 * put into the program. An event is handed over after its answer was taken, since a call of a
 * killed process did not happen.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "recorder.h"
#include "notify_state.h"
#include "terminal/message.h"

/* ---- answers ---- */

/* Lets the kernel make the call as if there were no recorder. */
static void go_on(struct record_notify *n)
{
	n->resp->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
}

/* Sets the result of a call, or its errno if that is not 0. It is sent later. */
static void answer(struct record_notify *n, int64_t value, int errnum)
{
	n->resp->val = errnum ? 0 : value;
	n->resp->error = -errnum;
}

/* False when the call is not there any more, as its process was killed. */
static bool send_answer(struct record_notify *n)
{
	n->resp->id = n->req->id;
	return !ioctl(n->session->listener, SECCOMP_IOCTL_NOTIF_SEND, n->resp);
}

/*
 * Puts a descriptor of the recorder into the program under this number. With is_answer the number
 * is what the call returns, and the call is answered.
 */
static bool hand_over(struct record_notify *n, int own, int number, bool cloexec, bool is_answer)
{
	struct seccomp_notif_addfd add = {.id = n->req->id,
					  .flags = SECCOMP_ADDFD_FLAG_SETFD,
					  .srcfd = (uint32_t)own,
					  .newfd = (uint32_t)number,
					  .newfd_flags = cloexec ? O_CLOEXEC : 0};
	int rc;

	if (is_answer)
		add.flags |= SECCOMP_ADDFD_FLAG_SEND;
	rc = ioctl(n->session->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
	close(own);
	return rc >= 0;
}

/* Answers a call with a new descriptor; *sent then says that nothing is left to be sent. */
static void answer_fd(struct record_notify *n, int own, int least, bool cloexec, bool *sent)
{
	/*
	 * The number is chosen here: the kernel would take the least free one, of which the filter
	 * knows nothing.
	 */
	int number = own < 0 ? -1 : notify_free_fd(n, (int32_t)n->req->pid, least);

	if (number < 0) {
		answer(n, 0, errno);
		if (own >= 0)
			close(own);
		return;
	}
	*sent = hand_over(n, own, number, cloexec, true);
	if (!*sent)
		answer(n, 0, EMFILE);
}

/* ---- calls ---- */

/*
 * Answers open(), openat() and openat2() of a file of user_events with a descriptor of the
 * recorder's file.
 */
static void serve_open(struct record_notify *n, enum notify_call call, bool *sent)
{
	const __u64 *a = n->req->data.args;
	int dirfd = call == NOTIFY_OPEN ? AT_FDCWD : (int)a[0];
	uint64_t path_at = call == NOTIFY_OPEN ? a[0] : a[1];
	uint64_t flags = call == NOTIFY_OPEN ? a[1] : a[2];
	char path[PATH_MAX], process[16];
	struct open_how how;
	struct ue_target target;

	/* The answer unless the path is one of ours. */
	go_on(n);
	if (call == NOTIFY_OPENAT2) {
		if (!ue_get(&how, (const void *)(uintptr_t)a[2], sizeof(how)))
			return;
		flags = how.flags;
	}
	/*
	 * A descriptor by O_PATH reads and writes nothing. A path that cannot be read is for the
	 * kernel to refuse.
	 */
	if (flags & O_PATH || ue_string(path, sizeof(path), (const char *)(uintptr_t)path_at))
		return;
	snprintf(process, sizeof(process), "%d", (int)n->req->pid);
	target = ue_path_of(process, dirfd, path);
	if (target.kind == UE_NONE)
		return;
	/* It is ours, so the kernel must not make the call itself. */
	n->resp->flags = 0;
	answer_fd(n, notify_file_open(n, target, (int)flags), 0, flags & O_CLOEXEC, sent);
}

/* See notify_stat(): some calls about files of user_events are still for the kernel to refuse. */
static void serve_stat(struct record_notify *n, enum notify_call call)
{
	int errnum;

	if (notify_stat(n->req, call, &errnum))
		answer(n, 0, errnum);
	else
		go_on(n);
}

/* Registers, unregisters or deletes an event by the code of the preloaded library (ioctl.c). */
static void serve_ioctl(struct record_notify *n, const struct notify_file *file)
{
	void *arg = (void *)(uintptr_t)n->req->data.args[2];
	int rc;

	notify_caller_process(n);
	/* Its children so far do not get the bits that it gets now. */
	if (ue.process && n->forked_ns[ue.process - 1])
		notify_adopt_all(n);
	rc = ue_ioctl(file->entry, (unsigned int)n->req->data.args[1], arg);
	answer(n, rc, rc < 0 ? errno : 0);
	notify_page_update(n);
}

/* A write to dynamic_events or to a file enable: text_write.c does the work. */
static void serve_text(struct record_notify *n, const struct notify_file *file, size_t len)
{
	ssize_t rc;

	notify_caller_process(n);
	rc = ue_write_text(file->entry, (const char *)n->data, len);
	answer(n, rc, rc < 0 ? errno : 0);
	notify_page_update(n);
}

/* Finds out where in the program the data of a write are. */
static int gather(struct record_notify *n, enum notify_call call, unsigned long *parts, size_t *len)
{
	const __u64 *a = n->req->data.args;

	*parts = 1;
	if (call != NOTIFY_WRITEV) {
		n->iov[0] = (struct iovec){(void *)(uintptr_t)a[1], (size_t)a[2]};
		*len = (size_t)a[2];
		return 0;
	}
	*parts = (unsigned long)a[2];
	/* UIO_MAXIOV of the kernel. */
	if (*parts > NOTIFY_IOV_MAX)
		return EINVAL;
	if (*parts && !ue_get(n->iov, (const void *)(uintptr_t)a[1], *parts * sizeof(n->iov[0])))
		return EFAULT;
	*len = 0;
	/* The kernel's limit of one write, MAX_RW_COUNT: 2 GiB less a page. */
	for (unsigned long i = 0; i < *parts; i++) {
		if (n->iov[i].iov_len > (size_t)0x7ffff000 - *len)
			return EINVAL;
		*len += n->iov[i].iov_len;
	}
	return 0;
}

/* Copies the part of the data that is checked. */
static int fetch(struct record_notify *n, enum notify_call call, size_t *len)
{
	struct iovec own = {n->data, sizeof(n->data)};
	unsigned long parts = 0;
	int rc = gather(n, call, &parts, len);
	/* Longer data are cut here; *len keeps the whole length for the checks. */
	size_t want;

	if (rc || !*len)
		return rc;
	own.iov_len = want = *len < sizeof(n->data) ? *len : sizeof(n->data);
	if (process_vm_readv((pid_t)n->req->pid, &own, 1, n->iov, parts, 0) != (ssize_t)want)
		return EFAULT;
	return 0;
}

/* The kernel takes only writes at position 0. */
static bool is_at_start(const __u64 *args)
{
	/* Where a register has 32 bits, the position lies in two of the last three. */
	return sizeof(long) > 4 ? !args[3] : !args[4] && !args[5];
}

/*
 * The event is handed over after the answer: when the call is not there any more, it did not
 * happen.
 */
static int serve_write(struct record_notify *n, enum notify_call call,
		       const struct notify_file *file, bool *sent)
{
	struct record_event ev = {.tid = (int32_t)n->req->pid};
	/* The errors come in the order in which the kernel makes its checks. */
	size_t len = 0;
	int rc = fetch(n, call, &len);

	if (!rc && call == NOTIFY_PWRITE && !is_at_start(n->req->data.args))
		rc = EFAULT;
	/* A text file takes only what fits into the buffer. */
	if (!rc && UE_FD_KIND(file->entry) != UE_DATA) {
		if (len <= sizeof(n->data)) {
			serve_text(n, file, len);
			return CLI_OK;
		}
		rc = E2BIG;
	}
	if (!rc)
		rc = ue_check(n->session->shared, UE_FD_NUMBER(file->entry), n->data, len,
			      &ev.event);
	/* After the end of the recording, all events are disabled. */
	if (!rc && n->is_over)
		rc = EBADF;
	answer(n, (int64_t)len, rc);
	if (rc)
		return CLI_OK;
	ev.payload = n->data + UE_INDEX_LEN;
	ev.payload_len = (uint32_t)(len - UE_INDEX_LEN);
	/* The thread waits for the answer: /proc shows the CPU on which it made the call. */
	ev.cpu = notify_thread_look(n, ev.tid);
	ev.ts_ns = n->now_ns = record_now_ns();
	*sent = true;
	if (!send_answer(n))
		return CLI_OK;
	if (len - UE_INDEX_LEN > UE_RECORD_MAX) {
		/* The kernel drops it silently; here it is counted. */
		n->session->pending_lost++;
		return CLI_OK;
	}
	return record_emit_event(n->session, &ev);
}

/* Text is made anew when it is read from its start, as the kernel does. */
static void serve_read(struct record_notify *n, enum notify_call call,
		       const struct notify_file *file)
{
	int32_t tid = (int32_t)n->req->pid;
	int fd = (int)n->req->data.args[0], own;
	unsigned int flags = 0;
	long long position = 0;

	if (file && UE_FD_KIND(file->entry) == UE_DATA) {
		answer(n, 0, EINVAL);
		return;
	}
	go_on(n);
	/* Closed by another thread meanwhile: the kernel answers. */
	if (!notify_fd_info(tid, fd, &position, &flags))
		return;
	if (file) {
		if (call == NOTIFY_PREAD || !position)
			notify_file_refresh(file);
		return;
	}
	/* It is the status page since it was mapped; what is read is the text again. */
	own = notify_file_open(n, (struct ue_target){UE_STATUS, 0}, O_RDONLY);
	if (own >= 0)
		hand_over(n, own, fd, flags & O_CLOEXEC, false);
}

/* The page takes the place of the text, and then the kernel maps it. */
static void serve_mmap(struct record_notify *n, const struct notify_file *file)
{
	const __u64 *a = n->req->data.args;
	unsigned int flags = 0;
	long long position;
	int own;

	if (file && UE_FD_KIND(file->entry) != UE_STATUS) {
		answer(n, 0, ENODEV);
		return;
	}
	/*
	 * The same checks as for the file of the kernel: at most one page from the start, and only
	 * to be read.
	 */
	if (a[5] || !a[1] || a[1] > UE_STATUS_LEN || a[2] & PROT_WRITE) {
		answer(n, 0, a[2] & PROT_WRITE ? EPERM : EINVAL);
		return;
	}
	go_on(n);
	if (!file)
		return;
	notify_page_update(n);
	own = notify_file_again(n, NULL);
	if (own >= 0 && notify_fd_info((int32_t)n->req->pid, (int)a[4], &position, &flags))
		hand_over(n, own, (int)a[4], flags & O_CLOEXEC, false);
}

/* A duplicate gets one of the numbers as well, so that calls with it are seen. */
static void serve_dup(struct record_notify *n, enum notify_call call,
		      const struct notify_file *file, bool *sent)
{
	const __u64 *a = n->req->data.args;
	bool cloexec = call == NOTIFY_FCNTL && (int)a[1] == F_DUPFD_CLOEXEC;
	int least = call == NOTIFY_FCNTL ? (int)a[2] : 0;

	if (call == NOTIFY_FCNTL && (int)a[1] != F_DUPFD && !cloexec) {
		go_on(n);
		return;
	}
	answer_fd(n, notify_file_again(n, file), least, cloexec, sent);
}

/* Answers a call with a descriptor in the range of numbers. Others may have put theirs there. */
static int serve_fd(struct record_notify *n, enum notify_call call, bool *sent)
{
	int fd = (int)n->req->data.args[call == NOTIFY_MMAP ? 4 : 0];
	struct notify_file *file;

	if (!notify_file_of(n, (int32_t)n->req->pid, fd, &file)) {
		go_on(n);
		return CLI_OK;
	}
	if (call == NOTIFY_DUP || call == NOTIFY_FCNTL)
		serve_dup(n, call, file, sent);
	else if (call == NOTIFY_READ || call == NOTIFY_PREAD)
		serve_read(n, call, file);
	else if (call == NOTIFY_MMAP)
		serve_mmap(n, file);
	else if (call == NOTIFY_IOCTL && file && UE_FD_KIND(file->entry) == UE_DATA)
		serve_ioctl(n, file);
	/* An ioctl() of a text file is for the kernel, which answers ENOTTY. */
	else if (call == NOTIFY_IOCTL)
		go_on(n);
	else if (file)
		return serve_write(n, call, file, sent);
	/* A write to the status page. */
	else
		answer(n, 0, EBADF);
	return CLI_OK;
}

/*
 * One call for each return of poll(). Failures of the recorder end the recording, those of the call
 * do not.
 */
int notify_answer_call(struct record_notify *n)
{
	const struct notify_rule *rule;
	bool sent = false;
	int rc = CLI_OK;

	/* The kernel refuses a request that is not zero (EINVAL). */
	memset(n->req, 0, n->req_len);
	memset(n->resp, 0, n->resp_len);
	/*
	 * It fails if the call ended by a signal meanwhile, or if watch() ended the wait for
	 * another one.
	 */
	if (ioctl(n->session->listener, SECCOMP_IOCTL_NOTIF_RECV, n->req))
		return CLI_OK;
	notify_caller_set(n->session, (int32_t)n->req->pid);
	rule = notify_rule_of(n->req->data.nr);
	if (!rule) {
		go_on(n);
	} else if (rule->call == NOTIFY_FORK) {
		notify_forked(n);
		go_on(n);
	} else if (rule->call <= NOTIFY_OPENAT2) {
		serve_open(n, rule->call, &sent);
	} else if (rule->call < NOTIFY_FORK) {
		serve_stat(n, rule->call);
	} else {
		rc = serve_fd(n, rule->call, &sent);
	}
	if (!sent)
		send_answer(n);
	return rc;
}
