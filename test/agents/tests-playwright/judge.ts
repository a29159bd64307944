import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import packagedChromium from '@sparticuz/chromium';
import { run } from '../helpers.ts';

/** Changes that break what the tests prove; each is one that a test must notice. */
const breakages: readonly (readonly [what: string, from: string, to: string])[] = [
  ['no polling', 'setTimeout(watch, 200, orderId);', ''],
  ['no QR code', "document.querySelector('img').src = data.qr_url;", ''],
  ['another status', 'data.payment_status', "'UNPAID'"],
  ['no message', 'if (!response.ok) return show(message);', "if (!response.ok) return show('');"],
  ['no word about the connection', "show('No connection')", "show('')"],
];

/** The configuration of the solution, with the browser of these tests. */
async function config(folder: string): Promise<string> {
  const names = ['js', 'mjs', 'ts', 'mts'].map((ending) => `playwright.config.${ending}`);
  const name = names.find((file) => existsSync(join(folder, file)));
  assert.ok(name, 'there is no playwright.config.js');
  const launchOptions = {
    executablePath: process.env.TOPUP_TEST_CHROMIUM ?? (await packagedChromium.executablePath()),
    chromiumSandbox: false,
    args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  };
  return `import config from './${name}';
export default { ...config, retries: 0, use: { ...config.use, launchOptions: ${JSON.stringify(launchOptions)} } };`;
}

export async function judge(folder: string): Promise<void> {
  const file = join(folder, 'shop.js');
  const original = await readFile(new URL('start/shop.js', import.meta.url), 'utf8');
  const judged = join(folder, 'judge.config.mjs');
  await writeFile(judged, await config(folder));
  const test = () =>
    run(
      folder,
      ['npx', 'playwright', 'test', '--config', 'judge.config.mjs', '--reporter=line', '--max-failures=1'],
      {},
    );
  await writeFile(file, original);
  try {
    const whole = await test();
    assert.equal(whole.code, 0, `the tests fail: ${whole.stdout.slice(-2_000)}${whole.stderr.slice(-2_000)}`);
    for (const [what, from, to] of breakages) {
      assert.ok(original.includes(from), what);
      await writeFile(
        file,
        original.replace(from, () => to),
      );
      assert.notEqual((await test()).code, 0, `no test notices: ${what}`);
    }
  } finally {
    await writeFile(file, original);
    await rm(judged);
  }
}
