import { describe, expect, it } from 'vitest';
import { qrCode } from '../src/output/qr.ts';
import { styleOf } from '../src/output/style.ts';
import { fixtureOrder, orderIdIn } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { scanLines } from './helpers/scan-qr.ts';
import { ownSandbox } from './helpers/servers.ts';

const server = ownSandbox();

const colours = { FORCE_COLOR: '1' };
const ask = (args: string[], columns?: number, environment = colours) =>
  run([...args, '--base-url', server.baseUrl], { ...(columns && { columns }), environment });

/** The lines that are black on bright white, without the colour codes. */
const painted = (screen: string): string[] =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what colours are made of
  [...screen.matchAll(/\u001b\[30m\u001b\[107m([ ▀▄█]+)\u001b/g)].map(([, line = '']) => line);

/** Black on white, whatever the colours of the terminal are. */
const ink = { drawn: 0, blank: 255 };

async function qrStringOf(orderId: string): Promise<string> {
  return JSON.parse((await ask(['orders', 'show', orderId, '--json'])).stdout).order.qr_string;
}

describe('the QR code in the terminal', () => {
  it.each([
    ['orders create', async () => ask(fixtureOrder, 80)],
    ['orders show', async () => ask(['orders', 'show', orderIdIn((await ask(fixtureOrder)).stdout)], 80)],
    ['invoices show', async () => ask(['invoices', 'show', orderIdIn((await ask(fixtureOrder)).stdout)], 80)],
  ])(
    "draws a QR code for %s that scans as the invoice's text, on dark and light terminals",
    async (_name, show) => {
      const { stdout } = await show();

      expect(scanLines(painted(stdout), ink)).toBe(await qrStringOf(orderIdIn(stdout)));
    },
  );

  it('draws a QR code without colours that scans from a dark terminal', () => {
    const text = '00020101021226570011ID.EXAMPLE';
    const picture = qrCode(
      text,
      styleOf({ environment: { NO_COLOR: '1' } }, { write: () => {}, isTTY: true }),
    );

    expect(scanLines((picture ?? '').split('\n').slice(0, -1), { drawn: 255, blank: 0 })).toBe(text);
  });

  it('narrows the white border in a narrow terminal, and shows only the links in a narrower terminal', async () => {
    const orderId = orderIdIn((await ask(fixtureOrder)).stdout);
    const size = painted((await ask(['orders', 'show', orderId], 200)).stdout)[0]?.length ?? 0;

    const narrow = painted((await ask(['orders', 'show', orderId], size - 4)).stdout);
    const { stdout, stderr } = await ask(['orders', 'show', orderId], size - 5);

    expect(narrow[0]?.length).toBe(size - 4);
    expect(scanLines(narrow, ink)).toBe(await qrStringOf(orderId));
    expect(painted(stdout)).toEqual([]);
    expect(stdout).toContain('/qr.svg');
    expect(stderr).toContain(`A terminal of ${size - 4} columns or more shows the QR code as well.\n`);
  });

  it('draws no QR code without a terminal', async () => {
    expect((await ask(fixtureOrder)).stdout).not.toMatch(/[▀▄█]/);
  });

  it('draws no QR code after the payment', async () => {
    const orderId = orderIdIn((await ask(fixtureOrder)).stdout);
    await ask(['sandbox', 'pay', orderId]);

    expect((await ask(['orders', 'show', orderId], 80)).stdout).not.toMatch(/[▀▄█]/);
  });
});
