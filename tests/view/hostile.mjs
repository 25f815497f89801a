// SPDX-License-Identifier: GPL-2.0-or-later
// Names made to be markup, a file that is cut while it is looked at, a server that is gone.

import assert from 'node:assert/strict';
import {
	copyFileSync,
	mkdirSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { show } from './harness.mjs';

const SCHED = 's390x-61-v6-sched';

/** Bytes with all of one text replaced by another one of the same length. */
function replaced(bytes, from, to) {
	assert.equal(from.length, to.length);
	const made = Buffer.from(bytes);
	let count = 0;
	for (let at = made.indexOf(from); at >= 0; at = made.indexOf(from, at + 1)) {
		to.copy(made, at);
		count++;
	}
	assert.ok(count > 10);
	return made;
}

export const hostileCases = {
	/** Names of tasks and of the file are shown as they are, and nothing of them becomes an element. */
	async hostile(harness) {
		const bytes = replaced(
			replaced(
				readFileSync(harness.fixture(SCHED)),
				Buffer.from('work.sh'),
				Buffer.from('<b>\u202e\x1b', 'utf8')
			),
			Buffer.from('rcu_sched'),
			Buffer.from('<img/src>')
		);
		const folder = `${harness.tmp}/hostile`;
		mkdirSync(folder);
		const file = `${folder}/<img src=x onerror=alert(1)>.dat`;
		writeFileSync(file, bytes);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		page.on('dialog', () => harness.complaints.push('a dialog'));
		const shape = () =>
			page.evaluate(
				() =>
					document.querySelectorAll(
						'b, img, script, iframe, object, svg'
					).length
			);
		// The page's own: its data and its module.
		assert.equal(await shape(), 2);
		assert.match(await page.textContent('#title'), /<img src=x/);
		assert.match(await page.title(), /<img src=x/);
		for (const key of ['1', '2', '3', '4', '5']) {
			await page.keyboard.press(key);
			await page.waitForTimeout(150);
			assert.equal(await shape(), 2);
		}
		await page.keyboard.press('2');
		await page.waitForSelector('#stats-tasks');
		const said = await page.textContent('#stats-tasks');
		assert.ok(said.includes('<b>\\u{202e}\\x1b-'), said.slice(0, 200));
		assert.ok(
			!/[\u0000-\u0008\u000b-\u001f\u202a-\u202e]/.test(
				await page.evaluate(() => document.body.innerText)
			)
		);
		await page.click('#rows-open');
		await page.waitForSelector('#rows-offered label');
		assert.equal(await shape(), 2);
		await page.keyboard.press('Escape');
		page.expected = /400|404/;
		await page.fill('#filter', '<img src=x onerror=alert(1)>: ');
		await page.keyboard.press('Enter');
		await page.waitForSelector('#filter-error:not([hidden])');
		assert.equal(await shape(), 2);
		await page.evaluate((hash) => {
			location.hash = hash;
		}, '#row=cpu:0:0&row=task:0:<img src=x>&focus=<b>&search=<b>x</b>');
		await page.waitForTimeout(400);
		assert.equal(await shape(), 2);
	},

	/** A file that was cut meanwhile gives a message, or events that are still there; the page lives. */
	async cut(harness) {
		const file = `${harness.tmp}/cut.dat`;
		copyFileSync(harness.fixture('x64-lab612-lost-v6'), file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		page.expected = /50[0-9]|ERR_CONNECTION|ERR_EMPTY/;
		truncateSync(file, 8192);
		const rows = Number(await page.getAttribute('#list', 'aria-rowcount'));
		await page.evaluate((last) => window.tdat.list.select(last, true), rows - 1);
		await page.waitForSelector('#notice:not([hidden])');
		assert.ok((await page.textContent('#notice-text')).length > 20);
		await page.click('#notice-close');
		assert.ok(await page.isHidden('#notice'));
	},

	/** A file that was deleted is still there for the server that has it open. */
	async deleted(harness) {
		const file = `${harness.tmp}/deleted.dat`;
		copyFileSync(harness.fixture(SCHED), file);
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		rmSync(file);
		await show(harness, page, events[10].ts, events[20].ts);
		await page.evaluate(
			(last) => window.tdat.list.select(last, true),
			events.length - 1
		);
		await page.waitForFunction(
			(ts) => String(window.tdat.state.event?.ts) === ts,
			String(events.at(-1).ts)
		);
		assert.ok(await page.isHidden('#notice'));
	},

	/** When the server has ended, the page says so. */
	async gone(harness) {
		const file = harness.fixture(SCHED);
		const { address, server } = await harness.serve(file);
		const page = await harness.open(address);
		page.expected = /ERR_/;
		server.removeAllListeners('exit');
		const ended = new Promise((done) => server.on('exit', (code) => done(code)));
		server.kill('SIGINT');
		assert.equal(await ended, 0);
		await page.keyboard.press('w');
		await page.waitForSelector('#notice:not([hidden])');
		assert.match(await page.textContent('#notice-text'), /does not respond/);
	},
};
