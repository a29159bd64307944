import { describe, expect, it } from 'vitest';
import { useBrowser } from './helpers/browser.ts';
import { ask, wordsOf } from './helpers/console.ts';
import { story } from './helpers/orders.ts';
import { startSandbox } from './helpers/sandbox.ts';

const english = { 'Accept-Language': 'en' };

/** What a page says of an order in its row. */
const rowOf = (text: string, orderId: string): string =>
  new RegExp(`<tr id="order-${orderId}".*?</tr>`, 's').exec(text)?.[0] ?? expect.fail(`no row of ${orderId}`);

describe('the list of orders', () => {
  it("describes each order in words, with the interface's names in the title", async () => {
    await using server = await startSandbox();
    const stories = [
      [[], 'Waiting for payment', 'UNPAID / Pending'],
      [['pay', 'lose-delivery'], 'Stuck', 'PAID / Proses'],
      [['pay', 'deliver'], 'Delivered', 'PAID / Sukses'],
      [['pay', 'fail-delivery'], 'Failed', 'PAID / Gagal'],
      [['expire'], 'Expired', 'EXPIRED / '],
      [['fail'], 'Payment failed', 'FAILED / '],
      [['pay', 'fail-delivery', 'refund'], 'Refunded', 'REFUND / Gagal'],
    ] as const;
    const placed: { orderId: string; words: string; names: string }[] = [];
    for (const [actions, words, names] of stories)
      placed.push({ orderId: await story(server, actions), words, names });
    const page = await ask(`${server.consoleUrl}/orders`, { headers: english });
    for (const { orderId, words, names } of placed) {
      const row = rowOf(page.text, orderId);
      expect(wordsOf({ ...page, text: row })).toContain(` ${words} `);
      expect(row).toContain(`title="${names}`);
    }
    expect(wordsOf(page)).toContain('The sandbox was asked to fail this delivery');
  });

  it('never shows a contradicted order as delivered', async () => {
    await using server = await startSandbox();
    const orderId = await story(server, ['pay', 'deliver', 'contradict-delivery']);
    const page = await ask(`${server.consoleUrl}/orders`, { headers: english });
    const row = wordsOf({ ...page, text: rowOf(page.text, orderId) });
    expect(row).toContain('Unclear');
    expect(row).not.toContain('Delivered');
    const { text } = await ask(`${server.consoleUrl}/orders/${orderId}`, { headers: english });
    const head = /id="order-head".*?<\/p>/s.exec(text)?.[0] ?? '';
    expect(head).toContain('Unclear');
    expect(head).not.toContain('Delivered');
  });

  it.each([
    ['paid after the order expired', ['expire', 'pay-late'], 'Expired'],
    ['paid again', ['pay', 'deliver', 'pay-again'], 'Delivered'],
  ] as const)(
    'says that a payment is waiting for an order that was %s',
    async (reason, actions, ordinary) => {
      await using server = await startSandbox();
      const orderId = await story(server, actions);
      const page = await ask(`${server.consoleUrl}/orders`, { headers: english });
      const row = wordsOf({ ...page, text: rowOf(page.text, orderId) });
      expect(row).toMatch(new RegExp(`Money waits .*${reason}`));
      expect(row).not.toContain(` ${ordinary} `);
      const { text } = await ask(`${server.consoleUrl}/orders/${orderId}`, { headers: english });
      expect(/id="order-head".*?<\/p>/s.exec(text)?.[0]).toContain('Money waits');
    },
  );

  it("explains on an order's page why the order doesn't proceed, and what to do", async () => {
    await using server = await startSandbox();
    const wordsOfPage = async (orderId: string): Promise<string> =>
      wordsOf(await ask(`${server.consoleUrl}/orders/${orderId}`, { headers: english }));
    const stuck = await wordsOfPage(await story(server, ['pay', 'lose-delivery']));
    expect(stuck).toMatch(/The sandbox was asked .* Look up the reference at the supplier/);
    const unclear = await wordsOfPage(await story(server, ['pay', 'deliver', 'contradict-delivery']));
    expect(unclear).toContain('Ask the supplier which of its reports is correct');
    const item = String.raw`INV-\d+-\w+-2-1: The supplier reported attempt 1 as failed`;
    expect(unclear).toMatch(
      new RegExp(`The supplier contradicted the outcome \\d\\d:\\d\\d:\\d\\d · supplier ${item}`),
    );
  });

  it.each([
    [
      '?problem=stuck',
      ['pay', 'lose-delivery'],
      'The sandbox was asked',
      'ask the supplier what was delivered',
    ],
    [
      '?problem=contradicted',
      ['pay', 'deliver', 'contradict-delivery'],
      'The supplier reported attempt 1 as failed',
      'Ask the supplier which of its reports is correct',
    ],
  ])(
    'says in the list %s why each order does not proceed, and what to do',
    async (query, actions, why, next) => {
      await using server = await startSandbox();
      await story(server, actions);
      const text = wordsOf(await ask(`${server.consoleUrl}/orders${query}`, { headers: english }));
      expect(text).toContain(why);
      expect(text).toContain(next);
    },
  );

  it('counts the orders of each filter on its chip', async () => {
    await using server = await startSandbox();
    await story(server);
    for (const actions of [
      ['pay', 'deliver'],
      ['pay', 'deliver', 'contradict-delivery'],
      ['pay', 'fail-delivery'],
    ])
      await story(server, actions);
    const { text } = await ask(`${server.consoleUrl}/orders`, { headers: english });
    const chips = Object.fromEntries(
      [...text.matchAll(/<a href="[^"]*"[^>]*>([^<]+) <span>(\d+)<\/span><\/a>/g)].map(([, name, count]) => [
        name,
        count,
      ]),
    );
    expect(chips).toMatchObject({
      ...{ All: '4', 'Waiting for payment': '1', Delivered: '2', Failed: '1', Unclear: '1', Refunded: '0' },
    });
  });
});

describe('in a real browser, the list of orders', () => {
  const browser = useBrowser();

  it('has rows of 40 px on a desktop and of two lines on a phone, and a menu without JavaScript', async () => {
    await using server = await browser.startSandbox();
    const orderId = await story(server, ['pay', 'fail-delivery']);
    const { page } = await browser.open(`${server.consoleUrl}/orders`, {
      ...{ locale: 'en', javaScriptEnabled: false, viewport: { width: 1440, height: 900 } },
    });
    const row = page.locator(`#order-${orderId}`);
    const heightOf = async (): Promise<number> => (await row.boundingBox())?.height ?? 0;
    expect(await heightOf()).toBeLessThanOrEqual(42);
    await page.getByRole('button', { name: `Actions for ${orderId.slice(-8)}` }).click();
    await page.getByRole('link', { name: 'Retry' }).waitFor();
    expect(await page.getByRole('link', { name: 'Refund', exact: true }).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await heightOf()).toBeLessThanOrEqual(68);
  });
});
