// SPDX-License-Identifier: GPL-2.0-or-later
// What a user can do by key: the table of keys, and the steps of the keyboard through the picture.

import { announce, byId, counted } from './text.js';
import { describeCell } from './describe.js';
import { longLabelOf } from './rows.js';
import { formatTime } from './time.js';
import { nextTheme } from './theme.js';
import { steppedRows, withoutRow } from './arrange.js';

/** The keyboard's way through rows and cells. */
export class Steps {
	#state;
	#timeline;

	constructor(state, timeline) {
		this.#state = state;
		this.#timeline = timeline;
	}

	/** To the next or previous row. */
	row(by) {
		const { keys } = this.#timeline.layout;
		if (keys.length === 0) return;
		const at = keys.indexOf(this.#state.focusRow);
		const next =
			at < 0
				? by > 0
					? 0
					: keys.length - 1
				: Math.min(keys.length - 1, Math.max(0, at + by));
		this.#state.set({ focusRow: keys[next], cursor: null });
		this.#timeline.showRow(keys[next]);
		announce(longLabelOf(keys[next], this.#state.trace));
	}

	/** Keeps the row at the top, or releases it. */
	pin() {
		const { focusRow, rows, trace } = this.#state;
		const isRow = rows.includes(focusRow);
		if (!isRow && !this.#timeline.layout.groups.has(focusRow)) return;
		this.#state.pin(focusRow);
		const done = this.#state.pins.includes(focusRow) ? 'kept at the top' : 'released';
		announce(`${longLabelOf(focusRow, trace)}: ${isRow ? done : 'only its rows can be kept at the top'}`);
	}

	/** Removes the row, or the group with its rows; the next one is chosen, or else the one above. */
	remove() {
		const { focusRow, rows, trace } = this.#state;
		const { layout } = this.#timeline;
		const at = layout.keys.indexOf(focusRow);
		const left = withoutRow(this.#state, focusRow);
		if (at < 0 || left.length === rows.length) return;
		const near = [...layout.keys.slice(at + 1), ...layout.keys.slice(0, at).reverse()];
		const members = layout.groups.get(focusRow) ?? [];
		const next = near.find((key) => !members.includes(key)) ?? null;
		this.#state.set({ rows: left, focusRow: next, cursor: null });
		const what = longLabelOf(focusRow, trace) + (members.length > 0 ? `, ${counted(members.length, 'row')},` : '');
		announce(`${what} removed${next ? `; at ${longLabelOf(next, trace)}` : ''}`);
	}

	/** Moves the row up or down. */
	move(by) {
		const { focusRow, rows, trace } = this.#state;
		const { layout } = this.#timeline;
		if (!layout.keys.includes(focusRow)) return;
		this.#state.set({ rows: steppedRows(this.#state, focusRow, by) });
		this.#timeline.showRow(focusRow);
		const is = rows === this.#state.rows ? 'stays' : 'is';
		const place = `row ${layout.keys.indexOf(focusRow) + 1} of ${layout.keys.length}`;
		announce(`${longLabelOf(focusRow, trace)} ${is} ${place}`);
	}

	/** To the next or previous cell of the row; the window follows. */
	cell(by) {
		const { focusRow, cursor, viewport, inNs } = this.#state;
		const { picture } = this.#timeline;
		const row = picture?.rows.get(focusRow);
		if (!row?.cells.length) {
			if (!focusRow) this.row(1);
			return;
		}
		const starts = row.cells.map((cell) => picture.from + BigInt(Math.round(cell.t0)));
		const here =
			cursor?.key === focusRow
				? cursor.t0
				: by > 0
					? viewport.from - 1n
					: viewport.to + 1n;
		const at =
			by > 0
				? starts.findIndex((ts) => ts > here)
				: starts.findLastIndex((ts) => ts < here);
		if (at < 0) {
			if (viewport.pan(by * 0.5)) this.#state.tell('window');
			announce(
				by > 0
					? 'No more cells in this window: moved the window forward'
					: 'No earlier cells in this window: moved the window back'
			);
			return;
		}
		const cell = row.cells[at];
		this.#state.set({
			cursor: {
				key: focusRow,
				cell,
				t0: starts[at],
				t1: picture.from + BigInt(Math.round(cell.t1)),
			},
		});
		if (viewport.reveal(starts[at])) this.#state.tell('window');
		const time = formatTime(starts[at], viewport.perPixel(1000), inNs);
		announce(`${time}: ${describeCell(row, cell, this.#state).join(', ')}`);
	}
}

/** Groups of keys for Keys. `page` has the parts of the page that keys reach. */
export function keyGroups(page) {
	const { state, source, steps, pointer, markers, search, filter, tabs, keys } = page;
	const { viewport } = state;
	const there = `choose the event there${source.live ? ', or explain the wait' : ''}`;
	const move = (change) => () => {
		if (change()) state.tell('window');
	};
	const fraction = () =>
		pointer.ts === null ? 0.5 : Math.min(1, Math.max(0, viewport.x(pointer.ts, 1)));
	const here = () =>
		pointer.ts ??
		state.cursor?.t0 ??
		state.event?.ts ??
		viewport.from + viewport.span / 2n;
	const zoomToSelection = () =>
		state.select && viewport.set(state.select[0], state.select[1]);
	return [
		[
			'The window',
			[
				[['w', 's'], 'zoom in, zoom out, around the pointer'],
				[['a', 'd'], 'move left, move right'],
				[['ArrowLeft', 'ArrowRight'], 'move left, move right'],
				[['Home', 'End'], 'go to the first, to the last event'],
				[['0'], 'show the whole trace', move(() => viewport.all())],
				[['z'], 'zoom to the selected span', move(zoomToSelection)],
				[
					['f'],
					'center the chosen event',
					move(
						() =>
							state.event &&
							viewport.set(
								state.event.ts - viewport.span / 2n,
								state.event.ts -
									viewport.span / 2n +
									viewport.span
							)
					),
				],
				[
					['g'],
					'go to a time: 12.5, 12500ms, +1s after the start, -1s before the end',
					() => byId('goto').focus(),
				],
			].concat(
				hidden(
					[
						['w', '=', '+'],
						move(() => viewport.zoom(0.8, fraction())),
					],
					[['s', '-'], move(() => viewport.zoom(1.25, fraction()))],
					[['a', 'ArrowLeft'], move(() => viewport.pan(-0.1))],
					[['d', 'ArrowRight'], move(() => viewport.pan(0.1))],
					[
						['Home'],
						move(() =>
							viewport.set(
								viewport.first,
								viewport.first + viewport.span
							)
						),
					],
					[
						['End'],
						move(() =>
							viewport.set(
								viewport.last - viewport.span,
								viewport.last
							)
						),
					]
				)
			),
		],
		[
			'Rows and events',
			[
				[['ArrowUp', 'ArrowDown'], 'go to the row above, below'],
				[[',', '.'], 'go to the previous, next cell of the row'],
				[
					['Enter'],
					`${there}; open or close a row or a group`,
					page.chooseCursor,
				],
				...(source.live
					? [[['Shift click'], 'measure from the chosen event to the event there, as Shift Enter does']]
					: []),
				[['Alt ArrowUp', 'Alt ArrowDown'], 'move the row up, down'],
				[['k'], 'keep the row at the top, or release it', () => steps.pin()],
				[['Delete'], 'remove the row or the group', () => steps.remove()],
				[['r'], 'choose rows', () => page.rowsDialog.open()],
				[
					['l'],
					'go to the list; arrows, Page, Home and End move in it',
					() => byId('list').focus(),
				],
				[['p'], 'go to the picture', () => byId('timeline').focus()],
				[['1', '6'], 'open details: event, span, markers, text, trace, why'],
			].concat(
				hidden(
					[['ArrowUp'], () => steps.row(-1)],
					[['ArrowDown'], () => steps.row(1)],
					[['Alt+ArrowUp'], () => steps.move(-1)],
					[['Alt+ArrowDown'], () => steps.move(1)],
					[[','], () => steps.cell(-1)],
					[['.'], () => steps.cell(1)],
					...tabs.names.map(
						(name, at) => [
							[String(at + 1)],
							() => tabs.open(name),
						]
					)
				)
			),
		],
		[
			'Find and mark',
			[
				[['/'], 'search', () => search.focus()],
				[['n', 'N'], 'go to the next, previous hit'],
				...(source.live ? [[['e'], 'filter', () => filter.focus()]] : []),
				[
					['A', 'B'],
					'place marker A, B at the pointer or the chosen event',
				],
				[['X'], 'remove markers', () => markers.clear()],
				[
					['m'],
					'add a note at the pointer or the chosen event',
					() => markers.note({ ts: here(), text: '' }),
				],
				[
					['Escape'],
					'clear the selection',
					() => state.set({ select: null, cursor: null }),
				],
			].concat(
				hidden(
					[['n'], () => search.go('next')],
					[['N'], () => search.go('prev')],
					[['A'], () => markers.put('A', here())],
					[['B'], () => markers.put('B', here())]
				)
			),
		],
		[
			'Page',
			[
				...(source.live ? [[['q'], 'SQL', () => byId('sql-open').click()]] : []),
				[['t'], 'change the colors: light, dark, black and white', nextTheme],
				[['i'], 'save the picture as PNG', () => page.timeline.save()],
				[['?'], 'show this help', () => keys().show()],
			],
		],
		[
			'Mouse and touch',
			[
				[['drag'], 'select a span'],
				[['Shift drag', 'middle drag'], 'move'],
				[['wheel'], 'scroll the rows, or zoom if all are in sight'],
				[['Ctrl wheel', 'pinch'], 'zoom'],
				[['Shift wheel'], 'move'],
				[['click'], there],
				[['double click'], 'zoom in, or zoom to the selection'],
			],
		],
	];
}

/** Keys that share a line of the help with another one, or that it need not name. */
function hidden(...rows) {
	return rows.map(([keys, action]) => [keys, null, action]);
}
