// SPDX-License-Identifier: GPL-2.0-or-later
// The dialog that chooses rows: what the trace has, found by name, and their order.

import { announce, byId, counted, element, grouped, linkTo } from './text.js';
import { formatSpan } from './time.js';
import { arranged, canGroup, groupRemark, steppedRows, withoutRow } from './arrange.js';
import { cpusOf } from './cpus.js';
import { canDraw, longLabelOf, rememberRow, rememberTask } from './rows.js';

const MOST = 200;
const BUSIEST = 16;
const KINDS = ['counter', 'block', 'latency', 'irq', 'softirq', 'slices', 'syscalls', 'functions', 'kvm'];

export class RowsDialog {
	#state;
	#source;
	#kinds = new Map();
	#match = byId('rows-match');
	#version = 0;

	/** `awaitGroups()` settles when it is known what tasks can be grouped by. */
	constructor(state, source, firstRows, awaitGroups) {
		this.awaitGroups = awaitGroups;
		this.#state = state;
		this.#source = source;
		byId('rows-open').addEventListener('click', () => this.open());
		byId('rows-close').addEventListener('click', () => byId('rows-dialog').close());
		byId('rows-default').addEventListener('click', () => {
			state.set({ rows: firstRows() });
			this.#fill();
		});
		byId('rows-busiest').addEventListener('click', () => this.#busiest());
		byId('rows-group').addEventListener('change', () => state.set({ group: byId('rows-group').value }));
		this.#match.addEventListener('input', () => this.#fill());
		state.on('rows', () => byId('rows-dialog').open && this.#offerGroups());
		state.on('group', () => this.#shown());
	}

	/** In place of the rows of tasks, those that ran longest in the window. */
	async #busiest() {
		const { viewport, rows } = this.#state;
		try {
			const { tasks } = await this.#source.stats(viewport.from, viewport.to);
			for (const task of tasks) rememberTask(task.rec, task.pid, task.comm);
			const others = rows.filter((key) => !key.startsWith('task:'));
			const keys = tasks.map(({ rec, pid }) => `task:${rec}:${pid}`);
			const some = keys.filter((key) => this.#source.has(key)).slice(0, BUSIEST);
			this.#state.set({ rows: [...others, ...some] });
			announce(`${counted(some.length, 'task')} of this window`);
			this.#fill();
		} catch (error) {
			this.#state.fail(error);
		}
	}

	open() {
		const { viewport } = this.#state;
		const [from, to] = this.#source.span ?? [viewport.from, viewport.to];
		byId('rows-busiest').disabled = viewport.from !== from || viewport.to !== to;
		byId('rows-dialog').showModal();
		this.#match.focus();
		this.#fill();
		for (const kind of KINDS.filter((one) => canDraw(one))) this.#load(kind);
		this.#offerGroups();
	}

	/** What tasks can be grouped by: what nothing recorded tells cannot be chosen. */
	async #offerGroups() {
		const box = byId('rows-group');
		box.value = this.#state.group;
		await this.awaitGroups();
		for (const option of [...box.options].filter(({ value }) => value !== '')) {
			option.disabled = !canGroup(option.value);
			const remark = groupRemark(option.value);
			option.text = option.text.replace(/ \(.*/, '') + (remark ? ` (${remark})` : '');
		}
	}

	/** The keys of a kind that the trace has; asked for once, and again while they are made. */
	async #load(kind, patience = 100) {
		if (this.#kinds.get(kind)?.pending === false) return;
		try {
			const answer = await this.#source.kinds(kind);
			answer.rows.forEach(rememberRow);
			this.#kinds.set(kind, {
				rows: answer.rows,
				pending: Boolean(answer.pending),
			});
			this.#fill();
			if (answer.pending && byId('rows-dialog').open)
				setTimeout(
					() => this.#load(kind, Math.min(1000, patience * 2)),
					patience
				);
		} catch (error) {
			this.#kinds.set(kind, { rows: [], pending: false, error: error.message });
			this.#fill();
		}
	}

	/** Groups of rows that match the text: [title, [[key, label, remark], ...], how many]. */
	async #groups(match) {
		const { trace, inNs } = this.#state;
		const wanted = match.toLowerCase();
		const fits = (text) => text.toLowerCase().includes(wanted);
		const groups = [];
		const cpus = [];
		for (const type of ['cpu', 'events', 'lost']) {
			for (const [rec, recording] of trace.recordings.entries())
				cpus.push(
					...cpusOf(recording).map((cpu) => `${type}:${rec}:${cpu}`)
				);
		}
		groups.push([
			'CPUs',
			cpus
				.map((key) => [key, longLabelOf(key, trace), ''])
				.filter(([, label]) => fits(label)),
		]);
		const { tasks, total } = await this.#source.tasks(match, this.#source.live ? MOST : Infinity);
		for (const task of tasks) rememberTask(task.rec, task.pid, task.comm);
		groups.push([
			'Tasks',
			tasks.map((task) => [
				`task:${task.rec}:${task.pid}`,
				`${task.comm}-${task.pid}`,
				`ran ${formatSpan(BigInt(task.time), inNs)}`,
			]),
			total,
		]);
		const processes = new Map(
			tasks
				.filter((task) => task.tgid !== null && task.tgid > 0)
				.map((task) => [`process:${task.rec}:${task.tgid}`, task])
		);
		groups.push([
			'Processes',
			[...processes].map(([key, task]) => [
				key,
				`process ${task.tgid}`,
				task.pid === task.tgid ? task.comm : '',
			]),
		]);
		for (const [kind, { rows }] of this.#kinds)
			groups.push([
				kind,
				rows
					.map((row) => [
						row.key,
						row.comm ? `${row.comm}-${row.label}` : row.label,
						`${grouped(row.n)} times`,
					])
					.filter(([key, label]) => fits(label) || fits(key)),
			]);
		groups.push([
			'Events',
			trace.events.filter(fits).map((event) => [`event:${event}`, event, '']),
		]);
		groups.push(['Fields', await this.#fields(trace.events, wanted)]);
		return groups.map(([title, rows, total = rows.length]) => {
			const found = rows.filter(([key]) => canDraw(key) && this.#source.has(key));
			return [title, found, total - rows.length + found.length];
		});
	}

	/** Plots of the fields of the few events whose name, up to a dot, was typed. */
	async #fields(events, wanted) {
		const [event, field = ''] = wanted.split('.');
		const found = events.filter((name) => name.toLowerCase().endsWith(event));
		if (event.length < 3 || found.length === 0 || found.length > 4) return [];
		const rows = [];
		for (const name of found) {
			const { candidates } = await this.#source.complete(`${name}: `);
			for (const one of candidates) {
				if (/^(?!common_)[a-z_]\w*$/.test(one) && one.includes(field))
					rows.push([
						`field:${name}:${one}`,
						`${name}.${one}`,
						'plot',
					]);
			}
		}
		return rows;
	}

	async #fill() {
		const version = ++this.#version;
		this.#shown();
		let groups;
		try {
			groups = await this.#groups(this.#match.value.trim());
		} catch (error) {
			this.#state.fail(error);
			return;
		}
		if (version !== this.#version) return;
		const parts = [];
		for (const [title, rows, total] of groups) {
			if (rows.length === 0) continue;
			parts.push(this.#heading(title, rows.slice(0, MOST)));
			parts.push(...rows.slice(0, MOST).map((row) => this.#offer(row)));
			const more = total - Math.min(rows.length, MOST);
			if (more > 0)
				parts.push(
					element('p', {
						class: 'soft',
						text: `and ${counted(grouped(more), 'other')}: type a part of the name`,
					})
				);
		}
		if ([...this.#kinds.values()].some((kind) => kind.pending))
			parts.push(element('p', { class: 'soft', text: 'Looking for more' }));
		byId('rows-offered').replaceChildren(
			...(parts.length
				? parts
				: [element('p', { class: 'soft', text: 'No row has this name.' })])
		);
	}

	/** A group's title, with links that take all of its rows, or none. */
	#heading(title, offered) {
		const keys = offered.map(([key]) => key);
		const link = (text, change) =>
			linkTo(
				text,
				() => {
					const others = this.#state.rows.filter((key) => !keys.includes(key));
					this.#state.set({ rows: change(others).slice(0, 1000) });
					this.#fill();
				},
				{ 'aria-label': `${text}: ${title}` }
			);
		return element(
			'h3',
			{ text: title },
			link('all', (others) => [...others, ...keys]),
			link('none', (others) => others)
		);
	}

	#offer([key, label, remark]) {
		const box = element('input', {
			type: 'checkbox',
			checked: this.#state.rows.includes(key),
			'data-key': key,
			onchange: () => {
				const { rows } = this.#state;
				this.#state.set({
					rows: box.checked
						? [...rows, key]
						: rows.filter((one) => one !== key),
				});
				this.#shown();
			},
		});
		return element(
			'label',
			{},
			box,
			` `,
			element('span', { text: label }),
			' ',
			element('small', { text: remark })
		);
	}

	/** The rows as they stand in the picture, those of closed groups, too. */
	#shown() {
		const state = this.#state;
		const { keys, groups } = arranged({ ...state, folds: [] });
		const members = new Set([...groups.values()].flat());
		byId('rows-shown').replaceChildren(
			...keys.map((key) => {
				const label = longLabelOf(key, state.trace);
				const button = (text, what, change) =>
					element('button', {
						type: 'button',
						text,
						'aria-label': `${what} ${label}`,
						onclick: () => {
							state.set({ rows: change() });
							this.#fill();
						},
					});
				return element(
					'li',
					{ class: members.has(key) ? 'member' : '' },
					button('\u2191', 'Up:', () => steppedRows(state, key, -1)),
					' ',
					button('\u2193', 'Down:', () => steppedRows(state, key, 1)),
					' ',
					button('\u00d7', 'Remove:', () => withoutRow(state, key)),
					' ',
					element('span', { text: label })
				);
			})
		);
	}
}
