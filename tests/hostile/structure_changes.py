# SPDX-License-Identifier: GPL-2.0-or-later
"""All single changes of the structure of a trace.dat file.

A change is done on the tree of structure_file.py, written, and undone. What hangs on a
part (its count, the size of what holds it, places of what follows) is put right with it
in one kind of change ("mended"), and left as it was in the other ("raw").
"""
import re
import struct

from structure_file import (BUFFER, CMDLINES, DATE, DONE, EVENT_FORMATS, FTRACE_EVENTS, HEADER_INFO,
                            KALLSYMS, OFFSET, PRINTK, TIME_SHIFT, TRACECLOCK, TRACEID, TSC2NSEC,
                            TEXTS, Node)


def some(members, every=False):
    """Indexes of the first, the middle and the last one; of all, where that is asked for."""
    n = len(members)
    return range(n) if every else sorted({0, n // 2, n - 1}) if n else ()


class Changes:
    def __init__(self, tree):
        self.f = tree

    def all(self):
        yield from self.head()
        yield from self.tail()
        yield from self.layout()
        yield from self.metadata()
        if self.f.version == b"6":
            yield from self.v6()
        else:
            yield from self.v7()

    # ---- tools ----

    def out(self, kind, op, where):
        return kind, op, where, self.f.bytes()

    def attr(self, kind, op, where, node, name, value):
        old = getattr(node, name)
        setattr(node, name, value)
        yield self.out(kind, op, where)
        setattr(node, name, old)

    def lists(self, kind, where, parts, every=False, counted=False):
        """Drops, doubles, triples and swaps members; with the count put right and left as it was."""
        for raw in (False, True) if counted else (False,):
            how = "raw" if raw else "mended"
            for i in some(parts, every):
                old, pinned = list(parts), parts.pinned
                changes = [("drop", old[:i] + old[i + 1:]),
                           ("duplicate", old[:i + 1] + old[i:]),
                           ("triple", old[:i] + 3 * [old[i]] + old[i + 1:])]
                if i + 1 < len(old) and not raw:
                    changes.append(("swap", old[:i] + [old[i + 1], old[i]] + old[i + 2:]))
                for op, new in changes:
                    if raw:
                        parts.pin()
                    parts[:] = new
                    yield self.out(kind, op + " " + how, "%s[%d]" % (where, i))
                    parts[:], parts.pinned = old, pinned

    # ---- the head ----

    def head(self):
        f = self.f
        yield from self.attr("head", "renumber order", "head", f, "endian",
                             b"\0" if f.endian == b"\1" else b"\1")
        yield from self.attr("head", "renumber long", "head", f, "long",
                             b"\4" if f.long == b"\x08" else b"\x08")
        for size in (0, f.page_size // 2, f.page_size * 2):
            old = f.page_size
            f.page_size = size
            yield self.out("head", "renumber page size %d" % size, "head")
            f.page_size = old

    def tail(self):
        """Bytes behind the end, fewer than a page and as many."""
        for n in (1, self.f.page_size):
            yield "tail", "append %s" % ("a byte" if n == 1 else "a page"), "end", \
                self.f.bytes() + n * b"\xff"

    def layout(self):
        """Pages with 8 bytes more before their data, as header_page says; the last records give way."""
        f = self.f
        holders = f.blocks if f.version == b"6" else f.sections
        parts = [p for h in holders for a in h.areas or () for p in a.parts]
        if HEADER_INFO not in f.meta or any(getattr(p, "stored", None) is not None for p in parts):
            return
        pages = [page for p in parts for page in getattr(p, "pages", [p])]
        meta = f.meta[HEADER_INFO]
        old = meta.page, [(list(p.records), p.tail, p.flags) for p in pages]
        meta.page = re.sub(rb"( data;\toffset:)(\d+)(;\tsize:)(\d+)", lambda m: b"%s%d%s%d" % (
            m[1], int(m[2]) + 8, m[3], int(m[4]) - 8), meta.page)
        for p in pages:
            while f.head_len + 8 + sum(map(len, p.records)) > p.size:
                p.records.pop()
            p.tail, p.flags = b"", 0
        f.pad = bytes(8)
        yield self.out("layout", "wider head", "header_page")
        f.pad = b""
        meta.page = old[0]
        for p, (records, p.tail, p.flags) in zip(pages, old[1]):
            p.records[:] = records

    # ---- formats and tables ----

    def metadata(self):
        f = self.f
        meta = f.meta
        if FTRACE_EVENTS in meta:
            yield from self.formats("ftrace", meta[FTRACE_EVENTS].formats)
        if EVENT_FORMATS in meta:
            systems = meta[EVENT_FORMATS].systems
            yield from self.lists("system", "systems", systems, True, True)
            for s in systems:
                name = "formats of " + s.name.decode()
                yield from self.formats(name, s.formats)
                yield from self.attr("system", "rename", name, s, "name", s.name + b"x")
        if HEADER_INFO in meta:
            m = meta[HEADER_INFO]
            for which in ("page", "event"):
                text = getattr(m, which)
                lines = text.splitlines(True)
                for i in range(len(lines)):
                    changes = [("drop", lines[:i] + lines[i + 1:]),
                               ("duplicate", lines[:i + 1] + lines[i:])]
                    if i + 1 < len(lines):
                        changes.append(("swap", lines[:i] + [lines[i + 1], lines[i]] +
                                        lines[i + 2:]))
                    for op, new in changes:
                        yield from self.attr("header_" + which, op, "line %d" % i, m, which,
                                             b"".join(new))
        for which, kind in ((KALLSYMS, "kallsyms"), (PRINTK, "printk"), (CMDLINES, "cmdlines")):
            if which not in meta:
                continue
            lines = meta[which].text.splitlines(True)
            for i in some(lines):
                for op, new in (("drop", lines[:i] + lines[i + 1:]),
                                ("duplicate", lines[:i + 1] + lines[i:]),
                                ("other line", lines[:i] + [b"@ what is this\n"] + lines[i:]),
                                ("NUL", lines[:i] + [b"\0"] + lines[i:])):
                    yield from self.attr(kind, op, "line %d" % i, meta[which], "text",
                                         b"".join(new))

    def formats(self, where, formats):
        yield from self.lists("format", where, formats, counted=True)
        for i in some(formats):
            old = formats[i]
            number = int(re.search(rb"^ID: (\d+)", old, re.M).group(1))
            other = formats[i - 1] if len(formats) > 1 else None
            ids = [60000]
            if other:
                ids.append(int(re.search(rb"^ID: (\d+)", other, re.M).group(1)))
            for to in ids:
                formats[i] = re.sub(rb"^ID: \d+", b"ID: %d" % to, old, flags=re.M)
                yield self.out("format", "renumber " + ("free" if to == 60000 else "taken"),
                               "%s[%d] id %d" % (where, i, number))
            # Fields, and the print fmt, behind the second half of the fields are not read.
            lines = old.split(b"\n")
            own = [k for k, x in enumerate(lines) if x.startswith(b"\tfield:") and
                   b" common_" not in x]
            for op, what in (("empty line", b""), ("NUL", b"\0")):
                k = own[len(own) // 2] if own else len(lines) - 1
                formats[i] = b"\n".join(lines[:k] + [what] + lines[k:])
                yield self.out("format", op, "%s[%d] id %d" % (where, i, number))
            formats[i] = re.sub(rb"^(name: .*).$", b"\\1\0", old, flags=re.M)
            yield self.out("format", "NUL in name", "%s[%d] id %d" % (where, i, number))
            formats[i] = old

    # ---- version 6 ----

    def v6(self):
        f = self.f
        for which in list(f.meta):
            # A part less is all that follows at the wrong place.
            kept = f.meta
            f.meta = {k: v for k, v in kept.items() if k != which}
            yield self.out("part", "drop", str(which))
            f.meta = kept
        for n in (f.cpus - 1, f.cpus + 1):
            yield from self.attr("cpus", "renumber", str(n), f, "cpus", n)
        yield from self.options("options", f.options)
        for b, block in enumerate(f.blocks):
            where = "block %d" % b
            yield from self.lists("v6 entry", where, block.entries, True)
            for e in block.entries:
                yield from self.told(where, e.area)
            if block.clock is not None:
                yield from self.attr("clock block", "drop", where, block, "clock", None)
            yield from self.attr("tag", "renumber", where, block, "tag", b"flyrecorx\0")
            yield from self.areas(where, block)
        yield from self.lists("v6 block", "blocks", f.blocks, True)

    # ---- version 7 ----

    def v7(self):
        f = self.f
        yield from self.lists("section", "sections", f.sections, True)
        for i, s in enumerate(f.sections):
            where = "sections[%d] (%d)" % (i, s.id)
            for to in (s.id + 1, 99):
                yield from self.attr("section", "renumber %d" % to, where, s, "id", to)
            yield from self.attr("section", "renumber flags", where, s, "flags", s.flags ^ 1)
            if s.string >= 0:
                yield from self.attr("section", "renumber string", where, s, "string", 1 << 20)
        for i, s in enumerate(f.sections):
            if s.options is not None:
                yield from self.options("sections[%d]" % i, s.options)
                for o in s.options:
                    if o.buffer:
                        yield from self.buffer("sections[%d]" % i, o)
            if s.areas is not None:
                yield from self.areas("sections[%d]" % i, s)

    def twice(self, where, options):
        """Two of an option that a file should have once, at the begin of the list."""
        order = self.f.order
        for which, first, second in (
                (DATE, b"0x10\0", b"-0x2000\0"), (OFFSET, b"1000\0", b"70\0"),
                (TRACECLOCK, b"[local] global\0", b"[global] local\0"),
                (TRACEID, struct.pack(order + "Q", 1), struct.pack(order + "Q", 2)),
                (TIME_SHIFT, struct.pack(order + "QII", 1, 0, 0),
                 struct.pack(order + "QII", 2, 0, 0)),
                (TSC2NSEC, struct.pack(order + "IIQ", 3, 1, 0), struct.pack(order + "IIQ", 5, 2, 7))):
            old = list(options)
            options[:0] = [Node(id=which, data=d, block=None, buffer=None, target=None)
                           for d in (first, second)]
            yield self.out("option", "twice %d" % which, where)
            options[:] = old

    def options(self, where, options):
        yield from self.lists("option", where, options, True)
        yield from self.twice(where, options)
        for i, o in enumerate(options):
            here = "%s[%d] (%d)" % (where, i, o.id)
            for to in {200, o.id + 1, BUFFER, DONE} - {o.id}:
                yield from self.attr("option", "renumber %d" % to, here, o, "id", to)
            if getattr(o, "target", None):
                for other in self.f.sections:
                    if other is not o.target and other.id == o.target.id:
                        yield from self.attr("option", "retarget", here, o, "target", other)
                yield from self.attr("option", "retarget", here, o, "target", self.f.sections[0]
                                     if o.target is not self.f.sections[0]
                                     else self.f.sections[1])
            elif not getattr(o, "block", None) and o.data:
                yield from self.attr("option", "shorten", here, o, "data", o.data[:-1])
            yield from self.attr("option", "lengthen %d" % o.id, here, o, "more", b"more")
            if o.id in TEXTS and len(o.data) > 2:
                half = len(o.data) // 2
                yield from self.attr("option", "NUL %d" % o.id, here, o, "data",
                                     o.data[:half] + b"\0" + o.data[half + 1:])

    def buffer(self, where, opt):
        b = opt.buffer
        where += " buffer " + b.name.decode()
        yield from self.lists("entry", where, b.entries, True, True)
        yield from self.attr("buffer", "rename", where, b, "name", b.name + b"x")
        taken = [o.buffer.name for s in self.f.sections for o in s.options or ()
                 if o.buffer and o is not opt]
        for name in taken:
            yield from self.attr("buffer", "rename taken", where, b, "name", name)
        for size in (0, b.page_size // 2, b.page_size * 2):
            yield from self.attr("buffer", "renumber page size %d" % size, where, b,
                                 "page_size", size)
        for i, e in enumerate(b.entries):
            here = "%s cpu %d" % (where, e.cpu)
            for op, to in (("free", 9), ("wild", 70000), ("taken", b.entries[i - 1].cpu)):
                if to != e.cpu:
                    yield from self.attr("entry", "renumber " + op, here, e, "cpu", to)
            yield from self.told(here, e.area)

    def told(self, where, area):
        """Sizes in tables."""
        if not area.parts:
            return
        size = len(self.f.put_area(area))
        less = size - area.page_size if size > area.page_size else 1
        for op, to in (("to 0", 0), ("by -1", size - 1), ("less", less),
                       ("more", size + area.page_size)):
            yield from self.attr("entry", "resize " + op, "%s to %d" % (where, to), area,
                                 "told", to)

    # ---- CPU data ----

    def areas(self, where, holder):
        yield from self.lists("area", where, holder.areas, True)
        done = False
        for a, area in enumerate(holder.areas):
            here = "%s area %d" % (where, a)
            if not area.parts:
                continue
            if area.chunked:
                yield from self.lists("chunk", here, area.parts, counted=True)
                yield from self.lengths(here, area.parts)
                for i in some(area.parts):
                    if area.parts[i].stored is not None:
                        p = area.parts[i].plain
                        for to in (p - 1, p - area.page_size, p + area.page_size):
                            yield from self.attr("chunk", "resize", "%s chunk %d" % (here, i),
                                                 area.parts[i], "plain", to)
                    else:
                        yield from self.page("%s chunk %d" % (here, i), area.parts[i].pages[0],
                                             not done)
            else:
                yield from self.lists("page", here, area.parts)
                for i in some(area.parts):
                    yield from self.page("%s page %d" % (here, i), area.parts[i], not done)
            done = True

    def lengths(self, where, chunks):
        """Lengths of chunks; those that take in the next one with its count, and without."""
        for i in some(chunks):
            here = "%s chunk %d" % (where, i)
            for n in (-1, 1, 40, 1 << 20):
                yield from self.attr("chunk", "length %+d" % n, here, chunks[i], "more_len", n)
            if i + 1 == len(chunks):
                continue
            both = len(self.f.put_chunk(chunks[i + 1]))
            yield from self.attr("chunk", "take in next raw", here, chunks[i], "more_len", both)
            chunks.pinned = len(chunks) - 1
            yield from self.attr("chunk", "take in next mended", here, chunks[i], "more_len", both)
            chunks.pinned = None

    def page(self, where, page, records):
        f = self.f
        size = sum(map(len, page.records))
        page.commit = None
        for to in {0, size - 4, size + 4, page.size, page.size * 2}:
            if 0 <= to != size:
                yield from self.attr("page", "renumber commit", "%s to %d" % (where, to), page,
                                     "commit", to)
        yield from self.attr("page", "renumber flags", where, page, "flags",
                             page.flags ^ (3 << 30))
        for to in (0, page.stamp + (1 << 40)):
            yield from self.attr("page", "renumber stamp", where, page, "stamp", to)
        if not records:
            return
        for raw in (False, True):
            how = "raw" if raw else "mended"
            for i in some(page.records):
                old = list(page.records)
                changes = [("drop", old[:i] + old[i + 1:]), ("duplicate", old[:i + 1] + old[i:])]
                if i + 1 < len(old) and not raw:
                    changes.append(("swap", old[:i] + [old[i + 1], old[i]] + old[i + 2:]))
                for op, new in changes:
                    new_size = sum(map(len, new))
                    if f.head_len + new_size > page.size:
                        continue
                    tail = page.tail
                    page.records[:] = new
                    # The rest of the page is zeros, or the count of lost events.
                    if not page.flags:
                        page.tail = b""
                    page.commit = size if raw else None
                    yield self.out("record", op + " " + how, "%s record %d" % (where, i))
                    page.records[:], page.tail, page.commit = old, tail, None
        yield from self.taken_in(where, page)
        for i in some(page.records):
            old = page.records[i]
            for op, new in self.records(old):
                page.records[i] = new
                yield self.out("record", op, "%s record %d" % (where, i))
            page.records[i] = old

    def taken_in(self, where, page):
        """A record whose length takes in those behind it: one, two, all."""
        f = self.f
        for i in some(page.records[:-1]):
            old = page.records[i]
            word = struct.unpack(f.order + "I", old[:4])[0]
            kind = word & 31 if f.order == "<" else word >> 27
            if kind > 28:
                continue
            for op, end in (("one", i + 2), ("two", i + 3), ("all", len(page.records))):
                length = sum(map(len, page.records[i:end]))
                if end > len(page.records) or (kind and length > 4 + 4 * 28):
                    continue
                if kind:
                    to = length // 4 - 1
                    word = word & ~31 | to if f.order == "<" else word & 0x7ffffff | to << 27
                    page.records[i] = struct.pack(f.order + "I", word) + old[4:]
                else:
                    page.records[i] = old[:4] + struct.pack(f.order + "I", length - 4) + old[8:]
                yield self.out("record", "take in " + op, "%s record %d" % (where, i))
                page.records[i] = old

    def records(self, old):
        """Other words of one record, of the same length in all."""
        order = self.f.order
        word = struct.unpack(order + "I", old[:4])[0]
        kind = word & 31 if order == "<" else word >> 27
        delta = word >> 5 if order == "<" else word & 0x7ffffff

        def head(k, d):
            return struct.pack(order + "I", d << 5 | k if order == "<" else k << 27 | d)

        for to in sorted({0, 1, kind + 1 & 31, max(kind - 1, 0), 28, 29, 30, 31} - {kind}):
            yield "retype to %d" % to, head(to, delta) + old[4:]
        yield "padding without length", head(29, 0) + old[4:]
        if kind == 0:
            yield "relength", old[:4] + struct.pack(order + "I", len(old) - 8) + old[8:]
        at = 8 if kind == 0 else 4
        if kind <= 28 and len(old) >= at + 2:
            yield "renumber free", old[:at] + struct.pack(order + "H", 60000) + old[at + 2:]
            yield "renumber ftrace", old[:at] + struct.pack(order + "H", 5) + old[at + 2:]
