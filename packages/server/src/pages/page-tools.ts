import type { AppSettings, Urls } from '@topup-kit/core/app';
import { formatMoney } from '@topup-kit/core/contract';
import type { StoredOrder } from '@topup-kit/core/store';
import type { html } from 'hono/html';

/** A piece of a page. */
export type Page = ReturnType<typeof html>;

/** What the pieces of the payment page are made with. */
export interface PageTools {
  settings: AppSettings;
  urls: Urls;
  /** The moment it is, in unix milliseconds of world time. */
  now: number;
  /** Whether the page has the sandbox's buttons, and says that no real money moves. */
  sandbox: boolean;
}

/** The path that a browser finds a payment's page at, below the path of the public URL. */
export const pagePath = ({ payment }: StoredOrder, urls: Urls): string =>
  new URL(urls.payment({ url: null, reference: payment.reference })).pathname;

export const moneyWords = (amount: number, { currency, locale }: AppSettings): string =>
  formatMoney(amount, currency, locale);
