import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { providers } from '@topup-kit/providers/registry';
import { expect, onTestFinished } from 'vitest';
import { keepCompiled } from '../../../../test/compiled.ts';
import { blocksOf } from '../../../../test/docs/blocks.ts';
import { freePort } from '../../../../test/free-port.ts';
import { bundled } from '../../../../test/shared.ts';

/** The text of docs/going-live.md. */
export const page = readFileSync(new URL('../../../../docs/going-live.md', import.meta.url), 'utf8');

const blocks = blocksOf('docs/going-live.md', 'sh');

/** What runs in a terminal of its own until it is stopped. */
const serves = /^topup (simulate|serve)\b/m;

const titles = providers.map(({ title }) => title);

/** The provider that a block is for; undefined where it is for all shops. */
const providerOf = (block: string) => titles.find((title) => block.startsWith(`# ${title}\n`));

/** Simulated suppliers take seconds to deliver, and the rehearsal is about what comes then. */
const hurry = new URL('../../../../test/hurry-process.ts', import.meta.url).href;

/** The blocks for a pair of providers as one script; the servers run in the background until it ends. */
async function script(pair: readonly string[]): Promise<string> {
  const [simulators, server] = [await freePort(), await freePort()];
  const chosen = blocks.filter((block) => {
    const provider = providerOf(block);
    return provider === undefined || pair.includes(provider);
  });
  const steps = chosen.map((block) => {
    if (!serves.test(block)) return block;
    const command = block.trimEnd().replace(/^topup simulate/m, `topup simulate --port ${simulators}`);
    const url = block.includes('simulate') ? `:${simulators}/control/books` : `:${server}/health`;
    const program = block.includes('simulate')
      ? `exec env NODE_OPTIONS='--import=${hurry}' topup`
      : 'exec topup';
    return `(\n${command.replace(/^topup/m, program)}\n) &\nuntil curl -sf http://127.0.0.1${url} > /dev/null; do sleep 0.1; done\n`;
  });
  return [`trap 'kill $(jobs -p)' EXIT`, ...steps]
    .join('\n')
    .replaceAll('curl -s ', 'curl -s --fail-with-body ')
    .replaceAll('127.0.0.1:4300', `127.0.0.1:${simulators}`)
    .replaceAll('127.0.0.1:4000', `127.0.0.1:${server}`)
    .replaceAll('PORT=4000', `PORT=${server}`);
}

/** A folder with a `topup` command in it. */
async function createFolder(): Promise<{ folder: string; program: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'topup-going-live-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = await bundled(new URL('../../src/bin.ts', import.meta.url));
  writeFileSync(join(folder, 'topup'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(folder, 'topup'), 0o755);
  return { folder, program };
}

/** Pairs of providers, and a purchase in the simulators' books, to the account as the supplier takes it. */
export const tripayAndDigiflazz = {
  gateway: 'Tripay',
  supplier: 'Digiflazz',
  purchase: /"purchases":\[\{[^}]*"customer_no":"123456782012"[^}]*"status":"Sukses"[^}]*\}\]/,
} as const;
export const midtransAndVipReseller = {
  gateway: 'Midtrans',
  supplier: 'VIP Reseller',
  purchase: /"orders":\[\{[^}]*"data":"12345678","zone":"2012","service":"ML86","status":"success"[^}]*\}\]/,
} as const;

export const duitkuAndTokovoucher = {
  gateway: 'Duitku',
  supplier: 'Tokovoucher',
  purchase:
    /"purchases":\[\{"status":"sukses"[^}]*"produk":"ML86"[^}]*"tujuan":"12345678","server_id":"2012"[^}]*\}\]/,
} as const;

/** Runs the commands of the page for a pair of providers, as they stand there. */
export async function rehearse({
  gateway,
  supplier,
  purchase,
}: typeof tripayAndDigiflazz | typeof midtransAndVipReseller | typeof duitkuAndTokovoucher): Promise<void> {
  const { folder, program } = await createFolder();
  const bash = spawn('bash', ['--norc', '-euc', `set -o pipefail\n${await script([gateway, supplier])}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
    env: {
      ...{ PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder, NO_COLOR: '1' },
      ...keepCompiled(program),
    },
  });
  let printed = '';
  for (const stream of [bash.stdout, bash.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const [code] = await once(bash, 'close');
  expect({ code, printed: code === 0 ? '' : printed }).toEqual({ code: 0, printed: '' });

  expect(printed).toMatch(purchase);
  expect(printed).toMatch(/PAID \/ Proses → PAID \/ Sukses/);
  // The rupiah that is missing.
  expect(printed).toContain('The doctor found the payment to reconcile.');
  expect(printed).toMatch(/topup payments list/);
}
