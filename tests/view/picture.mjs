// SPDX-License-Identifier: GPL-2.0-or-later
// The picture: which task is at a pixel, how many events a cell stands for, from all to one event.

import assert from 'node:assert/strict';
import { pixel, placeOf, show, viewOf } from './harness.mjs';

const SCHED = 's390x-61-v6-sched';

/** Times on a CPU that are wide enough in the window to be a block of their own. */
function wide(rows, span, share) {
	return rows.filter((row) => row.pid !== 0 && !row.open && Number(row.dur) > span * share);
}

async function tip(page, x, y) {
	await page.mouse.move(x, y);
	return (await page.textContent('#tip')).split('\n');
}

export const pictureCases = {
	/** Table sched says what ran on a CPU: tooltip and colour of the pixel there do as well. */
	async tasks(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const first = events[0].ts;
		const span = Number(events.at(-1).ts - first);
		const rows = harness.table(file, 'sched');
		const chosen = wide(rows, span, 0.02).slice(0, 12);
		assert.ok(chosen.length >= 6);
		const colours = new Map();
		for (const row of chosen) {
			const middle = BigInt(row.ts) + BigInt(row.dur) / 2n;
			const { x, y } = await placeOf(page, `cpu:0:${row.cpu}`, middle);
			const said = await tip(page, x, y);
			assert.equal(said[1], `${row.comm}-${row.pid}`);
			const task = `${row.comm}-${row.pid}`;
			const colour = await pixel(page, x + 1, y + 9);
			assert.equal(colours.get(task) ?? colour, colour);
			colours.set(task, colour);
		}
		assert.ok(new Set(colours.values()).size >= 4);
		const idle = wide(
			rows.map((row) => ({ ...row, pid: row.pid === 0 ? 1 : 0 })),
			span,
			0.01
		)[0];
		const { x, y } = await placeOf(
			page,
			`cpu:0:${idle.cpu}`,
			BigInt(idle.ts) + BigInt(idle.dur) / 2n
		);
		assert.equal((await tip(page, x, y))[1], 'idle');
		assert.ok(![...colours.values()].includes(await pixel(page, x, y)));
	},

	/** A capture that does not tell what ran begins with what it does tell; so does its report. */
	async captures(harness) {
		const dat = `${harness.tmp}/capture.dat`;
		const capture = `${harness.source}/tests/fixtures/foreign/kmemtrace/be64_smp`;
		harness.lines('convert', '-f', '-q', '-o', dat, capture);
		const [counter, ...others] = new Set(harness.table(dat, 'counter').map(({ name }) => name));
		assert.ok(counter && others.length === 0);
		const cpus = [...new Set(harness.events(dat).map(({ cpu }) => cpu))].sort();
		const wanted = [`counter:0:${counter}`, ...cpus.map((cpu) => `events:0:${cpu}`)];
		const { address } = await harness.serve(dat);
		const page = await harness.open(address);
		assert.deepEqual(await page.evaluate(() => window.tdat.state.rows), wanted);
		const report = `${harness.tmp}/capture.html`;
		const given = `field:kmem/kmalloc:bytes_req`;
		harness.lines('view', '-f', '-o', report, '--row', given, dat);
		const still = await harness.open(`file://${report}`);
		assert.deepEqual(await still.evaluate(() => window.tdat.state.rows), [given, ...wanted]);
		await still.click('#rows-open');
		await still.waitForSelector(`#rows-dialog >> text=${counter}`);
		// Where sched_switch tells what ran, the report has the same of what else was recorded.
		const markers = harness.fixture('i386-61-markers');
		const besides = (rows) => rows.filter((key) => !/^(cpus?|events|task):/.test(key));
		const live = await harness.open((await harness.serve(markers)).address);
		await live.waitForFunction(() => window.tdat.state.rows.some((key) => key.startsWith('slices:')));
		const shown = besides((await viewOf(live)).rows);
		harness.lines('view', '-f', '-o', report, markers);
		const kept = await harness.open(`file://${report}`);
		assert.ok(shown.length > 0);
		assert.deepEqual(besides((await viewOf(kept)).rows), shown);
	},

	/** States of a thread, and which of its wakeups have a box, are those of the tables. */
	async states(harness) {
		const file = harness.fixture(SCHED);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const { rows: keys } = await viewOf(page);
		const key = keys.find((row) => row.startsWith('task:'));
		const pid = Number(key.split(':')[2]);
		const states = harness
			.table(file, 'thread_state')
			.filter((row) => row.pid === pid && !row.open);
		const seen = new Set();
		for (const row of states
			.sort((a, b) => Number(b.dur) - Number(a.dur))
			.slice(0, 10)) {
			const from = BigInt(row.ts);
			const dur = BigInt(row.dur);
			await show(harness, page, from - dur / 2n, from + (dur * 3n) / 2n);
			const { x, y } = await placeOf(page, key, from + dur / 2n);
			assert.ok(
				(await tip(page, x, y))[1].startsWith(row.state),
				`${row.state} at ${row.ts}`
			);
			seen.add(row.state);
		}
		assert.ok(seen.size >= 2);
		// Sleep has a color, and death has none. A kernel thread that is idle sleeps.
		for (const [state, said] of [
			['sleeping', 'sleeping'],
			['dead', 'dead'],
			['idle', 'idle (sleeping)'],
		]) {
			const [one] = harness
				.table(file, 'thread_state')
				.filter((row) => row.state === state)
				.sort((a, b) => Number(b.dur) - Number(a.dur));
			const from = BigInt(one.ts);
			const dur = one.dur === null ? harness.events(file).at(-1).ts - from : BigInt(one.dur);
			await page.evaluate((task) => window.tdat.state.set({ rows: [task] }), `task:0:${one.pid}`);
			await show(harness, page, from, from + dur);
			const { x, y } = await placeOf(page, `task:0:${one.pid}`, from + dur / 2n);
			const [, text] = await tip(page, x, y);
			assert.equal(text.replace(/ on CPU .*/, ''), said);
			const [tint, paper] = [await pixel(page, x, y), await pixel(page, x, y + 200)];
			assert.equal(tint === paper, state === 'dead', `${state}: ${tint} on ${paper}`);
		}
		await page.evaluate((rows) => window.tdat.state.set({ rows }), keys);
		const wakeup = harness
			.table(file, 'wakeup')
			.filter((row) => row.pid === pid && !row.open)
			.sort((a, b) => Number(b.dur) - Number(a.dur))[0];
		const start = BigInt(wakeup.ts);
		await show(
			harness,
			page,
			start - BigInt(wakeup.dur),
			start + 2n * BigInt(wakeup.dur)
		);
		const left = await placeOf(page, key, start);
		const right = await placeOf(page, key, start + BigInt(wakeup.dur));
		const edge = await pixel(page, Math.round(left.x) + 1, left.y - 4);
		const other = await pixel(page, Math.round(right.x) - 1, left.y - 4);
		assert.ok(
			[edge, other].some((colour) => Number(colour.split(',')[0]) > 120),
			`box: ${edge} ${other}`
		);
	},

	/** Cells of event types stand for as many events as the trace has, at each zoom. */
	async counts(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const types = ['sched/sched_switch', 'irq/softirq_raise'];
		await page.evaluate(
			(keys) =>
				window.tdat.state.set({ rows: keys.map((key) => `event:${key}`) }),
			types
		);
		const first = events[0].ts;
		const last = events.at(-1).ts;
		const third = (last - first) / 3n;
		for (const [from, to] of [
			[first, last],
			[first + third, last - third],
			[first + third, first + third + 3000000n],
		]) {
			await show(harness, page, from, to);
			for (const type of types) {
				const cells = await page.evaluate((key) => {
					const { picture } = window.tdat.timeline;
					const row = picture.rows.get(`event:${key}`);
					const span = Number(picture.to - picture.from);
					return row.cells
						.filter((cell) => cell.t0 >= 0 && cell.t0 <= span)
						.reduce((sum, cell) => sum + cell.n, 0);
				}, type);
				const there = events.filter(
					(event) =>
						`${event.system}/${event.event}` === type &&
						event.ts >= from &&
						event.ts <= to
				).length;
				assert.equal(cells, there, `${type} in ${from}..${to}`);
			}
		}
	},

	/** A column that stands for many events says for how many, and draws them higher. */
	async dense(harness) {
		const file = harness.fixture('x64-lab612-lost-v6');
		const { address } = await harness.serve(file);
		const page = await harness.open(address, { viewport: { width: 600, height: 700 } });
		await page.evaluate(() => window.tdat.state.set({ rows: ['events:0:0'] }));
		await harness.settled(page);
		const dense = await page.evaluate(() => {
			const { picture } = window.tdat.timeline;
			const cells = [...picture.rows.get('events:0:0').cells];
			const [cell] = cells.sort((a, b) => b.n - a.n);
			const middle = BigInt(Math.floor((cell.t0 + cell.t1) / 2));
			const from = picture.from + BigInt(cell.t0);
			const to = picture.from + BigInt(cell.t1);
			return {
				ts: String(picture.from + middle),
				n: cell.n,
				from: String(from),
				to: String(to),
			};
		});
		assert.ok(dense.n > 1);
		const there = harness
			.events(file)
			.filter(
				(event) =>
					event.cpu === 0 &&
					event.ts >= BigInt(dense.from) &&
					event.ts <= BigInt(dense.to)
			);
		assert.equal(dense.n, there.length);
		const { x, y } = await placeOf(page, 'events:0:0', dense.ts);
		assert.equal((await tip(page, x, y))[1], `${dense.n} events`);
	},

	/** From all of the trace to single nanoseconds around one event, by wheel and by keys. */
	async zoom(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const event = events[Math.floor(events.length / 2)];
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const key = `cpu:0:${event.cpu}`;
		for (let i = 0; i < 80; i++) {
			const { x, y, left, width } = await placeOf(page, key, event.ts);
			assert.ok(
				x >= left - 1 && x <= left + width + 1,
				'what is below the pointer stays there'
			);
			await page.mouse.move(Math.min(left + width, Math.max(left, x)), y);
			await page.keyboard.down('Control');
			await page.mouse.wheel(0, -240);
			await page.keyboard.up('Control');
			await page.evaluate(() => new Promise(requestAnimationFrame));
			const { from, to } = await viewOf(page);
			if (BigInt(to) - BigInt(from) <= 4n) break;
		}
		const view = await viewOf(page);
		assert.equal(BigInt(view.to) - BigInt(view.from), 4n);
		assert.ok(BigInt(view.from) <= event.ts && event.ts <= BigInt(view.to));
		await page.evaluate(
			(type) => window.tdat.state.addRow(`event:${type}`),
			`${event.system}/${event.event}`
		);
		await harness.settled(page);
		const cells = await page.evaluate((type) => {
			const { picture } = window.tdat.timeline;
			return picture.rows
				.get(`event:${type}`)
				.cells.map((cell) => [
					String(picture.from + BigInt(cell.t0)),
					cell.n,
				]);
		}, `${event.system}/${event.event}`);
		assert.deepEqual(cells, [[String(event.ts), 1]]);
		const { x, y } = await placeOf(
			page,
			`event:${event.system}/${event.event}`,
			event.ts
		);
		await page.mouse.click(x, y);
		await page.waitForFunction(() => window.tdat.state.event);
		assert.equal(
			await page.evaluate(() => String(window.tdat.state.event.ts)),
			String(event.ts)
		);
		assert.match(await page.textContent('#span-said'), /4 ns/);
		for (let i = 0; i < 120; i++) await page.keyboard.press('s');
		await page.keyboard.press('0');
		await harness.settled(page);
		const all = await viewOf(page);
		assert.deepEqual(
			[all.from, all.to],
			[String(events[0].ts), String(events.at(-1).ts)]
		);
	},

	/** A span that is dragged has as many events as tdat says. */
	async span(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const { left, width, y } = await placeOf(page, 'cpu:0:0', events[0].ts);
		await page.mouse.move(left + width * 0.25, y);
		await page.mouse.down();
		await page.mouse.move(left + width * 0.4, y + 3, { steps: 3 });
		await page.mouse.move(left + width * 0.6, y, { steps: 3 });
		await page.mouse.up();
		await page.waitForSelector('#pane-span:not([hidden]) #stats-events');
		const { select } = await viewOf(page);
		const within = events.filter(
			(event) => event.ts >= BigInt(select[0]) && event.ts <= BigInt(select[1])
		);
		assert.ok(within.length > 100 && within.length < events.length);
		await page.waitForFunction(
			(count) =>
				document.getElementById('stats-events')?.dataset.events ===
				String(count),
			within.length
		);
		const counts = new Map();
		for (const { system, event } of within)
			counts.set(
				`${system}/${event}`,
				(counts.get(`${system}/${event}`) ?? 0) + 1
			);
		const most = [...counts]
			.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
			.slice(0, 5);
		const shown = await page.$$eval('#stats-types tbody tr', (rows) =>
			rows
				.slice(0, 5)
				.map((row) => [...row.children].map((cell) => cell.textContent))
		);
		assert.deepEqual(
			shown,
			most.map(([name, count]) => [name, String(count)])
		);
		await page.keyboard.press('z');
		assert.deepEqual([(await viewOf(page)).from, (await viewOf(page)).to], select);
	},

	/** A click on a task's row, away from its events, chooses the next event of the task or naming it, also in a report. */
	async taskevent(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const pid = events.find(({ event }) => event === 'sched_waking').fields.pid;
		const isOf = (one) => one.pid === pid || one.fields.pid === pid || one.fields.next_pid === pid;
		const next = (at) => events.findIndex((one, to) => to > at && isOf(one));
		// Before it there is an event whose text has the digits of the pid in another number.
		const at = events.findIndex(
			(one, place) =>
				next(place) > 0 &&
				events[place + 1].ts - one.ts > 10000n &&
				events.slice(place + 1, next(place)).some(({ text }) => text.includes(String(pid)))
		);
		harness.lines('view', '-f', '-o', `${harness.tmp}/task.html`, file);
		const want = String(events[next(at)].ts);
		for (const address of [(await harness.serve(file)).address, `file://${harness.tmp}/task.html`]) {
			const page = await harness.open(address);
			const key = `task:0:${pid}`;
			await page.evaluate((row) => window.tdat.state.set({ rows: [row] }), key);
			await show(harness, page, events[at].ts + 1000n, events[at + 1].ts - 1000n);
			const { x, y } = await placeOf(page, key, (events[at].ts + events[at + 1].ts) / 2n);
			await page.mouse.click(x, y);
			await page.waitForFunction(() => window.tdat.state.event);
			assert.equal(await page.evaluate(() => String(window.tdat.state.event.ts)), want, address);
		}
	},

	/** Without the mouse: rows and cells by keys, each read aloud; the picture as a table. */
	async keyboard(harness) {
		const { address } = await harness.serve(harness.fixture(SCHED));
		const page = await harness.open(address);
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('.');
		assert.match(await page.textContent('#said'), /^\d+\.\d+: /);
		await page.keyboard.press('.');
		await page.keyboard.press('Enter');
		await page.waitForFunction(() => window.tdat.state.event);
		// A cell stays the chosen one where the window follows it.
		const whole = await viewOf(page);
		const events = harness.events(harness.fixture(SCHED)).filter(({ cpu }) => cpu === 0);
		const near = events[300].ts;
		await page.evaluate(() => window.tdat.state.set({ rows: ['events:0:0'], focusRow: 'events:0:0', cursor: null, event: null }));
		await show(harness, page, near - 20000n, near + 20000n);
		const { from } = await viewOf(page);
		for (let i = 0; i < 40; i++) {
			await page.keyboard.press('.');
			await harness.settled(page);
			if ((await viewOf(page)).from !== from && (await page.evaluate(() => window.tdat.state.cursor))) break;
		}
		assert.notEqual((await viewOf(page)).from, from);
		await page.keyboard.press('Enter');
		await page.waitForFunction(() => window.tdat.state.event);
		assert.deepEqual(...(await page.evaluate(() => [window.tdat.state.event, window.tdat.state.cursor].map((one) => String(one.ts ?? one.t0)))));
		await page.evaluate((rows) => window.tdat.state.set({ rows, focusRow: null, cursor: null }), whole.rows);
		await show(harness, page, whole.from, whole.to);
		await page.keyboard.press('4');
		await page.waitForSelector('#text-rows tr');
		const { rows } = await viewOf(page);
		assert.equal(await page.locator('#text-rows tbody tr').count(), rows.length);
		await page.click('#text-rows .sort');
		assert.equal(await page.getAttribute('#text-rows th', 'aria-sort'), 'ascending');
		assert.equal(await page.locator('#pane-text .below button').allTextContents().then(String), 'Copy,CSV');
		await page.focus('#tab-text');
		for (const [key, name] of [
			['Home', 'event'],
			['ArrowLeft', 'why'],
			['ArrowRight', 'event'],
			['End', 'why'],
		]) {
			await page.keyboard.press(key);
			assert.ok(await page.isVisible(`#pane-${name}`), key);
		}
		await page.keyboard.press('?');
		await page.waitForSelector('#help[open] kbd');
		await page.keyboard.press('Escape');
		const unnamed = await page.$$eval(
			'button, input, select, textarea, canvas:not([aria-hidden]), [role="tab"], [tabindex="0"]',
			(all) =>
				all
					.filter(
						(one) =>
							!(
								one.getAttribute('aria-label') ||
								one.labels?.length ||
								one.textContent.trim() ||
								one.getAttribute('aria-labelledby')
							)
					)
					.map((one) => one.outerHTML)
		);
		assert.deepEqual(unnamed, []);
		const reached = new Set();
		for (let i = 0; i < 40; i++) {
			await page.keyboard.press('Tab');
			reached.add(await page.evaluate(() => document.activeElement.id));
		}
		for (const id of [
			'filter',
			'search',
			'goto',
			'rows-open',
			'overview',
			'timeline',
			'list',
			'help-open',
		])
			assert.ok(reached.has(id), `Tab does not reach ${id}`);
	},

	/** At close zoom events are ticks on the rows of their CPU and task; a click chooses just that one. */
	async ticks(harness) {
		const file = harness.fixture('s390x-61-v6-sched');
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const ticksOf = (key) => page.evaluate((row) => window.tdat.timeline.ticks.of(row).map(({ ts }) => String(ts)), key);
		assert.deepEqual(await ticksOf('cpu:0:0'), []);
		const middle = events.find((event, at) => at > 500 && event.event === 'sched_wakeup' && event.cpu === 0);
		const [from, to] = [middle.ts - 500000n, middle.ts + 500000n];
		await show(harness, page, from, to);
		const seen = events.filter(({ ts }) => ts >= from && ts <= to);
		for (const cpu of [0, 1])
			assert.deepEqual(
				await ticksOf(`cpu:0:${cpu}`),
				seen.filter((event) => event.cpu === cpu).map(({ ts }) => String(ts))
			);
		const of = seen.filter((event) => event.pid === middle.pid).map(({ ts }) => String(ts));
		assert.deepEqual(await ticksOf(`task:0:${middle.pid}`), of);
		const { x, y } = await placeOf(page, 'cpu:0:0', middle.ts);
		await page.mouse.move(x, y);
		assert.match(await page.textContent('#tip'), /event: sched\/sched_\w+ of /);
		await page.mouse.click(x, y);
		await page.waitForFunction(() => window.tdat.state.event);
		assert.ok(
			await page.evaluate((ts) => window.tdat.state.event.ts === BigInt(ts), String(middle.ts)),
			'another event was chosen'
		);
		const box = await page.evaluate(() => {
			const { layout, ruler } = window.tdat.timeline.view;
			const index = layout.keys.indexOf('cpu:0:0');
			return ruler + layout.y(index) + layout.heights[index] - 4;
		});
		const top = await page.evaluate(() => document.getElementById('timeline').getBoundingClientRect().top);
		await page.evaluate(() => window.tdat.state.set({ event: null }));
		await harness.settled(page);
		assert.notEqual(await pixel(page, x, top + box), await pixel(page, x - 3, top + box), 'no tick is drawn');
	},

	/** Colours follow the system, and black and white has no colour. */
	async themes(harness) {
		const { address } = await harness.serve(harness.fixture(SCHED));
		const page = await harness.open(address, { colorScheme: 'dark' });
		const paper = (least, most) =>
			page.waitForFunction(
				([low, high]) =>
					getComputedStyle(document.body)
						.backgroundColor.match(/\d+/g)
						.every(
							(part) =>
								Number(part) >= low &&
								Number(part) <= high
						),
				[least, most]
			);
		await paper(0, 60);
		await page.emulateMedia({ colorScheme: 'light' });
		await paper(240, 255);
		await page.selectOption('#theme', 'mono');
		await page.evaluate(
			() =>
				new Promise((done) =>
					requestAnimationFrame(() => requestAnimationFrame(done))
				)
		);
		const coloured = await page.evaluate(() => {
			const canvas = document.getElementById('timeline');
			const { data } = canvas
				.getContext('2d')
				.getImageData(0, 0, canvas.width, canvas.height);
			let count = 0;
			for (let i = 0; i < data.length; i += 4)
				count +=
					Math.abs(data[i] - data[i + 1]) > 8 ||
					Math.abs(data[i] - data[i + 2]) > 8
						? 1
						: 0;
			return count;
		});
		assert.equal(coloured, 0);
	},
};
