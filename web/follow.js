// SPDX-License-Identifier: GPL-2.0-or-later
// The list and the picture move together, as the box below the list says.

import { byId } from './text.js';

/**
 * As its box says, the list begins where the window does, unless this moved to show a chosen event; or the window
 * begins with the first line of the list, when that is scrolled.
 */
export function startFollow(state, list) {
	const box = byId('follow');
	let soon = 0;
	const followers = {
		list: () => list.showTime(state.viewport.from, true),
		picture: async () => {
			const { viewport } = state;
			const first = await list.firstInSight();
			if (first && viewport.set(first.ts, first.ts + viewport.span)) state.tell('window');
		},
	};
	const follow = (who) => {
		clearTimeout(soon);
		if (state.follow === who) soon = setTimeout(followers[who], 150);
	};
	box.addEventListener('change', () => state.set({ follow: box.value }));
	state.on('follow', () => {
		box.value = state.follow;
		followers[state.follow]?.();
	});
	state.on('window', () => follow('list'));
	state.on('event', () => state.event && clearTimeout(soon));
	list.scrolled = () => follow('picture');
}
