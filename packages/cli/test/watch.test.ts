import { describe, expect, it, vi } from 'vitest';
import { hurriedClock, hurryWaits } from '../../../test/hurry.ts';
import { outputError } from '../src/errors/cli-error.ts';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { fixtureOrder, steady } from './helpers/order.ts';
import { run, start, until } from './helpers/run.ts';
import { closedBaseUrl, ownSandbox, startJsonService, startService } from './helpers/servers.ts';
import { startTwoRoutes } from './helpers/two-routes.ts';

// Orders are asked for every second.
hurryWaits();

const server = ownSandbox();
const { asked, place } = server;

const plain = (text: string): string => steady(text).replaceAll(/"at":"[^"]+"/g, '"at":"<time>"');

describe('orders watch', () => {
  it('prints each state until the order is delivered', async () => {
    const orderId = await place();
    const { written, code } = start(['orders', 'watch', orderId, '--base-url', server.baseUrl]);
    await until(() => written.stdout.includes('UNPAID'));
    await asked('sandbox', 'pay', orderId);
    await until(() => written.stdout.includes('Proses'));
    await asked('sandbox', 'advance', '1m');

    expect(await code).toBe(0);
    expect(plain(written.stdout)).toMatchInlineSnapshot(`
      "<second>  UNPAID / Pending
      <second>  PAID / Proses
      <second>  PAID / Sukses
      "
    `);
    expect(steady(written.stderr)).toContain('\n<order id> is paid and delivered.\n');
  }, 20_000);

  it('prints one line of JSON for each state under --json', async () => {
    const orderId = await place();
    await asked('sandbox', 'pay', orderId);
    await asked('sandbox', 'advance', '1m');

    const { code, stdout, stderr } = await asked('orders', 'watch', orderId, '--json', '--quiet');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(plain(stdout)).toMatchInlineSnapshot(`
      "{"order_id":"<order id>","payment_status":"PAID","buy_status":"Sukses","at":"<time>"}
      "
    `);
  });

  it('ends with the payment under --until paid', async () => {
    const orderId = await place();
    await asked('sandbox', 'pay', orderId);

    const { code, stderr } = await asked('orders', 'watch', orderId, '--until', 'paid');

    expect({ code, last: steady(stderr).split('\n').at(-2) }).toEqual({
      code: 0,
      last: '<order id> is paid.',
    });
  });

  it('exits with 1 and prints the reason for a failed delivery', async () => {
    const orderId = await place('--id', '900000001');
    await asked('sandbox', 'pay', orderId);
    await asked('sandbox', 'advance', '1m');

    const { code, stderr } = await asked('orders', 'watch', orderId);

    expect(code).toBe(1);
    expect(steady(stderr).replaceAll(/\s+/g, ' ')).toContain(
      'Error: <order id> is paid, but its delivery failed: the product is closed, or out of stock at the supplier.',
    );
  });

  it('prints the expiry of an order as the last line under --json', async () => {
    const orderId = await place();
    await asked('sandbox', 'expire', orderId);

    const { code, stdout } = await asked('orders', 'watch', orderId, '--json');
    const [state = '', failure = '', ...rest] = stdout.trimEnd().split('\n');

    expect({ code, rest }).toEqual({ code: 1, rest: [] });
    expect(JSON.parse(state)).toMatchObject({ payment_status: 'EXPIRED', buy_status: 'Batal' });
    expect(JSON.parse(failure)).toMatchObject({ error: { code: 'ORDER_EXPIRED' } });
  });

  it('exits with 8 at the timeout, and explains how to continue', async () => {
    const orderId = await place();

    const { code, stderr } = await asked('orders', 'watch', orderId, '--timeout', '50ms');

    expect(code).toBe(8);
    expect(steady(stderr)).toContain(
      'Error: The order is still pending.\nThe order continues without this command. To watch it again:\n' +
        '  topup orders watch <order id> --base-url <server>/api\n',
    );
  });

  /** Responds this many times with a status, and then disconnects. */
  function startFalling(answers: number) {
    const data = { order_id: 'INV-1', payment_status: 'UNPAID', buy_status: 'Pending', expired_time: 0 };
    let count = 0;
    return startService((request, response) => {
      count += 1;
      if (count > answers) return request.socket.destroy();
      return response
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ success: true, data }));
    });
  }

  it('exits with 8 when a service stops responding, with the reason and the last state', async () => {
    await using service = await startFalling(1);

    const { code, stderr } = await run([
      ...['orders', 'watch', 'INV-1', '--timeout', '300ms', '--base-url', service.baseUrl],
    ]);

    expect(code).toBe(8);
    expect(stderr).toMatch(
      /Error: No response from http:\S+ \(\w+\); last seen UNPAID \/ Pending\.\nThe order continues without this command/,
    );
  });

  it('exits with 5 when a service never responds', async () => {
    const baseUrl = await closedBaseUrl();

    const { code, stderr } = await run([
      'orders',
      'watch',
      'INV-1',
      '--timeout',
      '500ms',
      '--base-url',
      baseUrl,
    ]);

    expect(code).toBe(5);
    expect(stderr).toContain(`Error: No response from ${baseUrl} (ECONNREFUSED).\n`);
  });

  it("shows at a terminal that the service doesn't respond", async () => {
    await using service = await startFalling(1);
    // An outage is reported after three seconds.
    using _hurried = vi.spyOn(Date, 'now').mockImplementation(hurriedClock());
    const stop = new AbortController();
    const { written, code } = start(['orders', 'watch', 'INV-1', '--base-url', service.baseUrl], {
      terminal: fakeTerminal(),
      signal: stop.signal,
    });

    const shown = await until(
      () => /No response from http:\S+ since \d\d:\d\d:\d\d/.exec(written.stderr),
      // By the hurried clock.
      100_000,
    );
    stop.abort('SIGINT');

    expect(shown[0]).toContain(service.baseUrl);
    expect(await code).toBe(130);
  }, 15_000);

  it('ends silently when the reader of the output stops', async () => {
    await using service = await startFalling(9);
    const gone = outputError(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));

    expect(
      await run(['orders', 'watch', 'INV-1', '--quiet', '--base-url', service.baseUrl], {
        onWrite: () => Promise.reject(gone),
      }),
    ).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('handles %s with exit %i, and explains how to continue', async (signal, exitCode) => {
    const stop = new AbortController();
    const orderId = await place();
    const { written, code } = start(['orders', 'watch', orderId, '--base-url', server.baseUrl], {
      signal: stop.signal,
    });
    await until(() => written.stdout.includes('UNPAID'));
    stop.abort(signal);

    expect(await code).toBe(exitCode);
    expect(steady(written.stderr)).toContain(
      'Error: Stopped watching.\nThe order continues without this command. To watch it again:\n  topup orders watch',
    );
  });

  it('exits with 3 for an unknown order', async () => {
    expect(await asked('orders', 'watch', 'INV-20260329093000-ABCDEFGH')).toMatchObject({ code: 3 });
  });

  it('exits with 3 if the service lacks the status route', async () => {
    await using service = await startJsonService(404, { message: 'Not Found' });

    expect(await run(['orders', 'watch', 'INV-1', '--base-url', service.baseUrl])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('has no state of INV-1'),
    });
  });

  it.each(['soon', '0s', '30d'])('exits with 2 for --timeout %s', async (timeout) => {
    expect(await asked('orders', 'watch', 'INV-1', '--timeout', timeout)).toMatchObject({ code: 2 });
  });
});

