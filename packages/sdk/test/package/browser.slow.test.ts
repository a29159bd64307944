import { expect, it } from 'vitest';
import { clientProject } from '../../../../test/shared.ts';
import { soon, useBrowser } from '../../../server/test/helpers/browser.ts';
import { bundle } from '../../scripts/bundle.ts';
import { orderRequest } from './helpers/consumer.ts';
import { servePage } from './helpers/page.ts';

const browser = useBrowser();

it.each(['@topup-kit/sdk', '@topup-kit/sdk/light'])('places an order from a page with %s', async (entry) => {
  const script = `
    import { createTopupClient, isTopupError } from '${entry}';
    const client = createTopupClient({ baseUrl: new URL('/api', location.href).href });
    const { games } = await client.games.list();
    const { orderId, data } = await client.orders.create(${JSON.stringify(orderRequest)});
    const invoice = await client.invoices.get(orderId);
    const error = await client.invoices.get('INV-0').catch((error) => error);
    globalThis.seen = {
      listed: games.length > 0,
      ordered: invoice.order.order_id === orderId,
      refused: isTopupError(error) && error.status === 404,
    };`;
  await using served = await servePage(await bundle(script, await clientProject()));

  const { page, complaints } = await browser.open(served.url);

  await expect
    .poll(async () => (await page.evaluate('globalThis.seen')) ?? complaints, soon)
    .toEqual({ listed: true, ordered: true, refused: true });
  // Chromium itself logs the expected 404.
  expect(complaints).toEqual([expect.stringContaining('404')]);
});
