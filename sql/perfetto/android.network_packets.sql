-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables of what a trace.dat cannot have: they have no rows.
CREATE PERFETTO TABLE android_network_packets(id LONG, ts TIMESTAMP, dur DURATION, track_name STRING, package_name STRING, iface STRING, direction STRING, packet_count LONG, packet_length LONG, packet_transport STRING, packet_tcp_flags LONG, socket_tag STRING, socket_uid LONG, local_port LONG, remote_port LONG, packet_icmp_type LONG, packet_icmp_code LONG, packet_tcp_flags_int LONG, socket_tag_int LONG);
