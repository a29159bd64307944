import type { DialectName } from '@topup-kit/mock';
import type { Page } from 'playwright-core';
import type { ShopForTests } from './shop.ts';
import { heading } from './visitor.ts';

/** Dialects in which the shop never shows a delivery; `dialects.test.ts` shows what a visitor sees instead. */
export const withoutDelivery: ReadonlySet<DialectName> = new Set(['interface-only', 'other statuses']);

export const addressOf = (dialect: DialectName, hash = ''): string =>
  `?dialect=${encodeURIComponent(dialect)}${hash}`;

/** Opens the shop on a service with a dialect, and opens a game from the catalogue. */
export async function openGame({ visit }: Pick<ShopForTests, 'visit'>, dialect: DialectName): Promise<Page> {
  const page = await visit(addressOf(dialect));
  await page
    .getByRole('link', { name: /^Mobile Legends/ })
    .first()
    .click();
  await heading(page, 'Mobile Legends: Bang Bang');
  return page;
}