describe('orders create --watch', () => {
  it('prints states until the order is final, as one stream under --json', async () => {
    const { written, code } = start([...fixtureOrder, '--watch', '--json', '--base-url', server.baseUrl]);
    const orderId = await until(() => /INV-\d+-[A-Z]{8}/.exec(written.stdout)?.[0]);
    await asked('sandbox', 'expire', orderId);

    expect(await code).toBe(1);
    const lines = written.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ success: true, orderId });
    expect(lines.at(-2)).toMatchObject({ order_id: orderId, payment_status: 'EXPIRED' });
    expect(lines.at(-1)).toMatchObject({ error: { code: 'ORDER_EXPIRED' } });
  });

  it('prints the states below the order after an empty line', async () => {
    const terminal = fakeTerminal();
    const onWrite = (text: string): void => void terminal.output.write(text);
    const stop = new AbortController();
    const { code } = start([...fixtureOrder, '--watch', '--base-url', server.baseUrl], {
      ...{ terminal, onWrite, signal: stop.signal },
    });
    await until(() => terminal.shown().includes('UNPAID / Pending'));
    stop.abort('SIGINT');
    await code;

    expect(terminal.shown()).toMatch(/ {2}Before .*\n\n\d.* UNPAID \/ Pending\n/);
  });

  it('reports a missing field path once, instead of with each state', async () => {
    const args = [...fixtureOrder, '--watch', '--fields', 'orderId,order_id', '--base-url', server.baseUrl];
    const { written, code } = start(args);
    const orderId = await until(() => /INV-\d+-[A-Z]{8}/.exec(written.stdout)?.[0]);
    await asked('sandbox', 'pay', orderId);
    await until(() => written.stdout.split('\n').length > 2);
    await asked('sandbox', 'advance', '1m');
    await code;

    expect(written.stdout.trimEnd().split('\n').length).toBeGreaterThan(2);
    expect(written.stderr).toBe('No such field: order_id.\nNo such field: orderId.\n');
  });

  it('prints the order and its page for a service without the status route, and exits with 8', async () => {
    await using service = await startTwoRoutes();

    const { code, stderr } = await run([...fixtureOrder, '--watch', '--base-url', service.baseUrl]);

    expect(code).toBe(8);
    expect(stderr).toContain(
      'Error: INV-1 was placed, but this service has no route that shows its state.\n' +
        'Its payment page shows its state:\n  https://shop.example/pay/1\n',
    );
  });
});
