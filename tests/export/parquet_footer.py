# SPDX-License-Identifier: GPL-2.0-or-later
"""Places in a Parquet file, by a reader of Thrift's compact protocol of our own: what the libraries that people use
do not show. Structs are dicts by field id, as parquet.thrift numbers them."""


class Thrift:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def number(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def value(self, kind, in_list=False):
        if kind in (1, 2):
            if in_list:
                self.at += 1
                return self.data[self.at - 1] == 1
            return kind == 1
        if kind == 3:
            self.at += 1
            return self.data[self.at - 1]
        if kind in (4, 5, 6):
            return self.number()
        if kind == 8:
            length = self.varint()
            self.at += length
            return bytes(self.data[self.at - length:self.at])
        if kind == 9:
            head = self.data[self.at]
            self.at += 1
            count = head >> 4 if head >> 4 != 15 else self.varint()
            return [self.value(head & 15, True) for _ in range(count)]
        assert kind == 12, kind
        return self.struct()

    def struct(self):
        fields, last = {}, 0
        while True:
            head = self.data[self.at]
            self.at += 1
            if not head:
                return fields
            last = last + (head >> 4) if head >> 4 else self.number()
            fields[last] = self.value(head & 15)


def footer(data):
    assert data[:4] == data[-4:] == b"PAR1"
    length = int.from_bytes(data[-8:-4], "little")
    return Thrift(data, len(data) - 8 - length).struct()


def chunks(data):
    """Of each column chunk: pages as bytes, the column index as bytes, first rows, and facts without places."""
    rows = 0
    for number, group in enumerate(footer(data)[4]):
        assert group.get(7, number) == number, "the ordinal of a row group"
        rows += group[3]
        starts = []
        for chunk in group[1]:
            meta = chunk[3]
            start = meta.get(11, meta[9])
            starts.append(start)
            at, pages = start, []
            index = Thrift(data, chunk[4])
            places = index.struct()[1]
            assert index.at == chunk[4] + chunk[5], "the length of an offset index"
            if 11 in meta:
                head = Thrift(data, start)
                assert head.struct()[1] == 2, "no dictionary page"
            for place in places:
                head = Thrift(data, place[1])
                page = head.struct()
                assert page[1] == 0 and head.at + page[3] == place[1] + place[2], "no data page"
                pages.append(place[1])
                at = place[1] + place[2]
            assert pages[0] == meta[9] and at == start + meta[7], "pages do not fill the chunk"
            column_index = data[chunk[6]:chunk[6] + chunk[7]] if 6 in chunk else None
            if column_index is not None:
                assert len(Thrift(data, chunk[6]).struct()[2]) == len(pages), "the column index"
            facts = {k: v for k, v in meta.items() if k not in (9, 11)}
            yield (bytes(data[start:at]), column_index, [p[3] for p in places], facts, group[3], group.get(4))
        assert min(starts) == group[5], "the place of a row group"
    assert rows == footer(data)[3], "the number of rows"
