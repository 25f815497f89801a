// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of several CPUs: the server folds the CPUs of machines with many, and tells what each row opens to.

/** At most so many rows of events of CPUs at first. */
const EVENT_ROWS = 64;

const known = new WeakMap();

/** The numbers of all CPUs of a recording, from "0-3,8". */
export function cpusOf(recording) {
	let list = known.get(recording);
	if (list) return list;
	list = [];
	for (const part of recording.cpu_list.split(',').filter(Boolean)) {
		const [first, last = first] = part.split('-').map(Number);
		for (let cpu = first; cpu <= last; cpu++) list.push(cpu);
	}
	known.set(recording, list);
	return list;
}

/** The rows that a recording begins with. `tells`: what its CPUs ran is known, else their events. */
export function rowsOfCpus(trace, rec, tells) {
	const recording = trace.recordings[rec];
	if (tells) return recording.rows;
	return cpusOf(recording).slice(0, EVENT_ROWS).map((cpu) => `events:${rec}:${cpu}`);
}

/** The first and the last CPU of a row of several; null for another row. */
function rangeOf(key) {
	const found = /^cpus:(\d+):(\d+)-(\d+)$/.exec(key ?? '');
	return found ? found.slice(1).map(Number) : null;
}

export function isGroup(key) {
	return rangeOf(key) !== null;
}

/** The CPUs that a row has: [recording, number of CPUs, first, last], or null. */
function coverOf(key, trace) {
	const range = rangeOf(key);
	if (range) {
		const [rec, first, last] = range;
		const recording = trace.recordings[rec];
		const count = recording
			? cpusOf(recording).filter((cpu) => cpu >= first && cpu <= last).length
			: 0;
		return [rec, count, first, last];
	}
	const single = /^(?:cpu|events):(\d+):(\d+)$/.exec(key);
	return single ? [Number(single[1]), 1, Number(single[2]), Number(single[2])] : null;
}

/** Whether a row of several CPUs is open: one of those that it `opens` to is shown. */
export function isOpen(opens, rows) {
	return rows.some((row) => opens.includes(row));
}

/** Rows with a row of several CPUs opened, or closed with all that is below it. */
export function toggled(key, opens, rows, trace) {
	if (!isOpen(opens, rows)) {
		const at = rows.indexOf(key) + 1;
		return [...rows.slice(0, at), ...opens, ...rows.slice(at)];
	}
	const [rec, first, last] = rangeOf(key);
	return rows.filter((row) => {
		const cover = row === key || row.startsWith('events:') ? null : coverOf(row, trace);
		return !cover || cover[0] !== rec || cover[2] < first || cover[3] > last;
	});
}

/** How many CPUs the rows have, and how many there are. An open row does not count: its members do. */
export function cpusInSight(keys, trace) {
	const total = trace.recordings.reduce((sum, one) => sum + one.cpu_total, 0);
	let count = 0;
	for (const [at, key] of keys.entries()) {
		const cover = coverOf(key, trace);
		// The members of an open row are right below it.
		const below = cover && cover[1] > 1 ? coverOf(keys[at + 1] ?? '', trace) : null;
		const opened = below && below[0] === cover[0] && below[2] === cover[2] && below[3] <= cover[3];
		if (cover && !opened) count += cover[1];
	}
	return { count, total };
}
