// SPDX-License-Identifier: GPL-2.0-or-later
// The SQL box: a query of the trace's tables, and its rows.

import { announce, byId, counted, element } from './text.js';

const LIMIT = 1000;

export class SqlBox {
	#source;

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
		error.hidden = true;
		answer.replaceChildren(element('p', { class: 'soft', text: 'Running' }));
		try {
			this.#fill(answer, await this.#source.sql(byId('sql').value, LIMIT));
		} catch (failure) {
			answer.replaceChildren();
			error.textContent = failure.message;
			error.hidden = false;
		}
	}

	#fill(box, { columns, rows, more, notes = [] }) {
		const head = element(
			'tr',
			{},
			...columns.map((text) => element('th', { text, scope: 'col' }))
		);
		const body = element(
			'tbody',
			{},
			...rows.map((row) =>
				element(
					'tr',
					{},
					...row.map((value, at) => this.#cell(columns[at], value))
				)
			)
		);
		const said = `${more ? 'The first ' : ''}${counted(rows.length, 'row')}`;
		box.replaceChildren(
			element('p', { class: 'soft', text: said }),
			...notes.map((text) => element('p', { class: 'error', text })),
			element('table', {}, element('thead', {}, head), body)
		);
		announce(said);
	}

	#cell(column, value) {
		const text =
			value === null
				? 'NULL'
				: value?.hex !== undefined
					? `x'${value.hex}'`
					: value;
		const isTime = /(^|_)ts$/.test(column) && /^-?\d+$/.test(String(value));
		if (!isTime)
			return element('td', {
				text,
				class: typeof value === 'number' ? 'number' : 'value',
			});
		return element(
			'td',
			{ class: 'number' },
			element('button', {
				class: 'link',
				type: 'button',
				text,
				title: 'Go there',
				onclick: () => {
					byId('sql-dialog').close();
					this.visit(BigInt(value));
				},
			})
		);
	}
}
