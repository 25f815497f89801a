# SPDX-License-Identifier: GPL-2.0-or-later
"""Asks Perfetto's trace processor: loads traces and runs queries, by its own protocol (RPC)."""
import struct
import subprocess

from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory

CHUNK = 8 << 20


class Failed(Exception):
    """The trace processor said that it cannot, or ended."""


class Processor:
    """A running trace processor: see trace_processor.js."""

    def __init__(self, script, folder):
        self.words = ["node", script, folder]
        protos = ProtoFactory(PlatformDelegate())
        self.Stream, self.Rpc = protos.TraceProcessorRpcStream, protos.TraceProcessorRpc
        self.process = None
        self.sequence = 0

    def start(self):
        self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.sequence = 0

    def ended(self):
        process, self.process = self.process, None
        _, said = process.communicate()
        return Failed(f"the trace processor ended: {said.decode(errors='replace')[-2000:]}")

    def read(self, size):
        data = self.process.stdout.read(size)
        if len(data) != size:
            raise self.ended()
        return data

    def ask(self, what, **arguments):
        """The replies to one request."""
        if self.process is None:
            self.start()
        stream = self.Stream()
        message = stream.msg.add(seq=self.sequence, **arguments)
        message.request = getattr(self.Rpc, what)
        data = stream.SerializeToString()
        try:
            self.process.stdin.write(struct.pack("<I", len(data)))
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self.ended() from None
        size, = struct.unpack("<I", self.read(4))
        replies = self.Stream.FromString(self.read(size)).msg
        for reply in replies:
            if reply.fatal_error or reply.invalid_request:
                raise Failed(f"{what}: {reply.fatal_error or reply.invalid_request}")
        if not replies:
            raise Failed(f"{what}: no reply")
        self.sequence += 1
        return replies

    def status(self):
        """Version and API of the trace processor."""
        return self.ask("TPM_GET_STATUS")[0].status

    def load(self, path):
        """Another trace than before."""
        self.ask("TPM_RESET_TRACE_PROCESSOR")
        with open(path, "rb") as f:
            while data := f.read(CHUNK):
                reply, = self.ask("TPM_APPEND_TRACE_DATA", append_trace_data=data)
                if reply.append_result.error:
                    raise Failed(reply.append_result.error)
        reply, = self.ask("TPM_FINALIZE_TRACE_DATA")
        if reply.finalize_data_result.error:
            raise Failed(reply.finalize_data_result.error)

    def query(self, sql):
        """Rows, as tuples: None, int, float, str, bytes."""
        names, flat = (), []
        for reply in self.ask("TPM_QUERY_STREAMING", query_args={"sql_query": sql}):
            result = reply.query_result
            if result.error:
                raise Failed(f"{result.error}: {sql}")
            names = names or tuple(result.column_names)
            for batch in result.batch:
                flat += cells_of(batch)
        if not names:
            return []
        return list(zip(*[iter(flat)] * len(names), strict=True))

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()
            self.process.stderr.close()


def cells_of(batch):
    """The values of a QueryResult.CellsBatch, row after row."""
    texts = batch.string_cells
    if isinstance(texts, bytes):
        texts = texts.decode("utf-8", "surrogateescape")
    of_kind = {2: iter(batch.varint_cells), 3: iter(batch.float64_cells),
               4: iter(texts.split("\0")), 5: iter(batch.blob_cells)}
    return [None if kind == 1 else next(of_kind[kind]) for kind in batch.cells]
