// SPDX-License-Identifier: GPL-2.0-or-later
// Markers, going to a time, SQL, the address and saved views; the report.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { placeOf, show, viewOf } from './harness.mjs';

const SCHED = 's390x-61-v6-sched';

async function mark(page, key, ts, name) {
	const { x, y } = await placeOf(page, key, ts);
	await page.mouse.move(x, y);
	await page.keyboard.press(`Shift+${name}`);
}

export const sessionCases = {
	/** Two markers and what lies between them. */
	async markers(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await page.evaluate((number) => window.tdat.list.select(number, true), 100);
		await page.mouse.move(600, 10);
		await page.keyboard.press('Shift+A');
		await page.evaluate((number) => window.tdat.list.select(number, true), 900);
		await page.waitForFunction(
			(ts) => String(window.tdat.state.event?.ts) === ts,
			String(events[900].ts)
		);
		await page.keyboard.press('Shift+B');
		const view = await viewOf(page);
		assert.deepEqual(
			[view.a, view.b],
			[String(events[100].ts), String(events[900].ts)]
		);
		await page.keyboard.press('3');
		const apart = events[900].ts - events[100].ts;
		const exact = `${apart / 1000000000n}.${String(apart % 1000000000n).padStart(9, '0')} s`;
		assert.ok((await page.textContent('#pane-marks')).includes(exact));
		await page.click('#pane-marks .buttons button');
		const within = events.filter(
			(event) => event.ts >= events[100].ts && event.ts <= events[900].ts
		).length;
		await page.waitForFunction(
			(count) =>
				document.getElementById('stats-events')?.dataset.events ===
				String(count),
			within
		);
		await page.keyboard.press('Shift+X');
		assert.equal((await viewOf(page)).a, null);
	},

	/** Times as tdat dump takes them. */
	async goto(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await show(harness, page, events[0].ts, events[0].ts + 1000000n);
		for (const [text, ts] of [
			['+100ms', events[0].ts + 100000000n],
			['-50ms', events.at(-1).ts - 50000000n],
			['25.3', 25300000000n],
			['25400ms', 25400000000n],
		]) {
			await page.keyboard.press('g');
			await page.fill('#goto', text);
			await page.keyboard.press('Enter');
			const { from, to } = await viewOf(page);
			assert.equal(BigInt(from) + (BigInt(to) - BigInt(from)) / 2n, ts, text);
			assert.equal(BigInt(to) - BigInt(from), 1000000n);
		}
		for (const [text, said] of [
			['soon', /^A time is/],
			['1', /^1\.000000000 is outside the trace/],
		]) {
			await page.keyboard.press('Escape');
			await page.keyboard.press('g');
			await page.fill('#goto', text);
			await page.keyboard.press('Enter');
			assert.match(await page.textContent('#goto-error'), said);
		}
	},

	/** Reloading the address, and loading the saved file, both bring the view back. */
	async session(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await show(harness, page, events[500].ts, events[1500].ts);
		await mark(page, 'cpu:0:0', events[700].ts, 'A');
		await mark(page, 'cpu:0:1', events[900].ts, 'B');
		await page.fill('#filter', 'sched_switch: next_pid == 14');
		await page.keyboard.press('Escape');
		await page.focus('#filter');
		await page.keyboard.press('Enter');
		await page.waitForFunction(() => window.tdat.state.filter !== '');
		await page.evaluate(() => window.tdat.state.addRow('event:sched/sched_wakeup'));
		await harness.settled(page);
		await page.evaluate(() => window.tdat.list.select(2, true));
		await page.waitForFunction(
			() => window.tdat.state.event && location.hash.includes('event=')
		);
		await page.waitForTimeout(250);
		const view = await viewOf(page);
		const [download] = await Promise.all([
			page.waitForEvent('download'),
			page.click('#session-save'),
		]);
		const saved = `${harness.tmp}/saved.view.json`;
		await download.saveAs(saved);

		await page.reload();
		await harness.settled(page);
		await page.waitForFunction(() => window.tdat.state.event);
		assert.deepEqual(await viewOf(page), view);

		const other = await harness.open(address);
		assert.notDeepEqual(await viewOf(other), view);
		await other.setInputFiles('#session-file', saved);
		await other.waitForFunction(() => window.tdat.state.event);
		await harness.settled(other);
		assert.deepEqual(await viewOf(other), view);
		assert.equal(await other.isVisible('#notice'), false);
		const foreign = await harness.open((await harness.serve(harness.fixture('s390x-61-kstack'))).address);
		await foreign.setInputFiles('#session-file', saved);
		await foreign.waitForSelector('#notice:not([hidden])');
		assert.match(await foreign.textContent('#notice-text'), /was saved for s390x-61-v6-sched\.dat/);
		await other.setInputFiles('#session-file', harness.fixture(SCHED));
		await other.waitForSelector('#notice:not([hidden])');
		assert.match(await other.textContent('#notice-text'), /cannot be loaded/);
	},

	/** A query of the trace's tables. */
	async sql(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		if (!(await page.isVisible('#sql-open'))) return;
		await page.keyboard.press('q');
		await page.fill(
			'#sql',
			"SELECT cpu, count(*) AS n, 'x' AS word, 9223372036854775807 AS far FROM events GROUP BY 1 ORDER BY 1"
		);
		await page.keyboard.press('Control+Enter');
		await page.waitForSelector('#sql-answer td');
		const rows = await page.$$eval('#sql-answer tbody tr', (all) =>
			all.map((row) =>
				[...row.children].slice(0, 2).map((cell) => Number(cell.textContent))
			)
		);
		// A heading stands above its values: on the right where they are numbers.
		const aligned = await page.$$eval('#sql-answer tr', (all) =>
			all.map((row) => [...row.children].map((cell) => getComputedStyle(cell).textAlign))
		);
		for (const row of aligned)
			assert.deepEqual(row, ['right', 'right', 'left', 'right']);
		assert.deepEqual(
			rows,
			[0, 1].map((cpu) => [
				cpu,
				events.filter((event) => event.cpu === cpu).length,
			])
		);
		// Numbers are sorted by their size, also where they are texts; other texts stand behind them.
		const texts = ['111', '127.0.0.1', '24', '24 ms', '1000', '24'];
		await page.fill('#sql', texts.map((text) => `SELECT '${text}' AS mixed`).join(' UNION ALL '));
		await page.keyboard.press('Control+Enter');
		await page.click('#sql-answer .sort:text("mixed")');
		const mixed = await page.$$eval('#sql-answer td', (cells) => cells.map((cell) => cell.textContent));
		assert.deepEqual(mixed, ['24', '24', '111', '1000', '127.0.0.1', '24 ms']);
		await page.fill('#sql', 'SELEC 1');
		page.expected = /40[0-9]|500/;
		await page.keyboard.press('Control+Enter');
		await page.waitForSelector('#sql-error:not([hidden])');
		// The next query does not wait for the one before it, which would take 30 s.
		await page.fill(
			'#sql',
			'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c'
		);
		await page.keyboard.press('Control+Enter');
		await page.fill('#sql', 'SELECT 4711 AS n');
		await page.keyboard.press('Control+Enter');
		await page.waitForSelector('#sql-answer td:text("4711")', { timeout: 20000 });
		const [csv] = await Promise.all([page.waitForEvent('download'), page.click('#sql-answer .below button:last-child')]);
		assert.equal(csv.suggestedFilename(), 'sql.csv');
	},

	/** The answer of a query as a row: its intervals are those of the answer, and a saved address has them again. */
	async sqlrow(harness) {
		const file = harness.fixture(SCHED);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		if (!(await page.isVisible('#sql-open'))) return;
		const query = 'SELECT ts, dur, comm FROM sched -- all\nWHERE dur > 1000000 AND comm <> ?';
		const ran = harness.table(file, 'sched').filter(({ dur, comm }) => dur > 1000000 && comm !== 'sh');
		await page.keyboard.press('q');
		await page.fill('#sql', query.replace('?', "'sh'"));
		await page.keyboard.press('Control+Enter');
		await page.click('#sql-answer button:text("Show as a row")');
		// The key is the query as it was run: a comment ends at its line.
		const key = `sql:0:${query.replace('?', "'sh'")}`;
		const cellsOf = (shown) =>
			shown.evaluate((row) => {
				const { picture } = window.tdat.timeline;
				return picture.rows
					.get(row)
					.cells.map(({ t0, time, name }) => `${picture.from + BigInt(t0)} ${time} ${name}`)
					.sort();
			}, key);
		const isDrawn = (shown) =>
			shown.waitForFunction((row) => window.tdat.timeline.picture?.rows.get(row)?.pending === false, key);
		await isDrawn(page);
		const wanted = ran.map(({ ts, dur, comm }) => `${ts} ${dur} ${comm}`).sort();
		assert.ok(wanted.length > 3);
		assert.deepEqual(await cellsOf(page), wanted);
		await page.waitForFunction(() => location.hash.includes('row=sql'));
		const again = await harness.open(page.url());
		await isDrawn(again);
		assert.deepEqual(await cellsOf(again), wanted);
		// A report of this view has its other rows.
		const report = `${harness.tmp}/sqlrow.html`;
		harness.lines('view', '-f', '-o', report, '--view', page.url(), file);
		const still = await harness.open(`file://${report}`);
		assert.deepEqual((await viewOf(still)).rows.filter((one) => one.startsWith('cpu:')), ['cpu:0:0', 'cpu:0:1']);
		// A query that fails says so in its row.
		const bad = await harness.open(`${address}#row=sql%3A0%3ASELECT%201%20AS%20n`);
		const failed = () => bad.waitForFunction(() => window.tdat.timeline.picture?.rows.get('sql:0:SELECT 1 AS n')?.error);
		await failed();
		// It is asked again only when it is shown again, or all is tried again.
		let asked = 0;
		bad.on('request', (request) => (asked += Number(request.url().includes('api/sql'))));
		await bad.keyboard.press('w');
		await harness.settled(bad);
		assert.equal(asked, 0);
		const set = (rows) => bad.evaluate((keys) => window.tdat.state.set({ rows: keys }), rows);
		const askedAgain = (count) => bad.waitForFunction(() => window.tdat.timeline.settled).then(() => assert.equal(asked, count));
		await set(['cpu:0:0']);
		await set(['cpu:0:0', 'sql:0:SELECT 1 AS n']);
		await failed();
		await askedAgain(1);
		await bad.evaluate(() => document.getElementById('notice-retry').click());
		await askedAgain(2);
	},

	/** A report opens from disk, draws, lists and explains, and has nothing to ask for. */
	async report(harness) {
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const report = `${harness.tmp}/report.html`;
		execFileSync(harness.tdat, ['view', '-o', report, file]);
		const page = await harness.page();
		const asked = [];
		page.on('request', (request) => asked.push(request.url()));
		await page.goto(`file://${report}`);
		await harness.settled(page);
		assert.deepEqual(
			asked.filter(
				(address) =>
					!address.startsWith('file:') && !address.startsWith('data:')
			),
			[]
		);
		assert.equal(
			await page.getAttribute('#list', 'aria-rowcount'),
			String(events.length)
		);
		const row = harness
			.table(file, 'sched')
			.filter((one) => one.pid !== 0 && !one.open)
			.sort((a, b) => Number(b.dur) - Number(a.dur))[0];
		const { x, y } = await placeOf(
			page,
			`cpu:0:${row.cpu}`,
			BigInt(row.ts) + BigInt(row.dur) / 2n
		);
		await page.mouse.move(x, y);
		assert.equal(
			(await page.textContent('#tip')).split('\n')[1],
			`${row.comm}-${row.pid}`
		);
		await page.mouse.click(x, y);
		await page.waitForFunction(() => window.tdat.state.event);
		assert.match(await page.textContent('#pane-event h2'), /\//);
		await page.keyboard.press('5');
		assert.match(await page.textContent('#pane-trace'), /This report/);
		// What needs a server says so.
		for (const id of ['#filter', '#filter-for']) {
			assert.ok(await page.isDisabled(id), id);
			assert.match(await page.getAttribute(id, 'title'), /^A report cannot filter events/);
		}
		await page.click('#tab-why');
		assert.match(await page.textContent('#pane-why'), /A report has no server to explain waits/);
		for (const [text, answer] of [
			['no such text', 'No further hits in this report'],
			['sched_switch: next_pid == 1', 'No further hits in this report; filters need tdat view FILE'],
		]) {
			await page.fill('#search', text);
			await page.keyboard.press('Enter');
			await page.waitForFunction((said) => document.getElementById('said').textContent === said, answer);
		}
		await page.fill('#search', 'work.sh');
		await page.keyboard.press('Enter');
		await page.waitForFunction(() =>
			/work\.sh/.test(
				JSON.stringify([
					window.tdat.state.event?.text,
					window.tdat.state.event?.comm,
				])
			)
		);
		// One of a span begins with it.
		const [from, to] = [events[9].ts, events.at(-9).ts];
		harness.lines('view', '-f', '-o', report, '--from', `${from}ns`, '--until', `${to}ns`, file);
		const part = await viewOf(await harness.open(`file://${report}`));
		assert.deepEqual([part.from, part.to], [String(from), String(to)]);
	},

	/** A window of a report: its picture as text is that of the served page; its shares are those of the report's span. */
	async reportzoom(harness) {
		const file = harness.fixture(SCHED);
		const report = `${harness.tmp}/zoom.html`;
		const events = harness.events(file);
		harness.lines('view', '-f', '-o', report, file);
		const said = [];
		for (const address of [(await harness.serve(file)).address, `file://${report}`]) {
			const page = await harness.open(address);
			await page.evaluate(() => window.tdat.state.set({ rows: window.tdat.state.rows.slice(0, 8) }));
			await page.keyboard.press('4');
			await show(harness, page, events[300].ts, events[340].ts);
			said.push(await page.textContent('#pane-text'));
		}
		assert.equal(said[1], said[0]);
		assert.match(said[1], / wakeups? of these tasks/);
		const page = await harness.open(`file://${report}`);
		await show(harness, page, events[300].ts, events[340].ts);
		await page.keyboard.press('2');
		await page.waitForSelector('#stats-tasks');
		const { tasks } = await page.evaluate(() => window.tdat.source.stats());
		const span = Number(events.at(-1).ts - events[0].ts);
		assert.deepEqual(
			await page.$$eval('#stats-tasks td:nth-child(3)', (cells) => cells.map((cell) => cell.textContent)),
			tasks.slice(0, 15).map(({ time }) => `${((time / span) * 100).toFixed(1)} %`)
		);
	},

	/** The page copies a command, whose report has the rows, the window, the markers and notes of the view. */
	async reportview(harness) {
		const file = harness.fixture(SCHED);
		const [from, to] = [harness.events(file)[99].ts, harness.events(file).at(-99).ts];
		const { address } = await harness.serve(file);
		const page = await harness.open(address, { permissions: ['clipboard-read', 'clipboard-write'] });
		await page.evaluate(
			([a, b]) => {
				const { state } = window.tdat;
				const notes = [{ ts: BigInt(a) + 1000n, text: "it's <here> & +1" }];
				state.set({ rows: ['cpu:0:1', 'events:0:0', 'cpu:0:0'], pins: ['cpu:0:0'], notes, markA: BigInt(a) });
				state.viewport.set(BigInt(a), BigInt(b));
				state.tell('window');
			},
			[String(from), String(to)]
		);
		await harness.settled(page);
		await page.keyboard.press('5');
		await page.click('#pane-trace button:text("Copy the command")');
		await page.waitForFunction(() => document.getElementById('said').textContent === 'Copied');
		const command = await page.evaluate(() => navigator.clipboard.readText());
		const folder = mkdtempSync(`${harness.tmp}/view`);
		const PATH = `${dirname(resolve(harness.tdat))}:${process.env.PATH}`;
		execFileSync('sh', ['-c', command], { cwd: folder, env: { ...process.env, PATH } });
		const report = await harness.open(`file://${folder}/report.html`);
		const [wanted, got] = [await viewOf(page), await viewOf(report)];
		assert.deepEqual(got, wanted);
		assert.deepEqual(
			await report.evaluate(() => [window.tdat.state.pins, window.tdat.state.notes.map(({ text }) => text)]),
			[['cpu:0:0'], ["it's <here> & +1"]]
		);
		const drawn = await report.evaluate(() => {
			const { state, timeline } = window.tdat;
			return state.rows.map((key) => timeline.picture.rows.get(key).cells.length);
		});
		assert.ok(drawn.every((count) => count > 0), String(drawn));
	},

	/** A report begins with the rows of the page, also by its address; one of a span with the tasks that ran there. */
	async reportrows(harness) {
		const report = `${harness.tmp}/rows.html`;
		const size = { viewport: { width: 1440, height: 900 } };
		const open = async (address) => {
			const page = await harness.open(address, size);
			await page.waitForFunction(() => window.tdat.state.roomFull);
			return page;
		};
		for (const name of ['x64-61-syscalls', SCHED]) {
			const file = harness.fixture(name);
			const page = await open((await harness.serve(file)).address);
			const { rows } = await viewOf(page);
			for (const options of [[], ['--view', page.url()]]) {
				harness.lines('view', '-f', '-o', report, ...options, file);
				const still = await open(`file://${report}`);
				assert.deepEqual((await viewOf(still)).rows, rows, `${name} ${options}`);
				await still.context().close();
			}
		}
		const file = harness.fixture(SCHED);
		const events = harness.events(file);
		const [from, to] = [events[9].ts, events[200].ts];
		harness.lines('view', '-f', '-o', report, '--from', `${from}ns`, '--until', `${to}ns`, file);
		const still = await open(`file://${report}`);
		const ran = await still.evaluate(async () => {
			const { tasks } = await window.tdat.source.stats();
			return tasks.filter(({ pid }) => pid !== 0).map(({ rec, pid }) => `task:${rec}:${pid}`);
		});
		const shown = (await viewOf(still)).rows.filter((key) => key.startsWith('task:'));
		assert.ok(shown.length > 0);
		assert.deepEqual(shown, ran.slice(0, shown.length));
		// What needs a server has no key; rows are offered that the report has.
		await still.click('#help-open');
		assert.doesNotMatch(await still.innerText('#help'), /SQL|filter|explain/);
		await still.click('#help-close');
		await still.click('#rows-open');
		await still.waitForSelector('#rows-offered [data-key^="task:"]');
		const offered = await still.$$eval('#rows-offered input', (all) => all.map((one) => one.dataset.key));
		const missing = await still.evaluate((keys) => keys.filter((key) => !window.tdat.source.has(key)), offered);
		assert.deepEqual(missing, []);
		assert.doesNotMatch(await still.innerText('#rows-offered'), /others?: type/);
		await still.click('#rows-busiest');
		await still.waitForFunction(() => /of this window/.test(document.getElementById('said').textContent));
	},
};
