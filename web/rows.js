// SPDX-License-Identifier: GPL-2.0-or-later
// The rows of the picture: what their keys mean, how they are called, which are shown at first.

import { grouped, safeText } from './text.js';
import { formatSpan } from './time.js';
import { rowsOfCpus } from './cpus.js';

/** The parts of a key such as task:0:1507 or field:sched/sched_switch:prev_prio. */
export function parseKey(key) {
	const [type, ...rest] = key.split(':');
	if (type === 'event' || type === 'field')
		return { type, rec: null, id: rest[0], field: rest.slice(1).join(':') };
	return { type, rec: Number(rest[0]), id: rest.slice(1).join(':') };
}

const WORDS = {
	cpu: 'CPU',
	cpus: 'CPUs',
	events: 'events of CPU',
	irq: 'irqs of CPU',
	softirq: 'softirqs of CPU',
	lost: 'lost, CPU',
	block: 'disk',
	counter: '',
	task: '',
	process: 'process',
	cgroup: 'last cgroup',
	latency: '',
};
/** These stand behind the task: a name that is cut off at its end still tells which one it is. */
const WORDS_BEHIND = { slices: 'slices', syscalls: 'calls', functions: 'functions', kvm: 'exits' };
const OF_TASKS = new Set(['task', 'process', 'slices', 'syscalls', 'functions', 'kvm']);

/** Names of tasks that the page met, by recording and pid. */
const names = new Map();

export function rememberTask(rec, pid, comm) {
	names.set(`${rec}:${pid}`, comm);
}

/** The name that the file has of the task of a row, unless it ran with another one. */
export function rememberRow({ key, comm }) {
	const { rec, id } = parseKey(key);
	if (comm && !names.has(`${rec}:${id}`)) rememberTask(rec, id, comm);
}

/** Names without the words at their beginning and end that all of them have. */
function withoutCommon(names) {
	const words = names.map((name) => name.split(/(?<=[-_./ ])|(?=[-_./ ])/));
	const shortest = Math.min(...words.map((one) => one.length));
	const alike = (at) => words.every((one) => one.at(at) === words[0].at(at));
	let before = 0;
	let behind = 0;
	while (before < shortest && alike(before)) before++;
	while (behind < shortest - before && alike(-1 - behind)) behind++;
	const rest = words.map((one) => one.slice(before, one.length - behind).join(''));
	const fits = rest.every((one) => /[^-_./ ]/.test(one)) && new Set(rest).size === rest.length;
	return fits ? rest.map((one) => one.replace(/^[-_./ ]+|[-_./ ]+$/g, '')) : names;
}

/** How a recording is called where there are several: its file's host or name, its buffer. */
export function recordingLabel(trace, rec) {
	const recording = trace.recordings[rec];
	if (!recording) return String(rec);
	const file = trace.files[recording.file];
	const hosts = new Set(trace.files.map((one) => one.host));
	const label =
		trace.files.length === 1
			? ''
			: hosts.size === trace.files.length && file.host
				? file.host
				: withoutCommon(trace.files.map((one) => one.name))[recording.file];
	return [label, recording.buffer].filter(Boolean).join(' ') || 'top';
}

/** The task of a row, as the rows of CPUs name it, so that it has the same colour; else the key. */
export function fillNameOf(key) {
	const { type, rec, id } = key === 'hits' ? {} : parseKey(key);
	const comm = names.get(`${rec}:${id}`);
	return OF_TASKS.has(type) && comm ? `${comm}-${id}` : key;
}

/** What stands before a row. */
export function labelOf(key, trace) {
	if (key === 'hits') return 'Filter';
	if (key === 'events') return 'Events';
	const { type, rec, id, field } = parseKey(key);
	if (type === 'event') return id.split('/').pop();
	if (type === 'sql') return `SQL: ${id.replace(/\s+/g, ' ')}`;
	if (type === 'field') return `${id.split('/').pop()}.${field}`;
	const comm = OF_TASKS.has(type) ? names.get(`${rec}:${id}`) : null;
	const behind = WORDS_BEHIND[type];
	const whose = comm ? `${comm}-${id}` : id;
	const text = behind ? `${whose} ${behind}` : `${WORDS[type] ?? type} ${whose}`.trim();
	return trace.recordings.length > 1 ? `${text} \u00b7 ${recordingLabel(trace, rec)}` : text;
}

/** The same with the kind of row, for those who do not see it. */
export function longLabelOf(key, trace) {
	const { type } = parseKey(key);
	const kinds = { task: 'task ', counter: 'counter ', event: 'events ', field: 'field ' };
	return safeText((kinds[type] ?? '') + labelOf(key, trace));
}

/** Nanoseconds of the unit in which these tracers of the kernel tell latencies. */
const LATENCY_UNITS = { timerlat: 1n, osnoise: 1000n, hwlat: 1000n };

/** A value of a plot; numbers from 2^53 on came as their nearest double. */
export function formatValue(key, value) {
	const { type, id } = parseKey(key);
	const unit = type === 'latency' ? LATENCY_UNITS[id.split(':')[0]] : undefined;
	if (!Number.isSafeInteger(value)) return String(value);
	return unit ? formatSpan(BigInt(value) * unit) : grouped(value);
}

