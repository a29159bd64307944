import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { operations } from '@topup-kit/core/contract';
import { expect, it } from 'vitest';
import { placeOrder, useBrowser } from './helpers/browser.ts';

const { open, startSandbox } = useBrowser();
const exampleOrderId = 'INV-20260328100000-DVHHEMKC';
const timeout = 20_000;

/** Sends what a curl command says. A shell reads the command; curl itself need not be there. */
async function runCurl(command: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    timeout,
  });
  const { values, positionals } = parseArgs({
    args: stdout.split('\0').slice(0, -1),
    options: {
      method: { type: 'string', short: 'X' },
      header: { type: 'string', short: 'H', multiple: true },
      data: { type: 'string', short: 'd' },
    },
    allowPositionals: true,
  });
  const { header = [], data, method = data === undefined ? 'GET' : 'POST' } = values;
  const headers = new Headers(header.map((line) => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']));
  const [url = '', ...others] = positionals;
  expect(others).toEqual([]);
  return (await fetch(url, { method, headers, ...(data !== undefined && { body: data }) })).json();
}

it('each operation has a curl command and a call of the SDK, which work as they are', async () => {
  await using server = await startSandbox();
  const { order_id } = await placeOrder(server);
  const { page } = await open(`${server.publicUrl}/docs`);
  const codeOf = async (id: string): Promise<string> =>
    ((await page.locator(`#${id}`).textContent()) ?? '').replaceAll(exampleOrderId, order_id);

  for (const operation of operations) {
    const command = await codeOf(`${operation}-curl`);
    expect(await runCurl(command), command).toMatchObject({ success: true });
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

it('each control route of the sandbox has a curl command that works as it is', async () => {
  await using server = await startSandbox();
  const { order_id } = await placeOrder(server);
  const { page } = await open(`${server.publicUrl}/docs`);
  const ids = await page.locator('#group-sandbox .card').evaluateAll((cards) => cards.map(({ id }) => id));
  expect(ids.length).toBe(6);
  for (const id of ids) {
    const command = ((await page.locator(`#${id}-curl`).textContent()) ?? '').replace(
      exampleOrderId,
      order_id,
    );
    expect(await runCurl(command), command).toMatchObject({ success: true });
  }
});
