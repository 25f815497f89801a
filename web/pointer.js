// SPDX-License-Identifier: GPL-2.0-or-later
// Mouse, wheel, touchpad and fingers on the timeline.

import { byId } from './text.js';
import { describeHit } from './describe.js';
import { movedRows } from './arrange.js';
import { foldOf, PIN_ROOM } from './draw.js';
import { longLabelOf } from './rows.js';

const STEADY = 4;

export class Pointer {
	#state;
	#timeline;
	#canvas = byId('timeline');
	#fingers = new Map();
	#drag = null;
	#tip = byId('tip');
	/** The last event of the pointer on the picture, whose tooltip is shown. */
	#last = null;
	/** The time below the pointer, or null: where keys put markers and zoom. */
	ts = null;

	/** `chosen(found, event)` is called for a click on the picture. */
	constructor(state, timeline, chosen) {
		this.#state = state;
		this.#timeline = timeline;
		this.chosen = chosen;
		const canvas = this.#canvas;
		canvas.addEventListener('pointerdown', (event) => this.#down(event));
		canvas.addEventListener('pointermove', (event) => this.#move(event));
		canvas.addEventListener('pointerup', (event) => this.#up(event));
		canvas.addEventListener('pointercancel', (event) => this.#leave(event));
		canvas.addEventListener('pointerleave', () => this.#hide());
		// After a drag that ended outside, and where the window takes the pointer away, there is no leave.
		document.addEventListener('pointermove', (event) => {
			if (event.target !== canvas) this.#hide();
		});
		window.addEventListener('blur', () => this.#hide());
		document.documentElement.addEventListener('pointerleave', () => this.#hide());
		canvas.addEventListener('dblclick', (event) => this.#twice(event));
		// A tooltip of the window before would be wrong; the next picture renews it.
		state.on('window room rows pins folds group', () => {
			this.#tip.hidden = true;
			if (this.#last && this.ts !== null) this.ts = timeline.hit(this.#place(this.#last).x, 0).ts;
		});
		state.on('picture', () => this.#renew());
		canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
	}

	#place(event) {
		const box = this.#canvas.getBoundingClientRect();
		return { x: event.clientX - box.left, y: event.clientY - box.top };
	}

	/** How far a place is within the window: 0 at its left, 1 at its right edge. */
	#fraction(x) {
		const { gutter, width } = this.#timeline.view;
		return Math.min(1, Math.max(0, (x - gutter) / width));
	}

	#down(event) {
		if (event.button > 1) return;
		const place = this.#place(event);
		this.#canvas.setPointerCapture(event.pointerId);
		this.#fingers.set(event.pointerId, place);
		const found = this.#timeline.hit(place.x, place.y);
		if (this.#fingers.size > 1) {
			this.#drag = { kind: 'pinch' };
			return;
		}
		const pans = event.shiftKey || event.button === 1 || event.pointerType === 'touch';
		this.#drag = {
			kind: pans ? 'pan' : 'select',
			start: place,
			ts: found.ts,
			found,
			moved: false,
			inNames: found.area === 'names',
		};
		if (event.button === 1) event.preventDefault();
	}

	#move(event) {
		const place = this.#place(event);
		const before = this.#fingers.get(event.pointerId);
		const drag = this.#drag;
		if (!drag || !before) {
			this.#hover(event, place);
			return;
		}
		if (drag.kind === 'pinch') {
			this.#pinch(event.pointerId, place);
			return;
		}
		if (
			!drag.moved &&
			Math.hypot(place.x - drag.start.x, place.y - drag.start.y) < STEADY
		)
			return;
		drag.moved = true;
		this.#hide();
		this.#fingers.set(event.pointerId, place);
		if (drag.inNames && event.pointerType !== 'touch') {
			this.#carry(drag, place.y);
			return;
		}
		if (drag.kind === 'pan' || drag.inNames) {
			this.#timeline.scrollTo(
				this.#timeline.layout.scroll - (place.y - before.y)
			);
			if (
				!drag.inNames &&
				this.#state.viewport.pan(
					(before.x - place.x) / this.#timeline.width
				)
			)
				this.#state.tell('window');
			return;
		}
		const { ts } = this.#timeline.hit(place.x, place.y);
		this.ts = ts;
		this.#state.set({ select: ts < drag.ts ? [ts, drag.ts] : [drag.ts, ts] });
	}

	#pinch(id, place) {
		const apart = () => {
			const [a, b] = [...this.#fingers.values()];
			return [Math.max(20, Math.abs(a.x - b.x)), (a.x + b.x) / 2];
		};
		const [wide, middle] = apart();
		this.#fingers.set(id, place);
		const [wider, next] = apart();
		const { viewport } = this.#state;
		viewport.pan((middle - next) / this.#timeline.width);
		viewport.zoom(wide / wider, this.#fraction(next));
		this.#state.tell('window');
	}

	#up(event) {
		const drag = this.#drag;
		this.#leave(event);
		if (!drag || drag.kind === 'pinch') return;
		if (!drag.moved) {
			if (drag.found.key) this.#state.set({ focusRow: drag.found.key });
			if (drag.inNames && drag.found.key && event.button === 0) this.#named(drag);
			if (drag.found.area === 'rows' && event.button === 0)
				this.chosen(drag.found, event);
		} else if (drag.to !== undefined) {
			this.#drop(drag);
		} else if (drag.kind === 'select' && !drag.inNames) {
			this.#state.tell('selected');
		}
	}

	/** A name was clicked: its pin, or else it opens or closes. */
	#named({ start, found: { key } }) {
		const { view } = this.#timeline;
		if (start.x > view.gutter - PIN_ROOM * view.rem) this.#state.pin(key);
		else if (foldOf(key, view)) this.#state.fold(key);
	}

	/** A row is dragged by its name: a line shows where it would stand. */
	#carry(drag, y) {
		const { view, layout } = this.#timeline;
		if (!drag.found.key || drag.found.key === 'hits') return;
		const at = layout.at(Math.max(0, y - view.ruler));
		const middle = view.ruler + layout.y(Math.max(0, at)) + layout.heights[Math.max(0, at)] / 2;
		drag.to = at < 0 ? layout.keys.length : y < middle ? at : at + 1;
		view.drop = drag.to;
		this.#timeline.draw();
	}

	/** Among rows that are kept at the top a row is kept there, too; below them it no longer is. */
	#drop({ to, found: { key } }) {
		const { layout } = this.#timeline;
		const { pins } = this.#state;
		const others = pins.filter((one) => one !== key);
		const kept = to < layout.kept || (to === layout.kept && pins.includes(key));
		this.#state.set({
			pins: kept ? [...others, key] : others,
			rows: movedRows(this.#state, key, layout.keys[to] ?? null),
		});
	}

