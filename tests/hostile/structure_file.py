# SPDX-License-Identifier: GPL-2.0-or-later
"""A trace.dat file as a tree of parts that can be changed one by one and written again.

It is written from the description of the format, not from libtdat. Each list that has a
count in the file is a Parts: its count is that of its members unless it was pinned. Places
in the file are never numbers here but references to parts, so that everything else stays
true when one thing is changed.
"""
import functools
import re
import struct
import zlib

MAGIC = b"\x17\x08\x44tracing"
DONE, DATE, BUFFER, TRACECLOCK, OFFSET, CPUCOUNT, BUFFER_TEXT = 0, 1, 3, 4, 7, 8, 22
TRACEID, TIME_SHIFT, TSC2NSEC = 11, 12, 14
TEXTS = (DATE, 2, TRACECLOCK, 5, 6, OFFSET, 9, 10)  # options of text
HEADER_INFO, FTRACE_EVENTS, EVENT_FORMATS, KALLSYMS, PRINTK, CMDLINES = 16, 17, 18, 19, 20, 21
SECTIONS = (HEADER_INFO, FTRACE_EVENTS, EVENT_FORMATS, KALLSYMS, PRINTK, CMDLINES, 23, 25)


@functools.lru_cache(maxsize=64)
def deflated(data):
    return zlib.compress(data, 1)


class Parts(list):
    """A list whose count the file tells."""

    def __init__(self, members=()):
        super().__init__(members)
        self.pinned = None  # what the file says instead of the number of members

    def count(self):
        return len(self) if self.pinned is None else self.pinned

    def pin(self):
        self.pinned = self.count()


class Node:
    """Something with a place in the file."""

    more = b""  # what an option has behind its payload
    more_len = 0  # what a chunk's header says beyond its length

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def copy(self):
        twin = Node(**self.__dict__)
        for key, value in self.__dict__.items():
            if isinstance(value, Parts):
                setattr(twin, key, Parts(m.copy() if isinstance(m, Node) else m for m in value))
        return twin


class Reader:
    def __init__(self, data, pos, order):
        self.data, self.pos, self.order = data, pos, order

    def take(self, n):
        out = self.data[self.pos:self.pos + n]
        assert len(out) == n, "the fixture ends early"
        self.pos += n
        return out

    def num(self, code):
        return struct.unpack(self.order + code, self.take(struct.calcsize(self.order + code)))[0]

    def text(self):
        end = self.data.index(0, self.pos)
        out = self.data[self.pos:end]
        self.pos = end + 1
        return out

    def blob(self, code):
        return self.take(self.num(code))


