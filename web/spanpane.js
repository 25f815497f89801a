// SPDX-License-Identifier: GPL-2.0-or-later
// Statistics of the selected span, or of the window: tasks, events by type, latencies of wakeups.

import { dataTable } from './datatable.js';
import { sumTables, tableLinks } from './sums.js';
import { byId, element, grouped, linkTo } from './text.js';
import { wholeAnswer } from './api.js';
import { recordingLabel } from './rows.js';
import { formatSpan, formatTime } from './time.js';

const SHOWN = 15;

function count(value) {
	return { value, text: grouped(value) };
}

function share(value) {
	return { value, text: `${(value * 100).toFixed(1)} %` };
}

export class SpanPane {
	#state;
	#source;
	#head = element('div');
	/** The buttons stay while the rest is filled anew, as long as they are the same: a click takes a moment. */
	#offers = element('p', { id: 'span-offers' });
	#offered = '';
	#links = element('p', { id: 'span-tables' });
	#body = element('div');
	/** What states, calls, handlers and disks did comes later than the rest. */
	#sums = element('div');
	#timer = 0;
	#version = 0;
	shown = '';

	/** `offers(from, to)` has what can be asked of a span: [[text, action], ...]. */
	constructor(state, source, offers) {
		this.#state = state;
		this.#source = source;
		this.offers = offers;
		byId('pane-span').replaceChildren(this.#head, this.#offers, this.#links, this.#body, this.#sums);
		state.on('window select pane progress', () => this.#soon());
		state.on('focusRow compareA', () => this.#offer());
	}

	#span() {
		const { select, viewport } = this.#state;
		return select ?? [viewport.from, viewport.to];
	}

	#soon() {
		clearTimeout(this.#timer);
		if (this.#state.pane === 'span') this.#timer = setTimeout(() => this.#load(), 120);
	}

	async #load(patience = 100) {
		const [from, to] = this.#span();
		const key = `${from} ${to} ${this.#state.clock}`;
		const version = ++this.#version;
		if (key === this.shown) return;
		try {
			const stats = await this.#source.stats(from, to);
			if (version !== this.#version) return;
			this.#fill(stats, from, to);
			if (stats.pending || stats.partial || stats.wakeups?.pending) {
				const again = () => this.#load(Math.min(1000, patience * 2));
				this.#timer = setTimeout(again, patience);
			} else {
				this.shown = key;
				const span = stats.fixed ? [BigInt(stats.from), BigInt(stats.to)] : [from, to];
				await this.#addSums(...span, version);
			}
		} catch (error) {
			this.#head.replaceChildren(element('p', { class: 'error', text: error.message }));
			this.#body.replaceChildren();
			this.#sums.replaceChildren();
			this.#links.replaceChildren();
		}
	}

	/** They read the file: a window that is moved on at once is not asked for. */
	async #addSums(from, to, version) {
		if (this.#source.live) await new Promise((done) => setTimeout(done, 200));
		const isWanted = () => version === this.#version && this.#state.pane === 'span';
		if (!isWanted()) return;
		const sums = await wholeAnswer(() => this.#source.sums(from, to), null, isWanted).catch((error) => ({ error }));
		if (!isWanted()) return;
		const length = Math.max(1, Number(to - from));
		this.#sums.replaceChildren(
			...(sums.error
				? [element('p', { class: 'soft', text: sums.error.message })]
				: sumTables(sums, (value) => this.#units(value), length, SHOWN))
		);
		this.#links.replaceChildren(...tableLinks(byId('pane-span')));
	}

	/** Puts the buttons of the span in their place: they depend on the chosen row, too. */
	#offer() {
		const span = this.#span();
		const offers = this.#source.live ? this.offers(...span) : [];
		const offered = [...span, this.#state.focusRow, ...offers.map(([text]) => text)].join('\n');
		if (offered === this.#offered) return;
		this.#offered = offered;
		this.#offers.replaceChildren(...offers.flatMap(([text, onclick]) => [linkTo(text, onclick), ' ']));
	}

	/** A cell: the span in the trace's unit, shown in words. */
	#units(value) {
		return { value, text: formatSpan(BigInt(Math.round(value)), this.#state.inNs) };
	}

	#fill(stats, from, to) {
		const { inNs, select } = this.#state;
		const what = stats.fixed
			? 'The span of this report'
			: select
				? 'The selected span'
				: 'The window';
		const shownFrom = stats.fixed ? BigInt(stats.from) : from;
		const shownTo = stats.fixed ? BigInt(stats.to) : to;
		const units = Number(shownTo - shownFrom) || 1;
		this.#head.replaceChildren(
			element('h2', { text: what }),
			element('p', {
				class: 'mono',
				text: `${formatTime(shownFrom, 1n, inNs)} \u2013 ${formatTime(shownTo, 1n, inNs)}`,
			}),
			element(
				'p',
				{ text: `${formatSpan(shownTo - shownFrom, inNs)}, ` },
				element('span', {
					id: 'stats-events',
					'data-events': stats.events,
					text: `${grouped(stats.events)} events`,
				})
			)
		);
		const parts = [];
		if (stats.lost > 0 || stats.lost_marks > 0)
			parts.push(
				element('p', {
					class: 'error',
					text: `${grouped(stats.lost)} lost events at ${grouped(stats.lost_marks)} places`,
				})
			);
		if (stats.cpus?.some((cpu) => cpu.known > 0))
			parts.push(
				element('h3', { text: 'CPUs' }),
				...dataTable({
					id: 'stats-cpus',
					name: 'CPUs',
					heads: ['CPU', 'events', 'busy of known time', ...this.#recordingHead()],
					rows: stats.cpus.map((cpu) => [
						{ value: cpu.cpu, text: `CPU ${cpu.cpu}` },
						count(cpu.events),
						cpu.known > 0 ? share(cpu.busy / cpu.known) : null,
						...this.#recordingOf(cpu),
					]),
					numbers: [false, true, true],
					shown: SHOWN,
					total: stats.cpus_total,
				})
			);
		const tasks = stats.tasks ?? [];
		if (tasks.length)
			parts.push(
				element('h3', { text: 'Tasks by time on a CPU' }),
				...dataTable({
					id: 'stats-tasks',
					name: 'tasks',
					heads: ['task', 'time', 'share', 'times', ...this.#recordingHead()],
					rows: tasks.map((task) => [
						{ value: `${task.comm}-${task.pid}`, element: this.#task(task) },
						this.#units(task.time),
						share(task.time / units),
						count(task.n),
						...this.#recordingOf(task),
					]),
					numbers: [false, true, true, true],
					shown: SHOWN,
					total: stats.tasks_total,
				})
			);
		if (stats.wakeups?.n > 0) parts.push(...this.#wakeups(stats.wakeups));
		if (stats.wakeups?.error)
			parts.push(element('p', { class: 'soft', text: stats.wakeups.error }));
		parts.push(
			element('h3', { text: 'Events by type' }),
			...dataTable({
				id: 'stats-types',
				name: 'events by type',
				heads: ['event', 'count'],
				rows: stats.types.map((type) => [type.event, count(type.n)]),
				shown: SHOWN,
			})
		);
		this.#body.replaceChildren(...parts);
		this.#sums.replaceChildren();
		this.#links.replaceChildren(...tableLinks(byId('pane-span')));
		this.#offer();
	}

	/** The heading and the cell of a column that tells several files, or buffers, apart. */
	#recordingHead() {
		const { files, recordings } = this.#state.trace;
		return files.length > 1 ? ['file'] : recordings.length > 1 ? ['buffer'] : [];
	}

	#recordingOf({ rec }) {
		const { trace } = this.#state;
		return trace.recordings.length > 1 ? [recordingLabel(trace, rec)] : [];
	}

	#task(task) {
		return linkTo(
			`${task.comm}-${task.pid}`,
			() => this.#state.addRow(`task:${task.rec}:${task.pid}`, task.comm),
			{ title: 'Show its row' }
		);
	}

	#wakeups(wakeups) {
		const rows = [
			['p50', 'p50'],
			['p90', 'p90'],
			['p99', 'p99'],
			['max', 'max'],
		];
		const worst = (wakeups.worst ?? []).slice(0, 5).map((wakeup) => {
			const start = BigInt(wakeup.waking);
			const end = BigInt(wakeup.end);
			const name = `${wakeup.comm}-${wakeup.pid}`;
			const link = linkTo(
				name,
				() => this.#state.visit(start, end, `task:${wakeup.rec}:${wakeup.pid}`, wakeup.comm),
				{ title: 'Show it' }
			);
			return [{ value: name, element: link }, this.#units(wakeup.dur), ...this.#recordingOf(wakeup)];
		});
		return [
			element('h3', {
				text: `From wakeup to CPU, ${grouped(wakeups.n)} wakeups`,
			}),
			...dataTable({
				id: 'stats-wakeups',
				name: 'latencies of wakeups',
				heads: ['statistic', 'latency'],
				rows: rows.map(([name, key]) => [name, this.#units(wakeups[key])]),
			}),
			...(worst.length
				? dataTable({
						id: 'stats-worst',
						name: 'the longest latencies',
						heads: ['the longest', 'waited', ...this.#recordingHead()],
						rows: worst,
						numbers: [false, true],
					})
				: []),
		];
	}
}
