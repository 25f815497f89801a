// SPDX-License-Identifier: GPL-2.0-or-later
// Markers A and B, and what lies between them.

import { byId, element, announce } from './text.js';
import { formatSpan, formatTime } from './time.js';

export class Markers {
	#state;

	constructor(state) {
		this.#state = state;
		state.on('markA markB trace', () => this.#show());
		this.#show();
	}

	/** Puts marker 'A' or 'B' at a time; null takes it away. */
	put(name, ts) {
		this.#state.set({ [`mark${name}`]: ts });
		announce(
			ts === null
				? `Marker ${name} is gone`
				: `Marker ${name} at ${formatTime(ts, 1n, this.#state.inNs)}${this.#difference()}`
		);
	}

	clear() {
		this.#state.set({ markA: null, markB: null });
		announce('No markers');
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

	#pane(markA, markB, inNs) {
		if (markA === null && markB === null)
			return [
				element('p', {
					class: 'soft',
					text:
						'Shift A and Shift B put a marker at the pointer, or at ' +
						'the chosen event. Here stands then how far they are apart.',
				}),
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
						element('button', {
							class: 'link',
							text: 'show',
							onclick: () => this.visit(name),
						}),
						' ',
						element('button', {
							class: 'link',
							text: 'remove',
							onclick: () => this.put(name, null),
						})
					)
				)
			);
		}
		const parts = [element('table', {}, body)];
		if (markA !== null && markB !== null) {
			const apart = markB - markA;
			parts.push(
				element('h3', { text: 'B \u2212 A' }),
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
		return parts;
	}
}
