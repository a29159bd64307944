import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { providers } from '@topup-kit/providers/registry';
import { expect, it } from 'vitest';
import { blocksOf } from '../../../test/docs/blocks.ts';
import { faults, startSimulators } from '../src/index.ts';

const page = await readFile(new URL('../../../docs/simulators.md', import.meta.url), 'utf8');

const examples = blocksOf('docs/simulators.md', 'sh');

it('runs the curl examples of docs/simulators.md in sequence', async () => {
  await using simulators = await startSimulators({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'topup-simulators-'));
  // An error is a response too, which curl shows only with --fail.
  const script = examples
    .join('\n')
    .replaceAll('curl -s ', 'curl -s --fail-with-body ')
    .replaceAll('http://127.0.0.1:4300', simulators.url);
  try {
    await promisify(execFile)('bash', ['-euc', `set -o pipefail\n${script}`], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }

  const calls = JSON.parse(await (await fetch(`${simulators.url}/control/calls`)).text()).calls;
  expect(calls.length).toBeGreaterThan(0);
  // Nobody receives the callbacks.
  const received = calls.filter(({ direction }: { direction: string }) => direction === 'in');
  expect(received.filter(({ status }: { status: number }) => status !== 200)).toEqual([]);
  const tripay = JSON.parse(await (await fetch(`${simulators.url}/control/books/tripay`)).text());
  const digiflazz = JSON.parse(await (await fetch(`${simulators.url}/control/books/digiflazz`)).text());
  const midtrans = JSON.parse(await (await fetch(`${simulators.url}/control/books/midtrans`)).text());
  expect(midtrans).toMatchObject({
    charged: 40_000,
    payments: [{ order_id: 'INV-2', status: 'settlement' }],
  });
  const duitku = JSON.parse(await (await fetch(`${simulators.url}/control/books/duitku`)).text());
  expect(duitku).toMatchObject({ charged: 40_000, payments: [{ order_id: 'INV-3', status: '00' }] });
  const toko = JSON.parse(await (await fetch(`${simulators.url}/control/books/tokovoucher`)).text());
  expect(toko).toMatchObject({ purchases: [{ ref_id: 'INV-4-1', status: 'gagal' }], balance: 0, spent: 0 });
  const vip = JSON.parse(await (await fetch(`${simulators.url}/control/books/vip-reseller`)).text());
  expect(vip).toMatchObject({ orders: [{ service: 'ML86', zone: '2012', status: 'error' }], balance: 0 });
  expect(digiflazz).toMatchObject({ purchases: [{ ref_id: 'INV-1-1', rc: '74' }], balance: 0, spent: 0 });
  expect(tripay).toMatchObject({ charged: 40_000, payments: [{ merchant_ref: 'INV-1', status: 'PAID' }] });
});

it('documents all faults in docs/simulators.md', () => {
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| (.*) \|$/gm)].map(([, name, text]) => [name, text]);
  expect(Object.fromEntries(rows)).toEqual(faults);
});

/** The title of a provider in texts begins as its name does. */
const titled = (text: string, name: string): boolean => text.toLowerCase().startsWith(name.replace('-', ' '));

it('documents each provider in docs/simulators.md', () => {
  const titles = [...page.matchAll(/^## (?:Pay a payment with|Buy from) (.+)$/gm)].map(
    ([, title = '']) => title,
  );
  const missing = providers.filter(({ name }) => !titles.some((title) => titled(title, name)));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
