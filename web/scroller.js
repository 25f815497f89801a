// SPDX-License-Identifier: GPL-2.0-or-later
// A scroll box for any number of rows: browsers limit how tall an element may be, so that beyond
// some millions of pixels the scroll bar's place stands for a share of the rows.

const TALLEST = 6e6;

/**
 * Knows which row is at the top (with a fraction) and tells `moved(byUser)` of changes. The box holds an
 * element `height` that gives the scroll bar its range; rows are drawn by others.
 */
export class Scroller {
	#box;
	#height;
	#moved;
	#expected = 0;
	top = 0;
	count = 0;
	rowHeight = 20;

	constructor(box, height, moved) {
		this.#box = box;
		this.#height = height;
		this.#moved = moved;
		box.addEventListener('scroll', () => this.#scrolled());
		box.addEventListener('wheel', (event) => this.#wheeled(event), { passive: false });
	}

	/** How many rows fit in the box, with a fraction. */
	get fit() {
		return this.#box.clientHeight / this.rowHeight;
	}

	get #range() {
		return Math.max(0, this.#height.offsetHeight - this.#box.clientHeight);
	}

	get #last() {
		return Math.max(0, this.count - this.fit);
	}

	/** There are `count` rows now. */
	resize(count, rowHeight = this.rowHeight) {
		this.count = count;
		this.rowHeight = rowHeight;
		const wanted = Math.min(TALLEST, Math.ceil(count * rowHeight));
		this.#height.style.height = `${wanted}px`;
		this.to(this.top);
	}

	/** The row at the top of the box. */
	to(row, byUser = false) {
		this.top = Math.min(this.#last, Math.max(0, row));
		const place =
			this.#last > 0 ? Math.round((this.top / this.#last) * this.#range) : 0;
		this.#expected = place;
		if (Math.round(this.#box.scrollTop) !== place) {
			this.#box.scrollTop = place;
			this.#expected = this.#box.scrollTop;
		}
		this.#moved(byUser);
	}

	/** Scrolls as little as shows the row. */
	show(row, middle = false) {
		if (row >= this.top && row + 1 <= this.top + this.fit) this.#moved(false);
		else if (middle) this.to(row - this.fit / 2);
		else this.to(row < this.top ? row : row + 1 - this.fit);
	}

	#scrolled() {
		const place = this.#box.scrollTop;
		if (Math.abs(place - this.#expected) < 1) return;
		const by = place - this.#expected;
		this.#expected = place;
		// A finger moves by rows; the bar's handle moves through all of them.
		const direct = this.count * this.rowHeight <= TALLEST;
		if (!direct && Math.abs(by) < this.#box.clientHeight / 2)
			this.top = Math.min(
				this.#last,
				Math.max(0, this.top + by / this.rowHeight)
			);
		else this.top = this.#range > 0 ? (place / this.#range) * this.#last : 0;
		this.#moved(true);
	}

	#wheeled(event) {
		if (event.ctrlKey || event.deltaY === 0) return;
		event.preventDefault();
		const unit =
			event.deltaMode === 1
				? this.rowHeight * 1.5
				: event.deltaMode === 2
					? this.#box.clientHeight
					: 1;
		this.to(this.top + (event.deltaY * unit) / this.rowHeight, true);
	}
}
