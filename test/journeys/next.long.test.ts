import { readConfig, startServer } from '@topup-kit/server';
import { expect, it } from 'vitest';
import { useBrowser } from '../../packages/server/test/helpers/browser.ts';
import { freePort } from '../free-port.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

const browser = useBrowser();
const address = /Local: +(http:\S+)/;

/** Opens the page, which lists games, and buys there; gives what the page then says. */
async function buy(url: string | undefined): Promise<string | null> {
  const { page, complaints } = await browser.open(url ?? '', { hurried: false });
  await page.getByRole('listitem').filter({ hasText: 'Mobile Legends: Bang Bang' }).waitFor();
  await page.getByLabel('Player id').fill('12345678');
  await page.getByLabel('Server').fill('2012');
  await page.getByLabel('WhatsApp number').fill('081234567890');
  await page.getByRole('button', { name: 'Buy' }).click();
  const said = await page.getByRole('status').textContent();
  // The other messages are those of Next's development server.
  expect(complaints.filter((text) => /error|hydrat/i.test(text))).toEqual([]);
  return said;
}

const bought = /^INV-\d{14}-[A-Z0-9]{8}: 22000 rupiah to pay$/;

it(
  'runs Next with a page and a proxy, with the mock in development and a service in production',
  journeyOptions,
  async () => {
    const config = readConfig({ PORT: '0', TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:' });
    await using sandbox = await startServer(config);
    // The default port may be in use where the tests run.
    await using journey = await beginJourney('Frontend developer, Next', ['sdk', 'mock'], {
      variables: { PORT: String(await freePort()) },
    });

    await journey.copy('proxy/next');
    await journey.type('npm install ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz');
    const [, development] = await journey.start('npm run dev', address);
    expect(await buy(development)).toMatch(bought);
    await journey.succeed();

    expect(await journey.type('npm run build')).toMatch('/api/topup/[...path]');
    expect(await journey.type('grep -rl "Mobile Legends" .next/server .next/static || echo none')).toBe(
      'none\n',
    );
    const service = `TOPUP_BASE_URL=${sandbox.baseUrl} TOPUP_API_KEY=${sandbox.sandboxKey}`;
    const [, production] = await journey.start(`PORT=${await freePort()} ${service} npm run start`, address);
    const said = await buy(production);
    expect(said).toMatch(bought);
    const invoice = await fetch(`${sandbox.baseUrl}/invoice/${said?.split(':')[0]}`, {
      headers: { 'X-API-KEY': sandbox.sandboxKey ?? '' },
    });
    expect(invoice.status).toBe(200);
  },
);
