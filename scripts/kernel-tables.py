#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the tables of system calls and errors from the source of Linux.

usage: kernel-tables.py LINUX

lib/core/syscall_table.c and errno_table.c are written anew. LINUX is the folder of a kernel's source,
6.11 or later: its syscall.tbl files and errno headers are read. Calls that were added or removed by
kernels beyond it are listed here.
"""
import pathlib
import re
import sys
import textwrap

LINUX = pathlib.Path(sys.argv[1])
TO = pathlib.Path(__file__).parents[1] / "lib/core"
# Since 5.1 a new call has the same number on each machine.
ADDED = {"6.13": {463: "setxattrat", 464: "getxattrat", 465: "listxattrat", 466: "removexattrat"},
         "6.15": {467: "open_tree_attr"}}
# Functions of older kernels, whose names newer ones still list.
REMOVED = {"lookup_dcookie"}
# Functions that a table lists but no kernel of the machine has.
ABSENT = {"s390x": {"uselib", "memfd_secret", "map_shadow_stack"}}
MACHINES = {"x86_64": ("arch/x86/entry/syscalls/syscall_64.tbl", {"common", "64"}),
            "i386": ("arch/x86/entry/syscalls/syscall_32.tbl", {"i386"}),
            "s390x": ("arch/s390/kernel/syscalls/syscall.tbl", {"common", "64"}),
            "generic": ("scripts/syscall.tbl", {"common", "64", "renameat", "rlimit", "memfd_secret"})}


def version():
    text = (LINUX / "Makefile").read_text()
    return tuple(int(re.search(rf"^{key} = (\d+)", text, re.M)[1]) for key in ("VERSION", "PATCHLEVEL"))


def wrapped(items):
    return textwrap.fill(" ".join(items), 94, initial_indent="\t", subsequent_indent="\t",
                         break_long_words=False, break_on_hyphens=False).replace("\xa0", " ")


def row(machine, number, name, entry):
    if name in ABSENT.get(machine, ()) or (entry in (None, "-", "sys_ni_syscall") and name not in REMOVED):
        return f'[{number}]\xa0=\xa0NAME({name}),'
    function = name if name in REMOVED else entry.removeprefix("sys_")
    return (f'[{number}]\xa0=\xa0CALL({name}),' if function == name
            else f'[{number}]\xa0=\xa0BOTH({name},\xa0{function}),')


def calls(machine, newest):
    path, abis = MACHINES[machine]
    rows = {}
    for line in (LINUX / path).read_text().splitlines():
        words = line.split()
        if len(words) > 2 and words[0].isdigit() and words[1] in abis:
            rows[int(words[0])] = words[2], words[3] if len(words) > 3 else None
    for added in newest:
        rows.update({number: (name, "sys_" + name) for number, name in ADDED[added].items()})
    return wrapped(row(machine, number, *rows[number]) for number in sorted(rows))


def errors(*paths):
    """Those that the kernel itself has names for."""
    named = set(re.findall(r"\bE\((E\w+)\)", (LINUX / "lib/errname.c").read_text()))
    return {int(number): name for path in paths for name, number in
            re.findall(r"^#define\s+(E\w+)\s+(\d+)\b", (LINUX / path).read_text(), re.M)
            if name in named}


def main():
    have = version()
    newest = [v for v in ADDED if tuple(map(int, v.split("."))) > have]
    name = newest[-1] if newest else "%d.%d" % have
    head = "/* SPDX-License-Identifier: LGPL-2.1-or-later */\n/* %s of Linux %s, by scripts/kernel-tables.py. */\n"
    text = head % ("The system calls", name) + '#include "syscalls.h"\n\n/* clang-format off */\n'
    text += '#define CALL(name) {#name, "sys_" #name}\n#define BOTH(name, function) {#name, "sys_" #function}\n'
    text += '#define NAME(name) {#name, ""}\n'
    for machine in MACHINES:
        text += f"\nconst struct tdat_syscall tdat_syscalls_{machine}[] = {{\n{calls(machine, newest)}\n}};\n"
        text += f"const size_t tdat_syscalls_{machine}_count =\n\tsizeof(tdat_syscalls_{machine}) / sizeof(tdat_syscalls_{machine}[0]);\n"
    (TO / "syscall_table.c").write_text(text)
    found = errors("include/uapi/asm-generic/errno-base.h", "include/uapi/asm-generic/errno.h",
                   "include/linux/errno.h")
    rows = wrapped(f'[{number}]\xa0=\xa0"{found[number]}",' for number in sorted(found))
    text = head % ("The errors", "%d.%d" % have) + '#include "errno_name.h"\n\n/* clang-format off */\n'
    text += f"const char *const tdat_errno_names[] = {{\n{rows}\n}};\n"
    text += "const size_t tdat_errno_count = sizeof(tdat_errno_names) / sizeof(tdat_errno_names[0]);\n"
    (TO / "errno_table.c").write_text(text)


main()
