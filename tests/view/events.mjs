// SPDX-License-Identifier: GPL-2.0-or-later
// The list, details, filter and search: the events that tdat dump prints, in its order.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { viewOf } from './harness.mjs';

const SCHED = 's390x-61-v6-sched';

function shownRows(page) {
	return page.$$eval('#list-rows .event:not([hidden])', (rows) =>
		rows.map((row) => [...row.children].map((cell) => cell.textContent))
	);
}

function expectedRow(event, number) {
	const seconds = event.ts / 1000000000n;
	return [
		String(number).replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009'),
		`${seconds}.${String(event.ts % 1000000000n).padStart(9, '0')}`,
		String(event.cpu),
		`${event.comm}-${event.pid}`,
		`${event.system}/${event.event}`,
	];
}

async function useFilter(page, text) {
	await page.fill('#filter', text);
	await page.keyboard.press('Escape');
	await page.focus('#filter');
	await page.keyboard.press('Enter');
}

export const listCases = {
	/** First and last rows, by scrolling and by keys. */
	async list(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		assert.equal(
			await page.getAttribute('#list', 'aria-rowcount'),
			String(events.length)
		);
		const rows = await shownRows(page);
		assert.ok(rows.length > 5);
		for (const [index, row] of rows.entries())
			assert.deepEqual(row.slice(0, 5), expectedRow(events[index], index + 1));
		await page.focus('#list');
		await page.keyboard.press('End');
		await page.waitForFunction(
			(ts) => String(window.tdat.state.event?.ts) === ts,
			String(events.at(-1).ts)
		);
		const last = (await shownRows(page)).at(-1);
		assert.deepEqual(last.slice(0, 5), expectedRow(events.at(-1), events.length));
		await page.keyboard.press('ArrowUp');
		await page.waitForFunction(
			(ts) => String(window.tdat.state.event?.ts) === ts,
			String(events.at(-2).ts)
		);
		await page.mouse.move(400, 700);
		for (let i = 0; i < 20; i++) await page.mouse.wheel(0, -3000);
		await page.waitForFunction(() =>
			document
				.querySelector(
					'#list-rows .event[aria-rowindex="1"] span:nth-child(2)'
				)
				?.textContent.includes('.')
		);
	},

	/** A hundred million rows: the bar goes through all, wheel and keys by rows. */
	async scroller(harness) {
		const page = await harness.page();
		const module = readFileSync(`${harness.source}/web/scroller.js`, 'base64');
		const found = await page.evaluate(async (code) => {
			const { Scroller } = await import(`data:text/javascript;base64,${code}`);
			const box = document.createElement('div');
			const height = document.createElement('div');
			box.style.cssText =
				'position:fixed;top:0;left:0;width:100px;height:200px;overflow-y:auto';
			box.append(height);
			document.body.append(box);
			const scroller = new Scroller(box, height, () => {});
			const frames = () =>
				new Promise((done) =>
					requestAnimationFrame(() => requestAnimationFrame(done))
				);
			scroller.resize(100000000, 20);
			const tall = height.offsetHeight;
			scroller.to(49999999.5);
			await frames();
			const middle = scroller.top;
			box.dispatchEvent(
				new WheelEvent('wheel', { deltaY: 20, cancelable: true })
			);
			await frames();
			const next = scroller.top;
			scroller.show(99999999);
			await frames();
			const end = scroller.top;
			box.scrollTop = 0;
			await frames();
			const start = scroller.top;
			box.remove();
			return { tall, middle, next, end, start };
		}, module);
		assert.deepEqual(found, {
			tall: 6000000,
			middle: 49999999.5,
			next: 50000000.5,
			end: 99999990,
			start: 0,
		});
	},

	/** Details have the fields, the text and the format of the event. */
	async details(harness) {
		const file = harness.fixture('s390x-61-kstack');
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const index = events.findIndex(
			(event, at) =>
				event.event === 'sched_switch' &&
				events[at + 1]?.event === 'kernel_stack' &&
				events[at + 1].cpu === event.cpu
		);
		const event = events[index];
		await page.evaluate((number) => window.tdat.list.select(number, true), index);
		await page.waitForSelector('#event-fields');
		assert.equal(
			await page.textContent('#pane-event h2'),
			`${event.system}/${event.event}`
		);
		const fields = await page.$$eval('#event-fields tr', (rows) =>
			rows.map((row) => [
				row.children[0].textContent,
				row.children[1].textContent,
			])
		);
		for (const name of ['prev_pid', 'next_pid', 'next_comm', 'prev_prio']) {
			const value = String(event.fields[name]);
			const shown = fields.find(([field]) => field === name)?.[1];
			assert.ok(
				shown === value || shown?.startsWith(`${value} `),
				`${name}: ${shown}, not ${value}`
			);
		}
		// A value that the text has as hexadecimal is shown as both; others have it in their title.
		const calls = harness.fixture('x64-61-syscalls');
		const other = await harness.open((await harness.serve(calls)).address);
		const at = harness.events(calls).findIndex((one) => one.event === 'sys_enter_execve');
		await other.evaluate((number) => window.tdat.list.select(number, true), at);
		await other.waitForSelector('#event-fields');
		const [, pointer] = /filename: (0x[0-9a-f]+)/.exec(await other.textContent('#event-text'));
		const cells = await other.$$eval('#event-fields td:nth-child(2) span', (all) => all.map((one) => [one.textContent, one.title]));
		assert.ok(cells.some(([text, title]) => text === `${BigInt(pointer)} (${pointer})` && title === pointer), String(cells));
		assert.ok(cells.some(([text, title]) => text === '59' && title === '0x3b'), String(cells));
		await other.context().close();
		assert.match(await page.textContent('#pane-event'), /name: sched_switch/);
		assert.match(await page.textContent('#pane-event'), /Stack\S*schedule/);
		assert.equal(
			await page.getAttribute(
				'#list-rows .event[aria-selected="true"]',
				'aria-rowindex'
			),
			String(index + 1)
		);
	},

	/** A filter leaves the events that tdat dump -F prints; its errors stand at their place. */
	async filter(harness) {
		const file = harness.fixture(SCHED);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const all = await page.getAttribute('#list', 'aria-rowcount');
		for (const text of [
			'sched_switch: next_pid == 14',
			'sched_wakeup, sched_waking',
			'irq/.*: CPU == 1',
		]) {
			const expected = harness.events(file, '-F', text);
			await useFilter(page, text);
			await page.waitForFunction(
				(count) => document.getElementById('list').ariaRowCount === count,
				String(expected.length)
			);
			await harness.settled(page);
			const rows = await shownRows(page);
			for (const [index, row] of rows.entries())
				assert.deepEqual(
					row.slice(0, 5),
					expectedRow(expected[index], index + 1)
				);
			const hits = await page.evaluate(() =>
				window.tdat.timeline.picture.rows
					.get('hits')
					.cells.reduce((sum, cell) => sum + cell.n, 0)
			);
			assert.equal(hits, expected.length);
		}
		await page.selectOption('#filter-for', 'picture');
		await page.waitForFunction(
			(count) => document.getElementById('list').ariaRowCount === count,
			all
		);
		await page.selectOption('#filter-for', 'both');
		page.expected = /400/;
		await useFilter(page, 'sched_switch: next_pid == (1');
		await page.waitForSelector('#filter-error:not([hidden])');
		const [mark, sentence] = (await page.textContent('#filter-error')).split('\n');
		assert.ok(sentence.length > 10);
		assert.ok(
			mark.length > 20 && mark.trimStart().length === 1,
			`the mark is at ${mark.length}`
		);
		assert.equal(await page.getAttribute('#filter', 'aria-invalid'), 'true');
		assert.equal((await viewOf(page)).filter, 'irq/.*: CPU == 1');
		await useFilter(page, '');
		await page.waitForFunction(
			(count) => document.getElementById('list').ariaRowCount === count,
			all
		);
	},

	/** Names of events and fields are completed. */
	async completion(harness) {
		const { address } = await harness.serve(harness.fixture(SCHED));
		const page = await harness.open(address);
		await page.focus('#filter');
		await page.keyboard.type('sched_swi');
		const isFirst = () => document.querySelector('#filter-offers li')?.textContent === 'sched_switch';
		await page.waitForFunction(isFirst);
		await page.keyboard.press('ArrowDown');
		assert.equal(
			await page.getAttribute('#filter', 'aria-activedescendant'),
			'filter-offer-0'
		);
		await page.keyboard.press('Enter');
		await page.keyboard.type(': next_p');
		const offered = () =>
			page.evaluate(() => ({
				text: document.getElementById('filter').value,
				focus: document.activeElement?.id,
				offers: [...document.querySelectorAll('#filter-offers li')].map(
					(item) => item.textContent
				),
				error: document.getElementById('filter-error').textContent,
			}));
		await page
			.waitForFunction(() =>
				[...document.querySelectorAll('#filter-offers li')].some(
					(item) => item.textContent === 'next_pid'
				)
			)
			.catch(async () => assert.fail(JSON.stringify(await offered())));
	},

	/** Next and previous hits are the events that the same filter leaves, in their order. */
	async search(harness) {
		const file = harness.fixture(SCHED);
		const text = 'sched_switch: next_pid == 14';
		const expected = harness.events(file, '-F', text);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await page.fill('#search', text);
		await page.keyboard.press('Escape');
		await page.focus('#search');
		for (const event of expected.slice(0, 4)) {
			await page.click('#search-next');
			await page.waitForFunction(
				(ts) => String(window.tdat.state.event?.ts) === ts,
				String(event.ts)
			);
		}
		await page.click('#search-prev');
		await page.waitForFunction(
			(ts) => String(window.tdat.state.event?.ts) === ts,
			String(expected[2].ts)
		);
		await page.waitForFunction(
			(count) => document.getElementById('search-count').textContent === count,
			`${expected.length} hits`
		);
		await page.waitForFunction(
			(ts) =>
				document
					.querySelector('#list-rows .event[aria-selected="true"]')
					?.children[1].textContent.replace('.', '') === ts,
			String(expected[2].ts)
		);
	},

	/** A plain text is searched in tasks, names and texts, in either case; a task's name is offered. */
	async text(harness) {
		const file = harness.fixture(SCHED);
		const expected = harness
			.events(file)
			.filter((event) =>
				`${event.comm}-${event.pid} ${event.system}/${event.event}: ${event.text}`
					.toLowerCase()
					.includes('rcu_sch')
			);
		assert.ok(expected.length > 3);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await page.fill('#search', 'RCU_sch');
		await page.waitForFunction(() =>
			[...document.querySelectorAll('#search-offers li')].some((item) => item.textContent === 'rcu_sched')
		);
		await page.keyboard.press('Escape');
		for (const event of expected.slice(0, 3)) {
			await page.click('#search-next');
			await page.waitForFunction((ts) => String(window.tdat.state.event?.ts) === ts, String(event.ts));
		}
		await page.waitForFunction(
			(count) => document.getElementById('search-count').textContent === count,
			`${expected.length} hits`
		);
		// Times and CPUs are columns, too.
		for (const { ts, cpu, comm, pid } of [expected[1], expected.at(-1)]) {
			const time = `${ts / 1000000000n}.${String(ts % 1000000000n).padStart(9, '0')}`;
			await page.fill('#search', `${time} ${cpu} ${comm}-${pid}`);
			await page.click('#search-next');
			await page.evaluate(() => window.tdat.state.set({ event: null }));
			await page.waitForFunction(() => document.getElementById('search-count').textContent === '1 hit');
		}
		// Offers that come after Enter stay away; Escape leaves the focus on the picture.
		await page.fill('#search', '');
		await page.route('**/api/filter?*', async (route) => {
			await new Promise((done) => setTimeout(done, 500));
			await route.continue();
		});
		await page.focus('#search');
		await page.keyboard.type('rcu_sch', { delay: 30 });
		await page.waitForTimeout(150);
		await page.keyboard.press('Enter');
		await page.waitForTimeout(900);
		assert.equal(await page.isVisible('#search-offers'), false);
		await page.unroute('**/api/filter?*');
		await page.keyboard.press('Escape');
		assert.equal(await page.evaluate(() => document.activeElement.id), 'timeline');
		await page.fill('#search', 'no such: text');
		await page.click('#search-next');
		await page.waitForFunction(() => document.getElementById('search-count').textContent === '0 hits');
	},
};
