// SPDX-License-Identifier: GPL-2.0-or-later
// The chosen event: its fields with their types, its stack, and the format they were read by.

import { dataTable } from './datatable.js';
import { byId, element, facts, linkTo, safeText } from './text.js';
import { formatTime } from './time.js';
import { canDraw, recordingLabel } from './rows.js';

/** Rows of what a task did, and the event types that a trace must know for them. */
const TASK_ROWS = [
	['System calls', 'syscalls', 'raw_syscalls/sys_enter'],
	['Function calls', 'functions', 'ftrace/funcgraph_entry'],
	['Marked sections', 'slices', 'ftrace/print'],
];

/** Integers from 10 on as hexadecimal; an empty text for another value. */
function hexOf({ value, type }) {
	if (Array.isArray(value)) return value.map((one) => hexOf({ value: one, type }) || one).join(', ');
	const isInteger = Number.isInteger(value) || (/^\d+$/.test(value) && !type.includes('char'));
	return isInteger && value > 9 ? `0x${BigInt(value).toString(16)}` : '';
}

export class EventPane {
	#state;
	#source;
	#pane = byId('pane-event');

	/** `actions` has filter(text), addRow(key), and offers(details, again): [[text, action, hint], ...]. */
	constructor(state, source, actions) {
		this.#state = state;
		this.#source = source;
		this.actions = actions;
		state.on('event', () => this.#show());
		this.#empty();
	}

	#empty() {
		this.#pane.replaceChildren(
			element('p', {
				class: 'soft',
				text:
					'Click an event in the picture or in the list to see its ' +
					'fields, stack and format here.',
			})
		);
	}

	async #show() {
		const { event } = this.#state;
		if (!event) {
			this.#empty();
			return;
		}
		try {
			const details = await this.#source.event(event.key);
			if (event === this.#state.event) this.#fill(event, details);
		} catch (error) {
			if (error.status === 0 || error.status === 500) this.#state.fail(error);
			this.#pane.replaceChildren(
				element('p', { class: 'error', text: error.message })
			);
		}
	}

	#fill(event, details) {
		const { inNs } = this.#state;
		const told = [
			['Time', formatTime(event.ts, 1n, inNs)],
			['CPU', details.cpu],
			[
				'Task',
				`${details.comm}-${details.pid}${details.tgid ? `, process ${details.tgid}` : ''}`,
			],
		];
		const { trace } = this.#state;
		if (trace.files.length > 1) told.push(['File', recordingLabel(trace, event.rec)]);
		if (details.off) told.push(['Offset in the file', details.off]);
		if (details.lost)
			told.push([
				'Lost before it',
				details.lost < 0 ? 'an unknown number of events' : details.lost,
			]);
		const parts = [
			element('h2', { text: details.event }),
			facts(told),
			element('pre', { text: details.text, id: 'event-text' }),
		];
		if (details.fields?.length)
			parts.push(element('h3', { text: 'Fields' }), ...this.#fields(details));
		if (details.stack?.length)
			parts.push(element('h3', { text: 'Stack' }), element('pre', { text: '' }));
		if (details.stack?.length)
			parts.at(-1).textContent = details.stack.map(safeText).join('\n');
		parts.push(this.#actions(details));
		if (details.format) {
			const format = element('pre', {});
			format.textContent = details.format
				.split('\n')
				.map(safeText)
				.join('\n')
				.replaceAll('\\x09', '\t');
			parts.push(
				element(
					'details',
					{},
					element('summary', { text: 'Format' }),
					format
				)
			);
		}
		this.#pane.replaceChildren(...parts);
	}

	#fields(details) {
		const rows = details.fields.map((field) => {
			const value =
				typeof field.value === 'object' && field.value !== null
					? JSON.stringify(field.value)
					: field.value;
			const hex = hexOf(field);
			const isInText = new RegExp(`\\b(0x)?0*${hex.slice(2)}\\b`).test(details.text);
			const also = hex.length > 4 && isInText ? ` (${hex})` : '';
			const plot = () => this.actions.addRow(`field:${details.event}:${field.name}`);
			return [
				field.name,
				{ value, element: element('span', { text: `${value}${also}`, title: hex || null }) },
				typeof field.value === 'number'
					? {
							value: field.type,
							element: element(
								'span',
								{ text: `${field.type} ` },
								linkTo('plot', plot, { 'aria-label': `Plot ${field.name}` })
							),
						}
					: field.type,
			];
		});
		return dataTable({
			id: 'event-fields',
			name: `fields of ${details.event}`,
			heads: ['field', 'value', 'type'],
			rows,
			numbers: [false, false, false],
		});
	}

	/** Where to go from here: filters, and rows of this type and of what this task did. */
	#actions(details) {
		const { trace } = this.#state;
		const { rec } = this.#state.event;
		const { pid, comm, event } = details;
		const task = `${comm}-${pid}`;
		const rows = [
			[`Row of ${event}`, `event:${event}`],
			[`Row of ${task}`, `task:${rec}:${pid}`],
		];
		for (const [what, kind, type] of TASK_ROWS) {
			if (trace.events.includes(type))
				rows.push([`${what} of ${task}`, `${kind}:${rec}:${pid}`]);
		}
		// The one that was pressed keeps the focus.
		const again = () => {
			const { textContent } = document.activeElement;
			this.#fill(this.#state.event, details);
			[...this.#pane.querySelectorAll('.go-on button')].find((one) => one.textContent === textContent)?.focus();
		};
		const offers = [
			...this.actions.offers(details, again),
			[`Only ${event}`, () => this.actions.filter(event)],
			[`Only task ${pid}`, () => this.actions.filter(`.*: common_pid == ${pid}`)],
		];
		for (const [text, key] of rows) {
			if (canDraw(key)) offers.push([text, () => this.actions.addRow(key, comm)]);
		}
		const disabled = !this.#source.live;
		return element(
			'div',
			{ class: 'go-on' },
			element('h3', { text: 'Go on' }),
			...offers.map(([text, onclick, hint]) => element('p', {}, linkTo(text, onclick, { disabled }), hint))
		);
	}
}
