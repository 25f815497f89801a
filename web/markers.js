// SPDX-License-Identifier: GPL-2.0-or-later
// Markers A and B, and what lies between them; notes: any number of places with a text.

import { announce, byId, counted, element, linkTo } from './text.js';
import { formatSpan, formatTime } from './time.js';

export const MOST_NOTES = 1000;

export class Markers {
	#state;

	constructor(state) {
		this.#state = state;
		state.on('markA markB notes trace', () => this.#show());
		this.#show();
	}

	/** Puts marker 'A' or 'B' at a time; null takes it away. */
	put(name, ts) {
		this.#state.set({ [`mark${name}`]: ts });
		announce(
			ts === null
				? `Marker ${name} removed`
				: `Marker ${name} at ${formatTime(ts, 1n, this.#state.inNs)}${this.#difference()}`
		);
	}

	clear() {
		this.#state.set({ markA: null, markB: null });
		announce('No markers');
	}

	/** Adds notes, { ts, text } each. */
	note(...added) {
		const notes = [...this.#state.notes, ...added]
			.sort((a, b) => (a.ts < b.ts ? -1 : Number(a.ts > b.ts)))
			.slice(0, MOST_NOTES);
		const left = this.#state.notes.length + added.length - notes.length;
		this.#state.set({ notes });
		announce(
			left > 0
				? `A page has at most ${counted(MOST_NOTES, 'note')}: ${left} omitted`
				: counted(notes.length, 'note')
		);
		this.#state.openPane('marks');
		const fields = byId('pane-marks').querySelectorAll('.note input');
		if (added.length === 1) fields[notes.indexOf(added[0])]?.focus();
	}

	/** Goes to a marker. */
	visit(name) {
		const ts = this.#state[`mark${name}`];
		if (ts !== null) this.#state.reveal(ts);
	}

	#difference() {
		const { markA, markB, inNs } = this.#state;
		return markA === null || markB === null
			? ''
			: `, B \u2212 A = ${formatSpan(markB - markA, inNs)}`;
	}

	#show() {
		const { markA, markB, inNs } = this.#state;
		const said = [];
		for (const [name, ts] of [
			['A', markA],
			['B', markB],
		]) {
			if (ts !== null) said.push(`${name} ${formatTime(ts, 1n, inNs)}`);
		}
		byId('marks-said').textContent = said.join('  ') + this.#difference();
		byId('pane-marks').replaceChildren(...this.#pane(markA, markB, inNs));
	}

	/** The notes, each with its text to be changed. */
	#notes(inNs) {
		const { notes } = this.#state;
		if (notes.length === 0) return [];
		const change = (at, ...put) =>
			this.#state.set({ notes: [...notes.slice(0, at), ...put, ...notes.slice(at + 1)] });
		return [
			element('h2', { text: counted(notes.length, 'note') }),
			...notes.map((note, at) => {
				const said = formatTime(note.ts, 1n, inNs);
				const box = element('input', {
					type: 'text',
					value: note.text,
					maxlength: 200,
					'aria-label': `Note at ${said}`,
					onchange: () => change(at, { ts: note.ts, text: box.value }),
				});
				const link = (text, onclick) =>
					linkTo(text, onclick, { 'aria-label': `${text} the note at ${said}` });
				return element(
					'div',
					{ class: 'note' },
					element('span', { class: 'mono', text: said }),
					box,
					link('show', () => this.#state.reveal(note.ts)),
					link('remove', () => change(at))
				);
			}),
			element(
				'p',
				{},
				linkTo('Remove all notes', () => this.#state.set({ notes: [] }))
			),
		];
	}

	#pane(markA, markB, inNs) {
		const notes = this.#notes(inNs);
		if (markA === null && markB === null)
			return [
				element('p', {
					class: 'soft',
					text:
						'Shift A and Shift B place a marker at the pointer, or at the chosen ' +
						'event; m adds a note there. This tab shows the time from A to B.',
				}),
				...notes,
			];
		const body = element('tbody');
		for (const [name, ts] of [
			['A', markA],
			['B', markB],
		]) {
			if (ts === null) continue;
			body.append(
				element(
					'tr',
					{},
					element('th', { text: `Marker ${name}` }),
					element('td', {
						class: 'value',
						text: formatTime(ts, 1n, inNs),
					}),
					element(
						'td',
						{},
						linkTo('show', () => this.visit(name)),
						' ',
						linkTo('remove', () => this.put(name, null))
					)
				)
			);
		}
		const parts = [element('table', {}, body)];
		if (markA !== null && markB !== null) {
			const apart = markB - markA;
			parts.push(
				element('h2', { text: 'B \u2212 A' }),
				element('p', { class: 'mono', text: formatSpan(apart, inNs) }),
				element('p', {
					class: 'mono soft',
					text: inNs ? formatSpan(apart, true, true) : '',
				}),
				element(
					'div',
					{ class: 'buttons' },
					element('button', {
						text: 'Statistics between them',
						onclick: () => {
							const [from, to] =
								apart < 0n
									? [markB, markA]
									: [markA, markB];
							this.#state.set({ select: [from, to] });
							this.#state.openPane('span');
						},
					})
				)
			);
		}
		return [...parts, ...notes];
	}
}
