import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { operations } from '@topup-kit/core/contract';
import { expect, it } from 'vitest';
import { readCurl } from '../../../test/read-curl.ts';
import { useBrowser } from './helpers/browser.ts';
import { placeOrder } from './helpers/orders.ts';

const { open, startSandbox } = useBrowser();
const exampleOrderId = 'INV-20260328100000-DVHHEMKC';
const timeout = 20_000;

const sendCurl = async (command: string): Promise<unknown> => (await fetch(await readCurl(command))).json();

it('shows each operation as a working curl command and SDK call', async () => {
  await using server = await startSandbox();
  const { order_id } = await placeOrder(server);
  const { page } = await open(`${server.publicUrl}/docs`);
  const codeOf = async (id: string): Promise<string> =>
    ((await page.locator(`#${id}`).textContent()) ?? '').replaceAll(exampleOrderId, order_id);

  for (const operation of operations) {
    const command = await codeOf(`${operation}-curl`);
    expect(await sendCurl(command), command).toMatchObject({ success: true });
  }

  // Each call in a block of its own, because their results have the same names.
  const calls = await Promise.all(operations.map((operation) => codeOf(`${operation}-sdk`)));
  const blocks = calls.map((call) => {
    const [, names = ''] = /^const \{ (.*?) \} =/.exec(call) ?? [];
    return `{ ${call}\nfor (const value of [${names}]) if (value === undefined) throw new Error(${JSON.stringify(call)}); }`;
  });
  const program = [await codeOf('client'), ...blocks, "console.log('all done');"].join('\n');
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, NODE_OPTIONS: '--conditions=@topup-kit/source' },
    timeout,
  });
  expect(stdout).toBe('all done\n');
});

it('shows each control route of the sandbox as a working curl command', async () => {
  await using server = await startSandbox();
  const { order_id } = await placeOrder(server);
  const { page } = await open(`${server.publicUrl}/docs`);
  const ids = await page.locator('.card[id^=sandbox-]').evaluateAll((cards) => cards.map(({ id }) => id));
  expect(ids.length).toBe(8);
  for (const id of ids) {
    const command = ((await page.locator(`#${id}-curl`).textContent()) ?? '').replace(
      exampleOrderId,
      order_id,
    );
    expect(await sendCurl(command), command).toMatchObject({ success: true });
  }
});
