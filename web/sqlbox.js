// SPDX-License-Identifier: GPL-2.0-or-later
// The SQL box: a query of the trace's tables, and its rows.

import { dataTable } from './datatable.js';
import { announce, byId, counted, element } from './text.js';

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
	#source;
	#running = new AbortController();

	/** `visit(ts)` goes to a time: values of a column ts lead there. */
	constructor(state, source, visit) {
		this.#source = source;
		this.visit = visit;
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
			const rows = await this.#source.sql(byId('sql').value, LIMIT, signal);
			if (!signal.aborted) this.#fill(answer, rows);
		} catch (failure) {
			// The answer of the query that runs now stays.
			if (signal.aborted && signal !== this.#running.signal) return;
			answer.replaceChildren();
			if (signal.aborted) return;
			error.textContent = failure.message;
			error.hidden = false;
		}
	}

	#fill(box, { columns, rows, more, notes = [] }) {
		const said = `${more ? 'The first ' : ''}${counted(rows.length, 'row')}`;
		box.replaceChildren(
			element('p', { class: 'soft', text: said }),
			...notes.map((text) => element('p', { class: 'error', text })),
			...dataTable({
				name: 'the answer',
				heads: columns,
				rows: rows.map((row) => row.map((value, at) => this.#cell(columns[at], value))),
				numbers: columns.map((_, at) => hasNumbers(rows, at)),
			})
		);
		announce(said);
	}

	#cell(column, value) {
		const isTime = /(^|_)ts$/.test(column) && /^-?\d+$/.test(String(value));
		if (value === null) return { value, text: 'NULL' };
		if (value.hex !== undefined) return `x'${value.hex}'`;
		if (!isTime) return value;
		const link = element('button', {
			class: 'link',
			type: 'button',
			text: value,
			title: 'Go there',
			onclick: () => {
				byId('sql-dialog').close();
				this.visit(BigInt(value));
			},
		});
		return { value, element: link };
	}
}
