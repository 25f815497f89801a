#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes user_events from Python: the ioctl by ctypes and by fcntl, writes by os.write and a file."""
import ctypes
import fcntl
import os
import struct
import subprocess
import sys

PATH = "/sys/kernel/tracing/user_events_data"
REG = 0xC0082A00


class Reg(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("size", ctypes.c_uint32), ("enable_bit", ctypes.c_uint8),
                ("enable_size", ctypes.c_uint8), ("flags", ctypes.c_uint16),
                ("enable_addr", ctypes.c_uint64), ("name_args", ctypes.c_uint64),
                ("write_index", ctypes.c_uint32)]


def main():
    word = ctypes.c_uint32(0)
    name = ctypes.create_string_buffer(b"python u32 number; __rel_loc char[] text")
    reg = Reg(28, 0, 4, 0, ctypes.addressof(word), ctypes.addressof(name), 99)
    fd = os.open(PATH, os.O_RDWR)
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.ioctl(fd, ctypes.c_ulong(REG), ctypes.byref(reg)) == 0, ctypes.get_errno()
    assert word.value == 1
    for number in range(10):
        text = f"line {number}".encode() + b"\0"
        os.write(fd, struct.pack("=III", reg.write_index, number, len(text) << 16) + text)
    with open(PATH, "r+b", buffering=0) as f:
        second = Reg(28, 1, 4, 0, ctypes.addressof(word), ctypes.addressof(name), 99)
        fcntl.ioctl(f, REG, second)
        f.write(struct.pack("=III", second.write_index, 10, 5 << 16) + b"file\0")
    try:
        os.write(fd, struct.pack("=II", reg.write_index, 1))
    except OSError as e:
        assert e.errno == 22, e
    else:
        raise AssertionError("a short payload was taken")
    if len(sys.argv) < 2:
        # A child with other descriptors and the same environment.
        subprocess.run([sys.executable, __file__, "child"], check=True)


main()
