import type { DialectName } from '@topup-kit/mock';
import type { Page } from 'playwright-core';
import type { ShopForTests } from './shop.ts';
import { heading } from './visitor.ts';

/** Dialects in which no order can be followed to its delivery; other tests show what a visitor sees instead. */
export const withoutDelivery: ReadonlySet<DialectName> = new Set(['interface-only', 'other statuses']);

export const addressOf = (dialect: DialectName, hash = ''): string =>
  `?dialect=${encodeURIComponent(dialect)}${hash}`;

/** Opens the shop on a service of a dialect, and goes to a game by the catalogue. */
export async function openGame({ visit }: Pick<ShopForTests, 'visit'>, dialect: DialectName): Promise<Page> {
  const page = await visit(addressOf(dialect));
  await page
    .getByRole('link', { name: /^Mobile Legends/ })
    .first()
    .click();
  await heading(page, 'Mobile Legends: Bang Bang');
  return page;
}

/** Loses what the service answers to orders, for as long as the page lives. */
export const loseAnswers = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...asked) => {
      const answer = await fetch(...asked);
      if (answer.url.endsWith('/order')) throw new TypeError('the connection broke');
      return answer;
    };
  });

/** How many orders the service has, as its sandbox knows them. */
export async function ordersMade(page: Page): Promise<number> {
  const text = await page.evaluate(() => {
    dispatchEvent(new Event('pagehide'));
    return sessionStorage.getItem('kilat:sandbox') ?? '';
  });
  const { steps }: { steps: { kind: string }[] } = JSON.parse(text);
  return steps.filter(({ kind }) => kind === 'order').length;
}
