// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of several CPUs: machines with many are folded by 16, and each such row opens to the next level.

const FOLD = 16;
/** Recordings with no more CPUs have a row for each of them. */
const SINGLE_CPUS = 64;

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

/** Rows for CPUs: at most FOLD, of as many CPUs each as that needs (view/api/report.c does the same). */
function foldCpus(rec, cpus) {
	let size = 1;
	while (Math.ceil(cpus.length / size) > FOLD) size *= FOLD;
	const keys = [];
	for (let at = 0; at < cpus.length; at += size) {
		const some = cpus.slice(at, at + size);
		keys.push(size === 1 ? `cpu:${rec}:${some[0]}` : `cpus:${rec}:${some[0]}-${some.at(-1)}`);
	}
	return keys;
}

/** The rows that a recording begins with. `tells`: what its CPUs ran is known, else their events. */
export function rowsOfCpus(trace, rec, tells) {
	const cpus = cpusOf(trace.recordings[rec]);
	if (!tells) return cpus.slice(0, SINGLE_CPUS).map((cpu) => `events:${rec}:${cpu}`);
	if (cpus.length <= SINGLE_CPUS) return cpus.map((cpu) => `cpu:${rec}:${cpu}`);
	return foldCpus(rec, cpus);
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

/** The rows that a row of several CPUs opens to. */
function membersOf(key, trace) {
	const [rec, first, last] = rangeOf(key);
	const recording = trace.recordings[rec];
	if (!recording) return [];
	const cpus = cpusOf(recording).filter((cpu) => cpu >= first && cpu <= last);
	return foldCpus(rec, cpus);
}

/** Whether a row of several CPUs is open: one of those that it opens to is shown. */
export function isOpen(key, rows, trace) {
	const members = new Set(membersOf(key, trace));
	return rows.some((row) => members.has(row));
}

/** Rows with a row of several CPUs opened, or closed with all that is below it. */
export function toggled(key, rows, trace) {
	if (!isOpen(key, rows, trace)) {
		const at = rows.indexOf(key) + 1;
		return [...rows.slice(0, at), ...membersOf(key, trace), ...rows.slice(at)];
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
