import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTerminal, type PseudoTerminal } from './helpers/pseudo-terminal.ts';
import { run } from './helpers/run.ts';
import { scanScreen } from './helpers/scan-qr.ts';
import { startSandbox } from './helpers/servers.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'topup-cli-newcomer-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** `topup` and nothing else, by somebody who has configured nothing. */
const openTopup = (port = '0', args: string[] = []): PseudoTerminal =>
  openTerminal(args, { columns: 80, rows: 120, environment: { HOME: home, PORT: port }, folder: home });

const orderIdIn = (text: string): string => /INV-\d+-[A-Z]{8}/.exec(text)?.[0] ?? 'none';
const baseUrlIn = (text: string): string => /http:\/\/127\.0\.0\.1:\d+\/api/.exec(text)?.[0] ?? 'none';

/** Answers what an order takes, up to the question that follows the order. */
async function placeOrder(terminal: PseudoTerminal): Promise<string> {
  await terminal.until('Which game?');
  terminal.type('mobile legends');
  await terminal.until('(1 match)');
  terminal.press('enter');
  await terminal.until('Which product?');
  terminal.press('enter');
  await terminal.until('User ID?');
  terminal.type('12345678');
  terminal.press('enter');
  await terminal.until('Zone ID?');
  terminal.type('2012');
  terminal.press('enter');
  await terminal.until('How will it be paid?');
  terminal.press('enter');
  await terminal.until('Phone number?');
  terminal.type('081234567890');
  terminal.press('enter');
  await terminal.until('Place this order?');
  terminal.press('enter');
  return terminal.until('And now?');
}

describe('topup alone, at a terminal where nothing is configured', () => {
  it('leads to a sandbox and a first order, whose QR code can be scanned, and on to its delivery', async () => {
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

  it('uses a sandbox that runs already, leaves it running, and waits for a payment on its page', async () => {
    await using server = await startSandbox();
    await using terminal = openTopup(new URL(server.baseUrl).port);
    await terminal.until('What would you like?');
    terminal.press('enter');
    await terminal.until(`A sandbox runs at ${server.baseUrl} already.`);
    const orderId = orderIdIn(await placeOrder(terminal));
    terminal.press('down', 'enter');
    await terminal.until('UNPAID / Pending');
    await run(['sandbox', 'pay', orderId, '--base-url', server.baseUrl]);
    await terminal.until('PAID / Sukses');

    expect(await terminal.ended).toBe(0);
    expect(await run(['orders', 'show', orderId, '--quiet', '--base-url', server.baseUrl])).toMatchObject({
      code: 0,
      stdout: `${orderId}\n`,
    });
  });

  it('leads to the login', async () => {
    await using terminal = openTopup();
    await terminal.until('What would you like?');
    terminal.press('down', 'enter');

    expect(await terminal.until('Base URL of the service')).toContain('https://shop.example/api');
    terminal.press('ctrl+c');
    expect(await terminal.ended).toBe(130);
  });

  it('leads to the help', async () => {
    await using terminal = openTopup();
    await terminal.until('What would you like?');
    terminal.press('down', 'down', 'enter');

    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain('Usage: topup');
  });
});

describe('topup alone prints help', () => {
  it('where a profile is kept', async () => {
    await run(['config', 'set', 'base_url', 'http://127.0.0.1:4000/api'], { environment: { HOME: home } });
    await using terminal = openTopup();

    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain('Usage: topup');
  });

  it('where nobody sits at a terminal', async () => {
    expect(await run([])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: topup') });
  });
});

it('guide says that it needs somebody to ask', async () => {
  const { code, stderr } = await run(['guide']);

  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'Error: guide asks questions, and there is nobody at a terminal to ask.\n' +
      '`topup serve --sandbox` starts a sandbox, `topup orders create --help` tells what an order takes.\n',
  });
});
