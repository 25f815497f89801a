// SPDX-License-Identifier: GPL-2.0-or-later
// What axe-core finds in the page: in each theme, with each panel and dialog, and in a report.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SCHED = 's390x-61-v6-sched';

/** Fails unless axe-core finds nothing in the page as it is. */
async function clean(page, source, where) {
	if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(source);
	const found = await page.evaluate(async () => {
		const { violations, passes } = await window.axe.run(document);
		return {
			passed: passes.length,
			problems: violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`)),
		};
	});
	assert.ok(found.passed > 10, `${where}: ${found.passed} rules passed`);
	assert.deepEqual(found.problems, [], where);
}

export const axeCases = {
	async axe(harness) {
		const source = readFileSync(`${harness.modules}/node_modules/axe-core/axe.min.js`, 'utf8');
		const file = harness.fixture(SCHED);
		const report = `${harness.tmp}/axe.html`;
		execFileSync(harness.tdat, ['view', '-f', '-o', report, file]);
		const { address } = await harness.serve(file);
		for (const [where, from, options] of [
			['light', address, { colorScheme: 'light' }],
			['dark', address, { colorScheme: 'dark' }],
			['narrow', address, { viewport: { width: 800, height: 900 } }],
			['report', `file://${report}`, {}],
			['dark report', `file://${report}`, { colorScheme: 'dark' }],
		]) {
			const page = await harness.open(from, options);
			await clean(page, source, where);
			await page.evaluate(() => window.tdat.list.select(5, true));
			if (from === address) await page.waitForSelector('#event-fields');
			await page.evaluate(() => {
				const { state } = window.tdat;
				const { from, to } = state.trace;
				state.set({ markA: from, markB: to, notes: [{ ts: from, text: 'a note' }] });
			});
			for (const pane of ['event', 'span', 'marks', 'text', 'trace', 'why']) {
				await page.click(`#tab-${pane}`);
				if (pane === 'span') await page.waitForSelector('#stats-types');
				await clean(page, source, `${where}, ${pane}`);
			}
			for (const [open, dialog] of [
				['help-open', 'help'],
				['rows-open', 'rows-dialog'],
				...(from === address ? [['sql-open', 'sql-dialog']] : []),
			]) {
				await page.click(`#${open}`);
				if (dialog === 'sql-dialog') {
					await page.click('#sql-run');
					await page.waitForSelector('#sql-answer table');
					page.expected = /40[0-9]|500/;
					await page.fill('#sql', 'SELEC 1');
					await page.click('#sql-run');
					await page.waitForSelector('#sql-error:not([hidden])');
				}
				await clean(page, source, `${where}, ${dialog}`);
				await page.keyboard.press('Escape');
			}
			if (from !== address) continue;
			await page.fill('#filter', 'sched_swi');
			await page.focus('#filter');
			await page.keyboard.press('ArrowDown');
			await page.waitForSelector('#filter-offers li');
			await clean(page, source, `${where}, completions`);
			await page.keyboard.press('Escape');
			page.expected = /status of 400/;
			await page.fill('#filter', 'nonsense: 1');
			await page.keyboard.press('Enter');
			await page.waitForSelector('#filter-error:not([hidden])');
			await clean(page, source, `${where}, an error`);
		}
	},
};
