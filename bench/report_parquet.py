#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What one does without tdat: lines of trace-cmd report on standard input become CSV, which
pyarrow reads and writes as one Parquet file with zstd. Fields stay a text.
usage: trace-cmd report FILE | report_parquet.py OUT.parquet"""
import io
import re
import sys

import pyarrow.csv as csv
import pyarrow.parquet as parquet

LINE = re.compile(
    rb"^\s*(.*)-(\d+)\s+\[(\d+)\]\s+(?:\S+\s+)?(\d+\.\d+):\s+([^:\s]+):\s*(.*)$", re.M
)
BLOCK = 16 << 20
NAMES = ["comm", "pid", "cpu", "ts", "event", "text"]


def blocks(stream):
    rest = b""
    while data := stream.read(BLOCK):
        data = rest + data
        end = data.rfind(b"\n") + 1
        rest = data[end:]
        yield data[:end]
    if rest:
        yield rest


def main():
    writer, rows = None, 0
    for block in blocks(sys.stdin.buffer):
        lines = [b"\t".join(found) for found in LINE.findall(block)]
        if not lines:
            continue
        table = csv.read_csv(
            io.BytesIO(b"\n".join(lines) + b"\n"),
            read_options=csv.ReadOptions(column_names=NAMES),
            parse_options=csv.ParseOptions(delimiter="\t", quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types={
                    "comm": "string", "pid": "int32", "cpu": "uint32", "ts": "float64",
                    "event": "string", "text": "string",
                }
            ),
        )
        writer = writer or parquet.ParquetWriter(sys.argv[1], table.schema, compression="zstd")
        writer.write_table(table)
        rows += table.num_rows
    if writer:
        writer.close()
    print(rows)


main()
