import type { DialectName } from '@topup-kit/mock';
import type { Page } from 'playwright-core';
import type { ShopForTests } from './shop.ts';
import { heading } from './visitor.ts';

/** Dialects in which no order can be followed to its delivery. Other tests check what a visitor sees instead. */
export const withoutDelivery: ReadonlySet<DialectName> = new Set(['interface-only', 'other statuses']);

export const addressOf = (dialect: DialectName, hash = ''): string =>
  `?dialect=${encodeURIComponent(dialect)}${hash}`;

/** Opens the shop on a service of a dialect, and opens a game from the catalogue. */
export async function openGame({ visit }: Pick<ShopForTests, 'visit'>, dialect: DialectName): Promise<Page> {
  const page = await visit(addressOf(dialect));
  await page
    .getByRole('link', { name: /^Mobile Legends/ })
    .first()
    .click();
  await heading(page, 'Mobile Legends: Bang Bang');
  return page;
}

/** Loses the service's responses to orders until the page is closed. */
export const loseAnswers = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...asked) => {
      const answer = await fetch(...asked);
      if (answer.url.endsWith('/order')) throw new TypeError('the connection broke');
      return answer;
    };
  });

/** Returns the number of orders that the service has, according to its sandbox. */
export async function ordersMade(page: Page): Promise<number> {
  const text = await page.evaluate(() => {
    dispatchEvent(new Event('pagehide'));
    return sessionStorage.getItem('kilat:sandbox') ?? '';
  });
  const { steps }: { steps: { kind: string }[] } = JSON.parse(text);
  return steps.filter(({ kind }) => kind === 'order').length;
}
