// SPDX-License-Identifier: GPL-2.0-or-later
// How rows stand in the picture: kept at the top, moved, put below their process or cgroup, and folded.

import { parseKey } from './rows.js';
import { grouped } from './text.js';

/** Rows of single tasks, which a group can have. */
const GROUPED = new Set(['task', 'slices', 'syscalls', 'functions', 'kvm']);

/** What groups tasks: the number of the process, the path of the cgroup, by "rec:pid". */
const groupsOf = { process: new Map(), cgroup: new Map() };

/** How many moves into cgroups were read of how many. */
const movesRead = { count: 0, total: 0 };

/** Remembers the processes of tasks of api/tasks, and the cgroups that `moves` of `total` put tasks into. */
export function learnGroups({ tasks, moves, total }) {
	for (const { rec, pid, tgid } of tasks) if (tgid > 0) groupsOf.process.set(`${rec}:${pid}`, tgid);
	for (const { rec, pid, path } of cgroupsOf(moves)) groupsOf.cgroup.set(`${rec}:${pid}`, path);
	if (total - moves.length >= movesRead.total - movesRead.count)
		Object.assign(movesRead, { count: moves.length, total });
}

/** Whether tasks can be grouped so: what was recorded tells it of one. */
export function canGroup(group) {
	return groupsOf[group].size > 0;
}

/** What a user should know of a group, or an empty text. */
export function groupRemark(group) {
	if (!canGroup(group)) return 'not recorded';
	const { count, total } = movesRead;
	return group === 'cgroup' && count < total ? `the last ${grouped(count)} of ${grouped(total)} moves` : '';
}

/** The tasks of rows, by "rec:pid": those that a group can have. */
export function groupedTasks(rows) {
	return rows.map(parseKey).flatMap(({ type, rec, id }) => (GROUPED.has(type) ? [`${rec}:${id}`] : []));
}

/** The row that a row of a task stands below, or null. Rows that are kept at the top have no rows below them. */
function headOf(key, { rows, group, pins }) {
	const { type, rec, id } = parseKey(key);
	const value = GROUPED.has(type) ? groupsOf[group]?.get(`${rec}:${id}`) : undefined;
	const head = `${group}:${rec}:${value}`;
	return value === undefined || (pins.includes(head) && rows.includes(head)) ? null : head;
}

/**
 * The rows as they are shown: `keys` from top to bottom, how many of them are `kept` at the top, and the
 * `groups`: for each head the rows below it, also those that it hides.
 */
export function arranged(state) {
	const { rows, pins, folds } = state;
	const top = rows.filter((key) => pins.includes(key));
	const groups = new Map();
	for (const key of rows.filter((one) => !pins.includes(one))) {
		const head = headOf(key, state) ?? key;
		if (!groups.has(head)) groups.set(head, []);
		if (head !== key) groups.get(head).push(key);
	}
	const rest = [...groups].flatMap(([head, members]) => [head, ...(folds.includes(head) ? [] : members)]);
	return { keys: [...top, ...rest], kept: top.length, groups };
}

/** Whether a row is this one, or stands below it in its group. */
function isOf(row, head, state) {
	return row === head || (!state.pins.includes(row) && headOf(row, state) === head);
}

/** Rows with one, and all below it in its group, moved before another one or its group, or to the end (null). */
export function movedRows(state, key, before) {
	const { rows } = state;
	if (before !== null && isOf(before, key, state)) return rows;
	const rest = rows.filter((row) => !isOf(row, key, state));
	const head = before === null ? null : headOf(before, state);
	const isNear = head === null || state.pins.includes(before) || isOf(key, head, state);
	const at = before === null ? -1 : rest.findIndex((row) => isOf(row, isNear ? before : head, state));
	const place = at < 0 ? rest.length : at;
	return [...rest.slice(0, place), ...rows.filter((row) => isOf(row, key, state)), ...rest.slice(place)];
}

/** Rows with one moved by 1 or -1 place: among those kept at the top, those of its group, or groups and other rows. */
export function steppedRows(state, key, by) {
	const { keys, kept, groups } = arranged(state);
	const near = state.pins.includes(key)
		? keys.slice(0, kept)
		: ([...groups.values()].find((members) => members.includes(key)) ?? [...groups.keys()]);
	const at = near.indexOf(key);
	const other = at < 0 ? undefined : near[at + by];
	if (other === undefined) return state.rows;
	return by < 0 ? movedRows(state, key, other) : movedRows(state, other, key);
}

/** Rows without one, and without all that are below it in its group. */
export function withoutRow(state, key) {
	return state.rows.filter((row) => !isOf(row, key, state));
}

/** What is kept at the top and chosen, after rows are gone. */
export function factsWithout({ pins, focusRow, cursor }, gone) {
	return {
		pins: pins.filter((key) => !gone.includes(key)),
		focusRow: gone.includes(focusRow) ? null : focusRow,
		cursor: gone.includes(cursor?.key) ? null : cursor,
	};
}

/** A list with a key, or without it where it has it. */
export function toggledKey(list, key) {
	return list.includes(key) ? list.filter((one) => one !== key) : [...list, key];
}

/** The cgroups that tasks were put into, from the texts of events of cgroup_attach_task; the last one counts. */
function cgroupsOf(events) {
	return events.flatMap(({ rec, text }) => {
		const found = /\bdst_path=(.*) pid=(\d+) comm=/.exec(text);
		return found ? [{ rec, pid: Number(found[2]), path: found[1] }] : [];
	});
}