/** The kinds of rows that the server draws (docs/view-api.md). */
const DRAWN = new Set(
	(
		'cpu cpus events event hits lost task process irq softirq slices syscalls functions kvm block ' +
		'counter field latency sql'
	).split(' ')
);

/** Whether there is an answer for such a row. */
export function canDraw(key) {
	return DRAWN.has(key.split(':')[0]);
}

/** Whether a trace may tell what its CPUs ran. */
export function mayTellTasks(trace) {
	return trace.derived.includes('sched') && trace.events.includes('sched/sched_switch');
}

/** CPUs of which it is known for less than a tenth of the time what they ran: "rec:cpu". */
export function dimCpus(stats, span) {
	return new Set(
		stats.cpus.filter((cpu) => cpu.events > 0 && cpu.known * 10 < span).map((cpu) => `${cpu.rec}:${cpu.cpu}`)
	);
}

/** A row is at most so many lanes high. */
export const LANES_MOST = 64;

/** At most this many rows are shown unless the user chooses more. */
export const ROWS_MOST = 128;

/** The rows of tasks, in their order, without the idle tasks. */
export function busiest(tasks) {
	return tasks.filter(({ pid }) => pid !== 0).map(({ rec, pid }) => `task:${rec}:${pid}`);
}

/**
 * Rows that a trace begins with: its CPUs (what they ran where it `tells`, also their events where that is little:
 * `dim`), those that the source names, and the eight tasks that ran longest.
 */
export function firstRows(trace, tasks, named, { tells, dim = new Set() }) {
	const rows = [];
	for (const rec of trace.recordings.keys()) {
		for (const key of rowsOfCpus(trace, rec, tells)) {
			const events = key.replace(/^cpu:/, 'events:');
			const vcpu = vcpuOf(key, trace);
			rows.push(key);
			if (vcpu) rows.push(`task:${vcpu.host}:${vcpu.pid}`);
			if (events !== key && dim.has(key.slice(4))) rows.push(events);
		}
	}
	const first = (tells ? [...rows, ...named] : [...named, ...rows]).filter((key) => canDraw(key));
	return [...new Set([...first, ...busiest(tasks).slice(0, 8)])].slice(0, ROWS_MOST);
}

/** The task of a host that a CPU of a guest is: { host, pid }; undefined for other rows. */
export function vcpuOf(key, trace) {
	return trace.vcpus.find(({ guest, cpu }) => key === `cpu:${guest}:${cpu}`);
}

/**
 * Rows whose cells are drawn on the row of a CPU, above what ran there: irqs, losses, the events
 * that the filter leaves, and on that of a guest the times in which the host worked for it.
 */
export function overlaysOf(key, trace, filter) {
	const { type, rec, id } = parseKey(key);
	if (type !== 'cpu') return [];
	const over = [];
	if (trace.events.includes('irq/irq_handler_entry')) over.push(`irq:${rec}:${id}`);
	if (trace.events.includes('irq/softirq_entry')) over.push(`softirq:${rec}:${id}`);
	const vcpu = vcpuOf(key, trace);
	if (vcpu) over.push(`kvm:${vcpu.host}:${vcpu.pid}`);
	if (filter) over.push(`hits:${rec}:${id}`);
	return [...over, `lost:${rec}:${id}`];
}

/** Where rows lie: their heights, from top to bottom, and how far they are scrolled. */
export class RowLayout {
	keys = [];
	tops = [];
	heights = [];
	total = 0;
	scroll = 0;
	/** How many rows stay at the top, and how high they are; the rows below heads of groups. */
	kept = 0;
	top = 0;
	groups = new Map();
	members = new Set();

	/** Heights in pixels for these keys. The first `kept` stay where they are, as far as `room` lets them. */
	set({ keys, kept = 0, groups = new Map() }, heightOf, room = Infinity) {
		this.keys = keys;
		this.groups = groups;
		this.members = new Set([...groups.values()].flat());
		this.heights = keys.map(heightOf);
		this.tops = [];
		let y = 0;
		for (const height of this.heights) {
			this.tops.push(y);
			y += height;
		}
		this.total = y;
		this.kept = kept;
		while (this.kept > 0 && this.tops[this.kept - 1] + this.heights[this.kept - 1] > room) this.kept--;
		this.top = this.kept > 0 ? this.tops[this.kept - 1] + this.heights[this.kept - 1] : 0;
	}

	/** Whether a row stands below the head of a group. */
	isMember(key) {
		return this.members.has(key);
	}

	/** Where a row begins in the picture, below the ruler. */
	y(index) {
		return this.tops[index] - (index < this.kept ? 0 : this.scroll);
	}

	/** Index of the row at y (below the ruler), or -1. */
	at(y) {
		const place = y < this.top ? y : y + this.scroll;
		return this.tops.findIndex(
			(top, index) => place >= top && place < top + this.heights[index]
		);
	}

	/** Indexes of the rows in sight. */
	visible(height) {
		const seen = [];
		for (const [index, top] of this.tops.entries()) {
			const isIn = top + this.heights[index] > this.scroll + this.top && top < this.scroll + height;
			if (index < this.kept || isIn) seen.push(index);
		}
		return seen;
	}
}
