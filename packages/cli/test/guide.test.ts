import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerOrder } from './helpers/answer-order.ts';
import { baseUrlIn, orderIdIn } from './helpers/order.ts';
import { openTerminal, type PseudoTerminal } from './helpers/pseudo-terminal.ts';
import { run } from './helpers/run.ts';
import { scanScreen } from './helpers/scan-qr.ts';
import { startKeyTeller, startSandbox } from './helpers/servers.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'topup-cli-newcomer-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

// Long tests, in which each step has its own time limit.
vi.setConfig({ testTimeout: 60_000 });

// The sandbox of the guide takes two seconds to deliver.
const hurried = { NODE_OPTIONS: `--import=${new URL('../../../test/hurry-process.ts', import.meta.url)}` };

/** Runs `topup` alone, as a user without configuration. */
const openTopup = (port = '0', args: string[] = [], environment = {}): PseudoTerminal =>
  openTerminal(args, {
    columns: 80,
    rows: 120,
    environment: { HOME: home, PORT: port, ...hurried, ...environment },
    folder: home,
  });

/** Places the order, up to the prompt that follows it. */
async function placeOrder(terminal: PseudoTerminal): Promise<string> {
  await answerOrder(terminal);
  terminal.press('enter');
  return terminal.until('What next?');
}

describe('topup alone, at a terminal where nothing is configured', () => {
  it('guides a new user through a sandbox, an order with a scannable QR code, and its delivery', async () => {
    await using terminal = openTopup();
    await terminal.until('What would you like?');
    terminal.press('enter');
    const screen = await placeOrder(terminal);
    const asked = [orderIdIn(screen), '--json', '--base-url', baseUrlIn(screen)];
    const { stdout } = await run(['invoices', 'show', ...asked]);

    expect(scanScreen(terminal.cells())).toBe(JSON.parse(stdout).order.qr_string);

    terminal.press('enter');
    await terminal.until('PAID / Sukses');
    const end = await terminal.until('Ctrl+C');
    expect(end).toContain(`${orderIdIn(screen)} is paid and delivered.`);
    expect(end).toContain(`topup games list --base-url ${baseUrlIn(screen)}`);
    terminal.press('ctrl+c');
    expect(await terminal.ended).toBe(0);
  });

  it('uses a running sandbox, leaves it running, and waits for a payment on its page', async () => {
    await using server = await startSandbox();
    await using terminal = openTopup(new URL(server.baseUrl).port);
    await terminal.until('What would you like?');
    terminal.press('enter');
    await terminal.until(`A sandbox runs at ${server.baseUrl} already.`);
    const orderId = orderIdIn(await placeOrder(terminal));
    terminal.press('down', 'enter');
    await terminal.until('UNPAID / Pending');
    await run(['sandbox', 'pay', orderId, '--base-url', server.baseUrl]);
    await run(['sandbox', 'deliver', orderId, '--base-url', server.baseUrl]);
    await terminal.until('PAID / Sukses');

    expect(await terminal.ended).toBe(0);
    expect(await run(['orders', 'show', orderId, '--quiet', '--base-url', server.baseUrl])).toMatchObject({
      code: 0,
      stdout: `${orderId}\n`,
    });
  });
});

describe('topup guide, where a service is configured', () => {
  it('places an order at a sandbox on this machine if a live service is configured, and says so', async () => {
    const keys: unknown[] = [];
    await using service = await startKeyTeller(keys);
    const environment = { TOPUP_BASE_URL: service.baseUrl, TOPUP_API_KEY: 'tk_live_mine' };
    await using terminal = openTopup('0', ['guide'], environment);
    await terminal.until('What would you like?');
    terminal.press('enter');
    await placeOrder(terminal);
    terminal.press('enter');
    await terminal.until('PAID / Sukses');

    expect(terminal.screen()).toContain(`TOPUP_BASE_URL is ${service.baseUrl}, where no sandbox responds`);
    expect(service.asked).toEqual(['GET /sandbox']);
    expect(keys).toEqual(['tk_live_mine']);
  });
});

describe('a user who interrupts', () => {
  it('reports the placed order and the stopped sandbox after an interruption', async () => {
    await using terminal = openTopup();
    await terminal.until('What would you like?');
    terminal.press('enter');
    const orderId = orderIdIn(await placeOrder(terminal));
    terminal.press('ctrl+c');

    expect(await terminal.ended).toBe(130);
    expect(terminal.screen()).toContain(
      `Error: Stopped; ${orderId} was placed.\nThe sandbox has ended too, so the order is gone.`,
    );
  });

  it.each([
    ['a choice', []],
    ['a text', ['down', 'enter'] as const],
  ])('stops %s even at the end of input', async (_question, presses) => {
    await using terminal = openTopup();
    await terminal.until('What would you like?');
    terminal.press(...presses);
    if (presses.length > 0) await terminal.until('Base URL of the service');
    terminal.press('ctrl+d');

    expect(await terminal.ended).toBe(130);
    expect(terminal.screen()).toContain('Cancelled. Nothing was done.');
    expect(terminal.screen()).not.toContain('Warning');
  });
});

it('prints help without a terminal', async () => {
  expect(await run([])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: topup') });
});

it('explains that the guide needs a terminal', async () => {
  const { code, stderr } = await run(['guide']);

  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'Error: guide asks questions, so it needs a terminal.\n' +
      '`topup serve --sandbox` starts a sandbox, `topup orders create --help` shows what an order needs.\n',
  });
});
