// SPDX-License-Identifier: GPL-2.0-or-later
// The SQL box: a query of the trace's tables, and its rows.

import { dataTable } from './datatable.js';
import { OF_TIME, SQL_CELLS_MOST, sqlKeyOf } from './sqlrows.js';
import { announce, byId, counted, element, grouped, linkTo } from './text.js';

const LIMIT = 1000;

/** Whether a value is a number: integers beyond 2^53 come as texts. */
function isNumber(value) {
	return typeof value === 'number' || (typeof value === 'string' && /^-?\d{16,}$/.test(value));
}

/** Whether all values of a column are numbers, so that they and its heading stand on the right. */
function hasNumbers(rows, at) {
	const values = rows.map((row) => row[at]).filter((value) => value !== null);
	return values.length > 0 && values.every(isNumber);
}

export class SqlBox {
	#state;
	#source;
	#markers;
	#running = new AbortController();

	/** Values of a column ts lead to their times, and can become notes of `markers`. */
	constructor(state, source, markers) {
		this.#state = state;
		this.#source = source;
		this.#markers = markers;
		const open = byId('sql-open');
		open.hidden = !state.trace.sql && !source.live;
		open.disabled = !state.trace.sql;
		open.title = state.trace.sql ? '' : 'This tdat was built without SQLite';
		byId('sql-open').addEventListener('click', () => byId('sql-dialog').showModal());
		byId('sql-close').addEventListener('click', () => byId('sql-dialog').close());
		byId('sql-dialog').addEventListener('close', () => this.#running.abort());
		byId('sql-run').addEventListener('click', () => this.#run());
		byId('sql').addEventListener('keydown', (event) => {
			if (event.key === 'Enter' && event.ctrlKey) {
				event.preventDefault();
				this.#run();
			}
		});
	}

	async #run() {
		const error = byId('sql-error');
		const answer = byId('sql-answer');
		// The server gives the query before this one up.
		this.#running.abort();
		this.#running = new AbortController();
		const { signal } = this.#running;
		error.hidden = true;
		answer.replaceChildren(element('p', { class: 'soft', text: 'Running' }));
		try {
			const query = byId('sql').value;
			const rows = await this.#source.sql(query, LIMIT, signal);
			if (!signal.aborted) this.#fill(answer, rows, query);
		} catch (failure) {
			// The answer of the query that runs now stays.
			if (signal.aborted && signal !== this.#running.signal) return;
			answer.replaceChildren();
			if (signal.aborted) return;
			error.textContent = failure.message;
			error.hidden = false;
		}
	}

	#fill(box, { columns, rows, more, notes = [] }, query) {
		const said = `${more ? 'The first ' : ''}${counted(rows.length, 'row')}`;
		box.replaceChildren(
			element('p', { class: 'soft', text: said }),
			...notes.map((text) => element('p', { class: 'error', text })),
			...dataTable({
				name: 'sql',
				heads: columns,
				rows: rows.map((row) => row.map((value, at) => this.#cell(columns[at], value))),
				numbers: columns.map((_, at) => hasNumbers(rows, at)),
			})
		);
		const at = columns.findIndex((name) => OF_TIME.test(name));
		const times = rows.filter((row) => at >= 0 && /^-?\d+$/.test(String(row[at])));
		if (times.length > 0)
			box.prepend(
				element('button', {
					type: 'button',
					text: 'Show as a row',
					title:
						'A row of the picture: ts begins an interval, dur is its length, open says how one without ' +
							'dur ends, the first other text is its name. ' +
						`At most ${grouped(SQL_CELLS_MOST)} intervals`,
					onclick: () => {
						byId('sql-dialog').close();
						// A row that is there already is asked for again if it failed.
						const key = sqlKeyOf(query);
						this.#state.set({ rows: this.#state.rows.filter((one) => one !== key) });
						this.#state.addRow(key);
					},
				}),
				' ',
				element('button', {
					type: 'button',
					text: 'Mark these times',
					title: 'Each becomes a note in the picture',
					onclick: () => {
						byId('sql-dialog').close();
						this.#markers.note(
							...times.map((row) => ({
								ts: BigInt(row[at]),
								text: row
									.filter((_, k) => k !== at)
									.map((value) => value?.hex ?? value)
									.join(' '),
							}))
						);
					},
				})
			);
		announce(said);
	}

	#cell(column, value) {
		const isTime = OF_TIME.test(column) && /^-?\d+$/.test(String(value));
		if (value === null) return { value, text: 'NULL' };
		if (value.hex !== undefined) return `x'${value.hex}'`;
		if (!isTime) return value;
		const go = () => {
			byId('sql-dialog').close();
			this.#state.reveal(BigInt(value));
		};
		return { value, element: linkTo(value, go, { title: 'Go there' }) };
	}
}
