import { describe, expect, it } from 'vitest';
import { axeViolations, useBrowser, widthsTooNarrow } from '../../server/test/helpers/browser.ts';
import { startSimulated } from './helpers/simulators.ts';

const { open } = useBrowser();

async function charged() {
  const midtrans = await startSimulated('midtrans');
  await fetch(`${midtrans.baseUrl}/v2/charge`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from('askvnoibnosifnboseofinbofinfgbiufglnbfg:').toString('base64')}`,
    },
    body: JSON.stringify({
      ...{ payment_type: 'qris', transaction_details: { order_id: 'INV-1', gross_amount: 40_000 } },
    }),
  });
  return midtrans;
}

describe('the pages of the simulators in a browser', () => {
  it('links from the list to a payment, which a button pays', async () => {
    await using midtrans = await charged();
    const { page, complaints } = await open(midtrans.simulators.url);
    await page.getByRole('link', { name: 'INV-1' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Rp 40.000');
    expect(await page.getByRole('img', { name: 'QR code' }).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Midtrans: settlement').waitFor();

    expect(await midtrans.books()).toMatchObject({ charged: 40_000 });
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('INV-1 is settlement').waitFor();
    await page.goto(midtrans.simulators.url);
    expect(await page.getByText('/midtrans/v2/charge').count()).toBe(1);
    // The button that was pressed twice is the only thing that the browser reports.
    expect(complaints).toEqual([expect.stringContaining('409')]);
  });

  it('is accessible, light and dark, and fits a small phone', async () => {
    await using midtrans = await charged();
    for (const path of ['/', '/pay/midtrans/INV-1']) {
      const { page } = await open(midtrans.simulators.url + path, { bypassCSP: true });
      expect(await axeViolations(page)).toEqual([]);
      expect(await widthsTooNarrow(page)).toEqual([]);
    }
  });
});