class File:
    """All of a file. What is not understood, such as zstd, is kept as bytes."""

    # ---- reading ----

    def __init__(self, data):
        assert data.startswith(MAGIC)
        r = Reader(data, len(MAGIC), "<")
        self.version = r.text()
        self.endian = r.take(1)
        self.order = r.order = ">" if self.endian == b"\1" else "<"
        self.long = r.take(1)
        self.page_size = r.num("I")
        self.meta = {}
        if self.version == b"6":
            self.read_v6(r)
        else:
            self.read_v7(r)

    def read_meta(self, r, which):
        m = Node(id=which)
        if which == HEADER_INFO:
            m.page_tag, m.page = r.take(12), r.blob("Q")
            m.event_tag, m.event = r.take(13), r.blob("Q")
            size = re.search(rb"commit;\s*offset:\d+;\s*size:(\d)", m.page)
            self.commit_len = int(size.group(1))
            self.head_len = 8 + self.commit_len
            self.pad = b""  # what pages have between commit and data
        elif which == FTRACE_EVENTS:
            m.formats = Parts(r.blob("Q") for _ in range(r.num("I")))
        elif which == EVENT_FORMATS:
            m.systems = Parts()
            for _ in range(r.num("I")):
                name = r.text()
                m.systems.append(Node(name=name, formats=Parts(r.blob("Q")
                                                              for _ in range(r.num("I")))))
        else:
            m.text = r.blob("Q" if which == CMDLINES else "I")
        self.meta[which] = m
        return m

    def read_pages(self, data, page_size):
        return Parts(self.read_page(data[i:i + page_size])
                     for i in range(0, len(data), page_size))

    def read_page(self, raw):
        """A page with its records; one that is not as it should be has none."""
        stamp = struct.unpack(self.order + "Q", raw[:8])[0]
        code = "Q" if self.commit_len == 8 else "I"
        commit = struct.unpack_from(self.order + code, raw, 8)[0]
        page = Node(stamp=stamp, flags=commit & ~0x7ffffff, size=len(raw), records=Parts())
        pos, end = self.head_len, self.head_len + (commit & 0x7ffffff)
        while pos < end:
            word, extra = struct.unpack_from(self.order + "II", raw + bytes(4), pos)
            kind = word & 31 if self.order == "<" else word >> 27
            length = {0: 4 + (extra + 3 & ~3), 29: 4 + extra, 30: 8, 31: 8}.get(kind, 4 + 4 * kind)
            page.records.append(raw[pos:pos + length])
            pos += length
        assert pos == end, "records do not fill the page"
        page.tail = raw[end:]
        return page

    def read_area(self, data, at, size, page_size, chunked):
        area = Node(chunked=chunked and size > 0, page_size=page_size, parts=Parts(), untold=0, told=None)
        if not area.chunked:
            area.parts = self.read_pages(data[at:at + size], page_size)
            return area
        r = Reader(data, at, self.order)
        for _ in range(r.num("I")):
            packed, plain = r.num("I"), r.num("I")
            stored = r.take(packed)
            if self.codec != b"zlib":
                area.parts.append(Node(stored=stored, plain=plain))
                continue
            # One page in each chunk, so that there are several.
            for page in self.read_pages(zlib.decompress(stored), page_size):
                area.parts.append(Node(stored=None, pages=Parts([page])))
        # trace-cmd 3.1 does not count the number of chunks in the size.
        area.untold = r.pos - at - size
        return area

    def read_v6(self, r):
        for which in (HEADER_INFO, FTRACE_EVENTS, EVENT_FORMATS, KALLSYMS, PRINTK, CMDLINES):
            self.read_meta(r, which)
        self.cpus = r.num("I")
        tag = r.take(10)
        self.options = Parts()
        assert tag.startswith(b"options")
        while True:
            which = r.num("H")
            if which == DONE:
                break
            self.options.append(Node(id=which, data=r.blob("I"), block=None))
        self.top = self.read_v6_block(r, any(o.id == TRACECLOCK for o in self.options))
        self.blocks = Parts([self.top])
        for opt in self.options:
            if opt.id == BUFFER:
                at = struct.unpack(self.order + "Q", opt.data[:8])[0]
                opt.block = self.read_v6_block(Reader(r.data, at, self.order), True)
                self.blocks.append(opt.block)

    def read_v6_block(self, r, clock):
        block = Node(tag=r.take(10), entries=Parts(), clock=None)
        assert block.tag.startswith(b"flyrecord")
        for _ in range(self.cpus):
            at, size = r.num("Q"), r.num("Q")
            block.entries.append(Node(area=self.read_area(r.data, at, size, self.page_size,
                                                          False)))
        if clock:
            block.clock = r.blob("Q")
        block.areas = Parts(e.area for e in block.entries)
        return block

    def read_v7(self, r):
        self.codec, self.codec_version = r.text(), r.text()
        first = r.num("Q")
        found = {}
        self.sections = Parts()
        while r.pos < len(r.data):
            at = r.pos
            s = Node(id=r.num("H"), flags=r.num("H"), string=r.num("i"), body=None, meta=None,
                     options=None, areas=None)
            s.raw = Reader(r.data, r.pos + 8, self.order).take(r.num("Q"))
            s.at = r.pos
            r.take(len(s.raw))
            found[at] = s
            self.sections.append(s)
        self.first = found[first]
        for s in self.sections:
            self.read_section(s, found)
        for s in self.sections:
            for opt in s.options or ():
                if opt.id == BUFFER:
                    self.read_v7_buffer(r.data, opt, found)

    def read_section(self, s, found):
        packed = s.flags & 1
        plain = s.raw
        if packed and s.id != BUFFER:
            if self.codec != b"zlib":
                # Only what is no list can be moved; the size of a commit is the fixture's.
                s.body = s.raw
                return
            plain = zlib.decompress(s.raw[8:])
        r = Reader(plain, 0, self.order)
        if s.id == 0:
            s.options = Parts()
            while r.pos < len(plain):
                which = r.num("H")
                opt = Node(id=which, data=r.blob("I"), target=None, buffer=None)
                if which in SECTIONS or which == DONE:
                    at = struct.unpack(self.order + "Q", opt.data)[0]
                    opt.target = found[at] if at else None
                s.options.append(opt)
        elif s.id in (HEADER_INFO, FTRACE_EVENTS, EVENT_FORMATS, KALLSYMS, PRINTK, CMDLINES):
            s.meta = self.read_meta(r, s.id)
        elif s.id != BUFFER:
            s.body = s.raw

    def read_v7_buffer(self, data, opt, found):
        r = Reader(opt.data, 0, self.order)
        opt.target = found[r.num("Q")]
        b = opt.buffer = Node(name=r.text(), clock=r.text(), page_size=r.num("I"), entries=Parts())
        for _ in range(r.num("I")):
            cpu, at, size = r.num("I"), r.num("Q"), r.num("Q")
            b.entries.append(Node(cpu=cpu, area=self.read_area(
                data, at, size, b.page_size, opt.target.flags & 1)))
        opt.target.areas = Parts(e.area for e in b.entries)

    # ---- writing ----

    def pack(self, code, *values):
        return struct.pack(self.order + code, *values)

    def blob(self, code, data):
        return self.pack(code, len(data)) + data

    def put_meta(self, m):
        if m.id == HEADER_INFO:
            return (m.page_tag + self.blob("Q", m.page) + m.event_tag + self.blob("Q", m.event))
        if m.id == FTRACE_EVENTS:
            return self.pack("I", m.formats.count()) + b"".join(
                self.blob("Q", f) for f in m.formats)
        if m.id == EVENT_FORMATS:
            return self.pack("I", m.systems.count()) + b"".join(
                s.name + b"\0" + self.pack("I", s.formats.count()) +
                b"".join(self.blob("Q", f) for f in s.formats) for s in m.systems)
        return self.blob("Q" if m.id == CMDLINES else "I", m.text)

    def put_page(self, page):
        body = b"".join(page.records)
        commit = getattr(page, "commit", None)
        commit = len(body) if commit is None else commit
        raw = (self.pack("Q", page.stamp) +
               self.pack("Q" if self.commit_len == 8 else "I", commit | page.flags) +
               self.pad + body + page.tail)
        return raw[:page.size].ljust(page.size, b"\0")

    def put_chunk(self, chunk):
        if chunk.stored is not None:
            stored, plain = chunk.stored, chunk.plain
        else:
            raw = b"".join(self.put_page(p) for p in chunk.pages)
            stored, plain = deflated(raw), len(raw)
        return self.pack("II", len(stored) + chunk.more_len, plain) + stored

    def put_area(self, area):
        if area.chunked:
            return self.pack("I", area.parts.count()) + b"".join(
                self.put_chunk(c) for c in area.parts)
        return b"".join(self.put_page(p) for p in area.parts)

    def place_areas(self, out, areas):
        """Appends CPU data, each aligned; leaves in each where it is."""
        for area in areas:
            out += bytes(-len(out) % area.page_size)
            area.off = len(out)
            data = self.put_area(area)
            area.len = len(data) - area.untold if area.told is None else area.told
            out += data

    def head(self):
        return bytearray(MAGIC + self.version + b"\0" + self.endian + self.long +
                         self.pack("I", self.page_size))

    def bytes(self):
        # Twice: what comes first tells where the rest is.
        for p in self.placed():
            p.off = p.len = 0
        self.write()
        return bytes(self.write())

    def placed(self):
        if self.version == b"6":
            yield from self.blocks
            for b in self.blocks:
                yield from b.areas
                yield from (e.area for e in b.entries)
            return
        for s in self.sections:
            yield s
            yield from s.areas or ()
            for opt in s.options or ():
                if opt.target:
                    yield opt.target
                if opt.buffer:
                    yield from (e.area for e in opt.buffer.entries)

    def write(self):
        return self.write_v6() if self.version == b"6" else self.write_v7()

    def write_v6(self):
        out = self.head()
        for which in (HEADER_INFO, FTRACE_EVENTS, EVENT_FORMATS, KALLSYMS, PRINTK, CMDLINES):
            if which in self.meta:
                out += self.put_meta(self.meta[which])
        out += self.pack("I", self.cpus) + b"options  \0"
        for opt in self.options:
            data = opt.data
            if opt.block:
                data = self.pack("Q", opt.block.off) + data[8:]
            out += self.pack("H", opt.id) + self.blob("I", data + opt.more)
        out += self.pack("H", DONE)
        for block in self.blocks:
            block.off = len(out)
            out += block.tag
            for e in block.entries:
                out += self.pack("QQ", e.area.off, e.area.len)
            if block.clock is not None:
                out += self.blob("Q", block.clock)
            self.place_areas(out, block.areas)
        return out

    def put_option(self, opt):
        data = opt.data
        if opt.buffer:
            b = opt.buffer
            data = (self.pack("Q", opt.target.off) + b.name + b"\0" + b.clock + b"\0" +
                    self.pack("II", b.page_size, b.entries.count()) +
                    b"".join(self.pack("IQQ", e.cpu, e.area.off, e.area.len) for e in b.entries))
        elif opt.target:
            data = self.pack("Q", opt.target.off)
        return self.pack("H", opt.id) + self.blob("I", data + opt.more)

    def write_v7(self):
        out = self.head() + self.codec + b"\0" + self.codec_version + b"\0"
        out += self.pack("Q", self.first.off)
        for s in self.sections:
            s.off = len(out)
            out += self.pack("HHiQ", s.id, s.flags, s.string, 0)
            start = len(out)
            if s.areas is not None:
                self.place_areas(out, s.areas)
            elif s.body is not None:
                out += s.body
            else:
                plain = (b"".join(self.put_option(o) for o in s.options)
                         if s.options is not None else self.put_meta(s.meta))
                if s.flags & 1:
                    packed = deflated(bytes(plain))
                    plain = self.pack("II", len(packed), len(plain)) + packed
                out += plain
            struct.pack_into(self.order + "Q", out, start - 8, len(out) - start)
        return out
