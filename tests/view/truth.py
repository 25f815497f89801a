# SPDX-License-Identifier: GPL-2.0-or-later
"""What a trace tells of its CPUs and tasks besides the tables: who ran before the first switch of a
CPU, and behind losses; and where losses began. Made from the events that tdat dump prints."""
import collections


class Truth:
    """events: objects of dump --json, in order."""

    def __init__(self, events):
        self.losses = collections.defaultdict(list)  # by buffer and CPU: (from, to)
        self.early = []  # runs that no row of sched has: buffer, CPU, pid, from, to
        last, seen, known = {}, {}, collections.Counter()
        for e in events:
            at = (e.get("buffer", ""), e["cpu"])
            if e.get("lost"):
                self.losses[at].append((min(last.get(at, events[0]["ts"]), e["ts"]), e["ts"]))
                known[at] = False
                seen.pop(at, None)
            last[at] = e["ts"]
            if (e["system"], e["event"]) == ("sched", "sched_switch"):
                pid, since = seen.pop(at, (None, 0))
                prev = e["fields"]["prev_pid"]
                if not known[at] and pid == prev and since < e["ts"]:
                    self.early.append((*at, pid, since, e["ts"]))
                known[at] = True
            elif not known[at] and seen.get(at, (None,))[0] != e["pid"]:
                seen[at] = (e["pid"], e["ts"])

    def lost_at(self, buffer, cpu, ts):
        """When a loss behind ts began, of one CPU, or of any (None); no earlier than ts."""
        found = []
        for at, losses in self.losses.items():
            if at[0] == buffer and (cpu is None or at[1] == cpu):
                found += [max(ts, begin) for begin, end in losses if end > ts][:1]
        return min(found, default=ts)
