/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of errors, by the numbers of asm-generic/errno.h and those that the kernel keeps
 * inside. The table is indexed by the number. Used for results of system calls and for %pe of
 * the kernel's print fmts.
 */
#include "errno_name.h"

#include <stddef.h>

/*
 * Indexed by errno; NULL where asm-generic/errno.h has no number (41, 58): EWOULDBLOCK is EAGAIN
 * and EDEADLOCK is EDEADLK. MIPS, SPARC, Alpha and PA-RISC number some errors differently; a trace
 * does not say so, and they are printed by this table.
 */
static const char *const names[] = {
	NULL,
	"EPERM",
	"ENOENT",
	"ESRCH",
	"EINTR",
	"EIO",
	"ENXIO",
	"E2BIG",
	"ENOEXEC",
	"EBADF",
	"ECHILD",
	"EAGAIN",
	"ENOMEM",
	"EACCES",
	"EFAULT",
	"ENOTBLK",
	"EBUSY",
	"EEXIST",
	"EXDEV",
	"ENODEV",
	"ENOTDIR",
	"EISDIR",
	"EINVAL",
	"ENFILE",
	"EMFILE",
	"ENOTTY",
	"ETXTBSY",
	"EFBIG",
	"ENOSPC",
	"ESPIPE",
	"EROFS",
	"EMLINK",
	"EPIPE",
	"EDOM",
	"ERANGE",
	"EDEADLK",
	"ENAMETOOLONG",
	"ENOLCK",
	"ENOSYS",
	"ENOTEMPTY",
	"ELOOP",
	NULL,
	"ENOMSG",
	"EIDRM",
	"ECHRNG",
	"EL2NSYNC",
	"EL3HLT",
	"EL3RST",
	"ELNRNG",
	"EUNATCH",
	"ENOCSI",
	"EL2HLT",
	"EBADE",
	"EBADR",
	"EXFULL",
	"ENOANO",
	"EBADRQC",
	"EBADSLT",
	NULL,
	"EBFONT",
	"ENOSTR",
	"ENODATA",
	"ETIME",
	"ENOSR",
	"ENONET",
	"ENOPKG",
	"EREMOTE",
	"ENOLINK",
	"EADV",
	"ESRMNT",
	"ECOMM",
	"EPROTO",
	"EMULTIHOP",
	"EDOTDOT",
	"EBADMSG",
	"EOVERFLOW",
	"ENOTUNIQ",
	"EBADFD",
	"EREMCHG",
	"ELIBACC",
	"ELIBBAD",
	"ELIBSCN",
	"ELIBMAX",
	"ELIBEXEC",
	"EILSEQ",
	"ERESTART",
	"ESTRPIPE",
	"EUSERS",
	"ENOTSOCK",
	"EDESTADDRREQ",
	"EMSGSIZE",
	"EPROTOTYPE",
	"ENOPROTOOPT",
	"EPROTONOSUPPORT",
	"ESOCKTNOSUPPORT",
	"EOPNOTSUPP",
	"EPFNOSUPPORT",
	"EAFNOSUPPORT",
	"EADDRINUSE",
	"EADDRNOTAVAIL",
	"ENETDOWN",
	"ENETUNREACH",
	"ENETRESET",
	"ECONNABORTED",
	"ECONNRESET",
	"ENOBUFS",
	"EISCONN",
	"ENOTCONN",
	"ESHUTDOWN",
	"ETOOMANYREFS",
	"ETIMEDOUT",
	"ECONNREFUSED",
	"EHOSTDOWN",
	"EHOSTUNREACH",
	"EALREADY",
	"EINPROGRESS",
	"ESTALE",
	"EUCLEAN",
	"ENOTNAM",
	"ENAVAIL",
	"EISNAM",
	"EREMOTEIO",
	"EDQUOT",
	"ENOMEDIUM",
	"EMEDIUMTYPE",
	"ECANCELED",
	"ENOKEY",
	"EKEYEXPIRED",
	"EKEYREVOKED",
	"EKEYREJECTED",
	"EOWNERDEAD",
	"ENOTRECOVERABLE",
	"ERFKILL",
	"EHWPOISON",
};

/*
 * From 512 on: include/linux/errno.h of the kernel. A system call that a signal interrupts returns
 * these to sys_exit, before the kernel turns them into EINTR or restarts the call.
 */
static const char *const inside[] = {
	"ERESTARTSYS", "ERESTARTNOINTR",	"ERESTARTNOHAND",
	"ENOIOCTLCMD", "ERESTART_RESTARTBLOCK", "EPROBE_DEFER",
};

/*
 * Returns the name of a negative errno, as system calls return it; NULL: it is not an error, or has
 * no name here.
 */
const char *errno_name(int64_t ret)
{
	const size_t count = sizeof(names) / sizeof(names[0]);
	const size_t inside_count = sizeof(inside) / sizeof(inside[0]);

	/* The kernel's IS_ERR_VALUE() range: MAX_ERRNO is 4095. */
	if (ret >= 0 || ret < -4095)
		return NULL;
	if ((size_t)-ret < count)
		return names[-ret];
	return ret <= -512 && (size_t)(-ret - 512) < inside_count ? inside[-ret - 512] : NULL;
}
