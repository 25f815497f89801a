// SPDX-License-Identifier: GPL-2.0-or-later
// The picture as text: a table of its rows, for those who do not see the canvas or want to copy it.

import { dataTable } from './datatable.js';
import { byId, counted, element, grouped } from './text.js';
import { formatWindow } from './time.js';
import { describeCell, stateText } from './describe.js';
import { longLabelOf } from './rows.js';
import { arrowsFit } from './draw.js';
import { SHARES, timesOf } from './shares.js';

/** A row with the cells from first to last only: the picture of a report has others. */
function rowWithin(row, [first, last]) {
	const isIn = ({ t0, t1, n }) => {
		const middle = (t0 + t1) / 2;
		if (n !== 1 || t0 === t1) return middle >= first && middle <= last;
		return t0 < last && t1 > first;
	};
	return { ...row, cells: row.cells.filter(isIn) };
}

/** The names that most of a row's time from first to last went to. */
function mostOf(row, [first, last]) {
	const span = last - first;
	const times = new Map();
	for (const cell of row.cells) {
		if (cell.running !== undefined) {
			for (const [at, time] of timesOf(row, cell).entries())
				times.set(SHARES[at], (times.get(SHARES[at]) ?? 0) + time);
			continue;
		}
		const name =
			row.kind === 'states' ? stateText(cell.state) : cell.pid === 0 ? 'idle' : cell.name;
		const time =
			cell.n > 1 ? cell.time : Math.min(cell.t1, last) - Math.max(cell.t0, first);
		times.set(name, (times.get(name) ?? 0) + Math.max(0, time));
	}
	return [...times]
		.filter(([, time]) => time > 0)
		.sort((a, b) => b[1] - a[1])
		.slice(0, 4)
		.map(([name, time]) => `${name} ${((time / span) * 100).toFixed(1)} %`)
		.join(', ');
}

/** One sentence about a row; `span` are the offsets of the window. */
function describeRow(row, state, span) {
	if (row.error) return row.error;
	if (row.kind === 'cpus') {
		const whole = (span[1] - span[0]) * row.cpus;
		const busy = row.cells.reduce((sum, cell) => sum + cell.busy, 0);
		return `${counted(row.cpus, 'CPU')}, busy ${((busy / whole) * 100).toFixed(1)} %`;
	}
	const count = row.cells.reduce((sum, cell) => sum + cell.n, 0);
	if (count === 0) return 'nothing in this window';
	if (row.cells.length === 1) return describeCell(row, row.cells[0], state).join(', ');
	if (row.kind === 'plot')
		return (
			`${grouped(count)} values from ${Math.min(...row.cells.map(({ min }) => min))} to ` +
			`${Math.max(...row.cells.map(({ max }) => max))}, the last ${row.cells.at(-1).last}`
		);
	if (row.kind === 'ticks' || row.kind === 'lost' || row.kind === 'process') {
		const columns = `, drawn in ${counted(grouped(row.cells.length), 'column')}`;
		const noun = { ticks: 'event', lost: 'loss', process: 'time' }[row.kind];
		return counted(grouped(count), noun) + (row.exact ? '' : columns);
	}
	return [counted(grouped(count), 'interval'), mostOf(row, span)].filter(Boolean).join('; ');
}

export class TextPane {
	#state;
	#timeline;
	#pane = byId('pane-text');

	constructor(state, timeline) {
		this.#state = state;
		this.#timeline = timeline;
		state.on('picture pane', () => this.#show());
	}

	#show() {
		const { pane, viewport, inNs, trace } = this.#state;
		const { picture } = this.#timeline;
		if (pane !== 'text' || !picture) return;
		const [from, to] = picture.shown ?? [viewport.from, viewport.to];
		const span = picture.shown
			? [Number(from - picture.from), Number(to - picture.from)]
			: [0, Number(viewport.span)];
		const rows = this.#timeline.layout.keys
			.map((key) => [key, picture.rows.get(key)])
			.filter(([, row]) => row)
			.map(([key, row]) => {
				const said = describeRow(picture.shown ? rowWithin(row, span) : row, this.#state, span);
				return [longLabelOf(key, trace), [said, row.cut].filter(Boolean).join('; ')];
			});
		const parts = [
			element('h2', { text: 'The picture as text' }),
			element('p', {
				class: 'mono',
				text: formatWindow(from, to, 1n, inNs),
			}),
			...dataTable({
				id: 'text-rows',
				name: 'rows of the picture',
				heads: ['row', 'in this window'],
				rows,
				numbers: [false, false],
			}),
		];
		if (picture.wakeupsTotal > 0)
			parts.push(
				element('p', {
					text:
						`${counted(grouped(picture.wakeupsTotal), 'wakeup')} of these tasks` +
						(arrowsFit(picture, this.#timeline.width)
							? ''
							: '; zoom in to see their arrows'),
				})
			);
		this.#pane.replaceChildren(...parts);
	}
}
