# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads traces of Perfetto strictly, by the message classes of the Python package perfetto."""
import zlib

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, unknown_fields
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

FIRST_DESCRIBED = 65536


class Broken(Exception):
    """The trace is not as it should be; the message says why."""


def need(condition, text):
    if not condition:
        raise Broken(text)


def varint(data, at):
    value = shift = 0
    while True:
        need(at < len(data) and shift < 70, f"a varint is cut at byte {at}")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        shift += 7
        if not byte & 0x80:
            return value, at


def raw_packets(data):
    """The bytes of each packet: nothing but field 1 of Trace."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        need(tag == 0x0A, f"byte {at - 1}: tag {tag:#x}, not a packet")
        size, at = varint(data, at)
        need(size <= len(data) - at, f"byte {at}: a packet of {size} bytes is cut")
        yield data[at:at + size]
        at += size


def unknown_of(message):
    return list(unknown_fields.UnknownFieldSet(message))


class Described:
    """Events that a descriptor in the trace describes."""

    def __init__(self):
        self.types = {}
        self.groups = {}

    def add(self, descriptor):
        number = descriptor.field_id
        need(number >= FIRST_DESCRIBED, f"field_id {number} is below {FIRST_DESCRIBED}")
        if number in self.types:
            return
        proto = descriptor_pb2.DescriptorProto.FromString(descriptor.event_descriptor)
        need(not unknown_of(proto), f"descriptor {number} has unknown fields")
        need(proto.SerializeToString() == descriptor.event_descriptor,
             f"descriptor {number} re-encodes differently")
        numbers = [f.number for f in proto.field]
        need(all(0 < n < 32 for n in numbers), f"field numbers of descriptor {number}: {numbers}")
        need(len(set(numbers)) == len(numbers), f"descriptor {number} repeats a number")
        # Names of fields and events may be anything in a trace, but not in a pool.
        names = {f.number: f.name for f in proto.field}
        event = proto.name
        proto.name = "Event"
        for field in proto.field:
            field.name = f"f{field.number}"
        file = descriptor_pb2.FileDescriptorProto(
            name=f"event{number}.proto", package=f"event{number}", message_type=[proto])
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        cls = message_factory.GetMessageClass(
            pool.FindMessageTypeByName(f"event{number}.Event"))
        self.types[number] = (event, cls, names)
        self.groups[number] = descriptor.group_name

    def read(self, field):
        need(field.field_number in self.types,
             f"event field {field.field_number} has no descriptor before it")
        need(field.wire_type == 2, f"event field {field.field_number} is no message")
        name, cls, names = self.types[field.field_number]
        message = cls.FromString(field.data)
        need(not unknown_of(message), f"{name} has undescribed fields")
        need(message.SerializeToString() == field.data, f"{name} re-encodes differently")
        return name, [(names[f.number], v, f.type) for f, v in message.ListFields()]


def check_known(message, path):
    """No unknown fields anywhere below, but for described events in FtraceEvent."""
    if message.DESCRIPTOR.name != "FtraceEvent":
        need(not unknown_of(message), f"{path} has unknown fields: "
             f"{[u.field_number for u in unknown_of(message)]}")
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for item in value if field.is_repeated else [value]:
            check_known(item, f"{path}.{field.name}")


class Event:
    """One event: what is compared with tdat dump --json."""
    __slots__ = ("machine", "sequence", "cpu", "ts", "pid", "name", "fields", "typed")


def pairs_of(generic):
    fields = []
    for pair in generic.field:
        kind = pair.WhichOneof("value")
        if kind is not None:
            fields.append((pair.name, getattr(pair, kind), 9 if kind == "str_value" else 3))
    return fields


def read_event(event, described):
    e = Event()
    e.ts, e.pid = event.timestamp, event.pid
    need(event.HasField("timestamp") and event.HasField("pid"), "an event without time or pid")
    need(not event.HasField("common_flags"), "an event has common_flags")
    unknown = unknown_of(event)
    which = event.WhichOneof("event")
    need((which is None) == (len(unknown) == 1) and len(unknown) <= 1,
         f"an event has {which} and {len(unknown)} unknown fields")
    if which is None:
        e.name, e.fields = described.read(unknown[0])
        e.typed = False
    elif which == "generic":
        e.name, e.fields, e.typed = event.generic.event_name, pairs_of(event.generic), False
    else:
        message = getattr(event, which)
        e.name, e.typed = which, True
        e.fields = [(f.name, list(v) if f.is_repeated else v, f.type)
                    for f, v in message.ListFields()]
    return e


def inflated(data):
    """The bytes of each packet, those in compressed ones, too."""
    for raw in raw_packets(data):
        packet = pb.TracePacket.FromString(raw)
        if not packet.HasField("compressed_packets"):
            yield raw
            continue
        need(packet.SerializeToString() == raw and len(packet.ListFields()) == 1,
             "a compressed packet with more in it")
        need(len(raw) < 512 * 1024, f"a compressed packet of {len(raw)} bytes")
        yield from raw_packets(zlib.decompress(packet.compressed_packets))


class Trace:
    """All packets of a trace, checked."""

    def __init__(self, path):
        self.packets, self.events, self.lost = [], [], 0
        self.described = {}
        with open(path, "rb") as f:
            data = f.read()
        need(data[:1] == b"\x0a", "the first byte is not 0x0A")
        for number, raw in enumerate(inflated(data)):
            try:
                self.take(pb.TracePacket.FromString(raw), raw)
            except Broken as e:
                raise Broken(f"packet {number}: {e}") from None

    def take(self, packet, raw):
        check_known(packet, "packet")
        need(packet.SerializeToString() == raw, "re-encodes differently")
        need(self.packets or not packet.machine_id, "the first packet is not the host's")
        self.packets.append(packet)
        if not packet.HasField("ftrace_events"):
            return
        bundle = packet.ftrace_events
        need(bundle.HasField("cpu") and bundle.cpu < 1024, f"a bundle of cpu {bundle.cpu}")
        need(bundle.ftrace_clock != 1, "a bundle with an unknown clock")
        described = self.described.setdefault(packet.machine_id, Described())
        for descriptor in bundle.generic_event_descriptors:
            described.add(descriptor)
        self.lost += bundle.lost_events
        self.check_clock(packet)
        before = 0
        for event in bundle.event:
            e = read_event(event, described)
            e.machine, e.sequence, e.cpu = (packet.machine_id, packet.trusted_packet_sequence_id,
                                            bundle.cpu)
            self.events.append(e)

    def check_clock(self, packet):
        """A bundle with a clock of its own needs that clock tied to boot time before it."""
        clock = {0: None, 2: 64, 3: 64, 4: 5}[packet.ftrace_events.ftrace_clock]
        if clock is None:
            return
        for p in self.packets:
            ids = {c.clock_id for c in p.clock_snapshot.clocks}
            if {clock, 6} <= ids and (clock != 64 or p.trusted_packet_sequence_id ==
                                      packet.trusted_packet_sequence_id):
                return
        raise Broken(f"clock {clock} of a bundle is not tied to boot time before it")
