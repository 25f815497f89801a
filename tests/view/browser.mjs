// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the cases, one after the other.
// usage: browser.mjs TDAT SOURCE_DIR NODE_MODULES CHROMIUM TMP [CASE...]

import { Harness } from './harness.mjs';
import { pictureCases } from './picture.mjs';
import { askedCases } from './asked.mjs';
import { rowCases } from './rows.mjs';
import { screenshotCases } from './screenshots.mjs';
import { sharesCases } from './shares.mjs';
import { listCases } from './events.mjs';
import { pageCases } from './page.mjs';
import { axeCases } from './axe.mjs';
import { lookCases } from './looks.mjs';
import { sessionCases } from './sessions.mjs';
import { hostileCases } from './hostile.mjs';

const [tdat, source, modules, chromium, tmp, ...wanted] = process.argv.slice(2);
const harness = new Harness(tdat, source, modules, chromium, tmp);
const cases = { ...pictureCases, ...rowCases, ...sharesCases, ...listCases, ...askedCases, ...pageCases, ...lookCases, ...axeCases, ...screenshotCases, ...sessionCases, ...hostileCases };
const unknown = wanted.filter((name) => !(name in cases));
if (unknown.length > 0) throw new Error(`no such case: ${unknown.join(', ')}`);
let failed = 0;

await harness.start();
for (const [name, run] of Object.entries(cases)) {
	if (wanted.length > 0 && !wanted.includes(name)) continue;
	const start = Date.now();
	try {
		await run(harness);
		harness.noComplaints();
		console.log(`ok ${name} (${Date.now() - start} ms)`);
	} catch (error) {
		failed++;
		harness.complaints.length = 0;
		console.log(`FAILED ${name}: ${error.stack}`);
	}
	for (const context of harness.browser.contexts()) await context.close();
}
await harness.close();
process.exit(failed > 0 ? 1 : 0);
