import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder } from './helpers/order.ts';
import { run, until } from './helpers/run.ts';
import { closedBaseUrl, startJsonService, startSandbox } from './helpers/servers.ts';

const folder = temporaryFolder();
const opened = join(folder.path, 'opened');
/** A browser that writes down its arguments. */
const browser = join(folder.path, 'browser');
let server: RunningServer;
beforeAll(async () => {
  writeFileSync(
    browser,
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${opened}.new'; mv '${opened}.new' '${opened}'\n`,
  );
  chmodSync(browser, 0o755);
  server = await startSandbox();
});
afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

const open = (args: string[], BROWSER = browser, baseUrl = server.baseUrl) =>
  run(['open', ...args, '--base-url', baseUrl], { environment: { BROWSER } });

const tryRead = (): string => {
  try {
    return readFileSync(opened, 'utf8');
  } catch {
    return '';
  }
};

describe('open docs', () => {
  it('prints the address beside the interface, and opens it in the browser that BROWSER names', async () => {
    const docs = `${new URL(server.baseUrl).origin}/docs`;

    expect(await open(['docs'])).toEqual({ code: 0, stdout: `${docs}\n`, stderr: '' });
    expect(await until(tryRead)).toBe(`${docs}\n`);
    const response = await fetch(docs);
    expect(response.headers.get('Content-Type')).toContain('text/html');
    // Else the server, when it stops, waits for its reader.
    await response.body?.cancel();
  });

  it('puts the address where BROWSER says, without a shell', async () => {
    const docs = `${new URL(server.baseUrl).origin}/docs`;

    await open(['docs'], `${browser} --new-tab %s $HOME;date`);

    await until(() => tryRead().startsWith('--new-tab'));
    expect(tryRead()).toBe(`--new-tab\n${docs}\n$HOME;date\n`);
  });

  it('says so when no browser can be started: the address is the result', async () => {
    const { code, stdout, stderr } = await open(['docs'], join(folder.path, 'none'));

    expect(code).toBe(0);
    expect(stdout).toMatch(/\/docs\n$/);
    expect(stderr).toContain('No browser could be started');
  });

  it('of a service that has none: exit 3', async () => {
    await using service = await startJsonService(404, {});

    expect(await open(['docs', '--print'], browser, service.baseUrl)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('There is no documentation at'),
    });
    expect(service.asked).toEqual(['GET /docs']);
  });

  it('without a response: exit 5, with what to do', async () => {
    expect(await open(['docs'], browser, await closedBaseUrl())).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Start the service, or check host and port of the base URL.'),
    });
  });
});

describe('open page', () => {
  it("prints an order's payment page for programs, and opens nothing with --print", async () => {
    const { orderId, data } = JSON.parse(
      (await run([...fixtureOrder, '--base-url', server.baseUrl, '--json'])).stdout,
    );

    const { stdout } = await open(['page', orderId, '--print', '--json']);

    expect(JSON.parse(stdout)).toEqual({ url: data.payment_url, opened: false });
  });

  it('opens nothing but addresses of the Web', async () => {
    const { orderId } = JSON.parse(
      (await run([...fixtureOrder, '--base-url', server.baseUrl, '--json'])).stdout,
    );
    const invoice = JSON.parse(
      (await run(['orders', 'show', orderId, '--base-url', server.baseUrl, '--json'])).stdout,
    );
    invoice.order.payment_url = 'file:///etc/passwd';
    await using service = await startJsonService(200, invoice);

    expect(await open(['page', orderId], browser, service.baseUrl)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('file:///etc/passwd is not a web address, so it was not opened.'),
    });
  });

  it('of an order that is not there: exit 3', async () => {
    expect(await open(['page', 'INV-1'])).toMatchObject({ code: 3, stdout: '' });
  });
});
