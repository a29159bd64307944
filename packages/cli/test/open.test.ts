import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from '@topup-kit/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder } from './helpers/order.ts';
import { run, until } from './helpers/run.ts';
import { failureOf } from './helpers/screens.ts';
import { closedBaseUrl, startJsonService, startSandbox } from './helpers/servers.ts';

let server: RunningServer;
let folder: ReturnType<typeof temporaryFolder>;
/** A browser of each test, which writes down its arguments. */
let browser: string;
let opened: () => string;
beforeAll(async () => {
  server = await startSandbox();
});
afterAll(() => server.close());
beforeEach(() => {
  folder = temporaryFolder();
  const file = join(folder.path, 'opened');
  browser = join(folder.path, 'browser');
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$@" > '${file}.new'; mv '${file}.new' '${file}'\n`);
  chmodSync(browser, 0o755);
  opened = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
});
afterEach(() => folder[Symbol.dispose]());

const open = (args: string[], BROWSER = browser, baseUrl = server.baseUrl) =>
  run(['open', ...args, '--base-url', baseUrl], { environment: { BROWSER } });

describe('open docs', () => {
  it("prints the documentation's address, and opens it in the browser that BROWSER names", async () => {
    const docs = `${new URL(server.baseUrl).origin}/docs`;

    expect(await open(['docs'])).toEqual({ code: 0, stdout: `${docs}\n`, stderr: '' });
    expect(await until(opened)).toBe(`${docs}\n`);
    const response = await fetch(docs);
    expect(response.headers.get('Content-Type')).toContain('text/html');
    // Else the server, when it stops, waits for its reader.
    await response.body?.cancel();
  });

  it('passes the address to BROWSER without a shell', async () => {
    const docs = `${new URL(server.baseUrl).origin}/docs`;

    await open(['docs'], `${browser} --new-tab %s $HOME;date`);

    expect(await until(opened)).toBe(`--new-tab\n${docs}\n$HOME;date\n`);
  });

  it("ignores spaces around the browser's name in BROWSER", async () => {
    expect(await open(['docs'], ` ${browser} `)).toMatchObject({ code: 0, stderr: '' });
    await until(opened);
  });

  it('opens a browser that stays open after the command ends', async () => {
    // It runs until its folder is deleted.
    writeFileSync(browser, '#!/bin/sh\nwhile [ -e "$0" ]; do sleep 0.1; done\n');
    expect(await open(['docs'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('prints the address in colour, and reports under --json whether it was opened', async () => {
    const args = ['open', 'docs', '--base-url', server.baseUrl];
    const coloured = await run([...args, '--print'], { environment: { FORCE_COLOR: '1' } });
    const docs = `${new URL(server.baseUrl).origin}/docs`;
    expect(coloured.stdout).toBe(`\u001b[36m${docs}\u001b[39m\n`);
    expect(JSON.parse((await open(['docs', '--json'])).stdout)).toMatchObject({ opened: true });
    const none = join(folder.path, 'none');
    expect(JSON.parse((await open(['docs', '--json'], none)).stdout)).toMatchObject({ opened: false });
    expect((await open(['docs', '--print'])).stderr).toBe('');
    expect((await open(['docs', '--quiet', '--print'])).stdout).toMatch(/^http:\S+\/docs\n$/);
  });

  it('fails with an error code for programs', async () => {
    const at = (baseUrl: string) => failureOf(['open', 'docs', '--print', '--base-url', baseUrl]);
    await using service = await startJsonService(404, {});
    expect(await at(service.baseUrl)).toMatch(
      /\(status 404\)\.\nOnly Topup Kit servers have documentation there\. For another service, ask its operator\.\nexit 3, NO_DOCS$/,
    );
    expect(await at(await closedBaseUrl())).toMatch(/exit 5, NETWORK_ERROR$/);
    expect(await at('ftp://x.test')).toMatch(/--base-url[\s\S]*exit 2, /);
  });

  it('prints the address if no browser can be started', async () => {
    const { code, stdout, stderr } = await open(['docs'], join(folder.path, 'none'));

    expect(code).toBe(0);
    expect(stdout).toMatch(/\/docs\n$/);
    expect(stderr).toContain('No browser could be started');
  });

  it('exits with 3 for a service without documentation', async () => {
    await using service = await startJsonService(404, {});

    expect(await open(['docs', '--print'], browser, service.baseUrl)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('There is no documentation at'),
    });
    expect(service.asked).toEqual(['GET /docs']);
  });

  it("explains that the service doesn't respond, and exits with 5", async () => {
    expect(await open(['docs'], browser, await closedBaseUrl())).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Start the service, or check the host and port of the base URL.'),
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

  it.each(['file:///etc/passwd', 'xhttp://shop.example/pay', 'httpsx://shop.example', 'no address'])(
    'opens only web addresses, and not %s',
    async (address) => {
      const at = ['--base-url', server.baseUrl, '--json'];
      const { orderId } = JSON.parse((await run([...fixtureOrder, ...at])).stdout);
      const invoice = JSON.parse((await run(['orders', 'show', orderId, ...at])).stdout);
      invoice.order.payment_url = address;
      await using service = await startJsonService(200, invoice);

      expect(await failureOf(['open', 'page', orderId, '--base-url', service.baseUrl])).toMatch(
        `Error: ${address} is not a web address, so it was not opened.\nexit 1, NO_WEB_ADDRESS`,
      );
    },
  );

  it('exits with 3 for the page of an unknown order', async () => {
    expect(await open(['page', 'INV-1'])).toMatchObject({ code: 3, stdout: '' });
  });
});
