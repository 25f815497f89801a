// SPDX-License-Identifier: GPL-2.0-or-later
// The strip that says what of the trace is damaged and how much, until it is closed.

import { byId, grouped, safeText } from './text.js';

const DAMAGE_SHOWN = 2;

/** Sentences about all damage that is known so far: of files, then of CPUs. */
export function damageOf({ trace, progress }) {
	const several = trace.files.length > 1;
	const ofFiles = trace.files.flatMap((file) =>
		(file.damage ?? []).map((one) => (several ? `${file.name}: ${one}` : one))
	);
	return [...ofFiles, ...(progress?.damage ?? [])].map(safeText);
}

export class Banner {
	#closed = 0;

	constructor(state) {
		const show = () => {
			const damage = damageOf(state);
			byId('damage').hidden = damage.length <= this.#closed;
			const more = damage.length - DAMAGE_SHOWN;
			byId('damage-text').textContent =
				`Damaged, so parts are missing: ${damage.slice(0, DAMAGE_SHOWN).join('; ')}` +
				(more > 0 ? `; and ${grouped(more)} more` : '');
		};
		state.on('trace progress', show);
		byId('damage-all').addEventListener('click', () => state.openPane('trace'));
		byId('damage-close').addEventListener('click', () => {
			this.#closed = damageOf(state).length;
			show();
		});
		show();
	}
}