	#leave(event) {
		this.#timeline.view.drop = undefined;
		this.#timeline.draw();
		this.#fingers.delete(event.pointerId);
		this.#drag = null;
	}

	#twice(event) {
		const { x } = this.#place(event);
		const { select, viewport } = this.#state;
		const { ts } = this.#timeline.hit(x, 0);
		if (select && ts >= select[0] && ts <= select[1])
			viewport.set(select[0], select[1]);
		else viewport.zoom(0.25, this.#fraction(x));
		this.#state.tell('window');
	}

	/** Ctrl (and a touchpad's pinch) zooms, Shift and sideways moves, else rows are scrolled. */
	#wheel(event) {
		event.preventDefault();
		const { x, y } = this.#place(event);
		const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 400 : 1;
		const down = event.deltaY * unit;
		const aside = event.deltaX * unit;
		const { viewport } = this.#state;
		const area = this.#timeline.hit(x, y).area;
		let changed = false;
		if (
			event.ctrlKey ||
			area === 'ruler' ||
			(!this.#timeline.scrolls && !event.shiftKey && aside === 0)
		)
			changed = viewport.zoom(
				2 ** (Math.max(-240, Math.min(240, down)) / 240),
				this.#fraction(x)
			);
		else if (event.shiftKey || Math.abs(aside) > Math.abs(down))
			changed = viewport.pan((aside || down) / this.#timeline.width);
		else this.#timeline.scrollTo(this.#timeline.layout.scroll + down);
		if (changed) this.#state.tell('window');
		this.#hover(event, { x, y });
	}

	/** Shows the tooltip anew, if the pointer is still on the picture. */
	#renew() {
		if (!this.#last || this.#drag) return;
		const { clientX, clientY } = this.#last;
		if (document.elementFromPoint(clientX, clientY) !== this.#canvas) this.#hide();
		else this.#hover(this.#last, this.#place(this.#last));
	}

	#hover(event, place) {
		this.#last = event;
		const found = this.#timeline.hit(place.x, place.y);
		this.ts = found.area === 'names' ? null : found.ts;
		this.#point(found.area === 'names' ? found.key : null);
		if (found.area === 'ruler' || !found.key) {
			this.#tip.hidden = true;
			return;
		}
		this.#tip.textContent =
			found.area === 'names'
				? this.#describeName(found.key, place.x)
				: describeHit(found, this.#state).join('\n');
		this.#tip.hidden = false;
		const box = this.#tip.getBoundingClientRect();
		const x = Math.min(event.clientX + 14, innerWidth - box.width - 8);
		const y =
			event.clientY + 18 + box.height > innerHeight
				? event.clientY - box.height - 10
				: event.clientY + 18;
		this.#tip.style.left = `${Math.max(4, x)}px`;
		this.#tip.style.top = `${Math.max(4, y)}px`;
	}

	/** The row whose name the pointer is on. */
	#point(key) {
		const { view } = this.#timeline;
		if (view.hover === key) return;
		view.hover = key;
		this.#timeline.draw();
	}

	#describeName(key, x) {
		const { view } = this.#timeline;
		const { state } = view;
		const isKept = state.pins.includes(key);
		if (x > view.gutter - PIN_ROOM * view.rem && state.rows.includes(key))
			return isKept ? 'Kept at the top: click to release the row' : 'Click to keep the row at the top';
		const fold = { open: 'click to close it, ', closed: 'click to open it, ' }[foldOf(key, view)] ?? '';
		const cut = view.picture?.rows.get(key)?.cut;
		return `${longLabelOf(key, state.trace)}\n${cut ? `${cut}\n` : ''}${fold}drag to move it`;
	}

	#hide() {
		this.#last = null;
		this.#point(null);
		this.ts = null;
		this.#tip.hidden = true;
	}
}
