// SPDX-License-Identifier: GPL-2.0-or-later
// Answers that take a while: they are awaited in a dialog of their own, or in a pane.

import { wholeAnswer } from './api.js';
import { byId, element } from './text.js';

/** Questions that were asked in a box; only the answer of the last one is shown. */
const asked = new WeakMap();

/** Awaits an answer, and fills `box` with the parts that `show` makes of it, or with what failed. */
export async function answerIn(box, ask, show) {
	const question = {};
	asked.set(box, question);
	box.replaceChildren(element('p', { class: 'soft', role: 'status', text: 'Computing\u2026' }));
	let parts;
	try {
		parts = show(await wholeAnswer(ask));
	} catch (error) {
		parts = [element('p', { class: 'error', role: 'alert', text: error.message })];
	}
	if (asked.get(box) === question) box.replaceChildren(...parts);
}

/** Opens the dialog of answers with a title, and gives its box. */
export function openAnswer(title) {
	const dialog = byId('answer-dialog');
	byId('answer-title').textContent = title;
	if (!dialog.open) dialog.showModal();
	return byId('answer');
}

export function closeAnswer() {
	byId('answer-dialog').close();
}

export function startAnswers() {
	byId('answer-close').addEventListener('click', closeAnswer);
}
