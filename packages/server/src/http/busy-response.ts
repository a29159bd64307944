import type { IncomingMessage } from 'node:http';
import { type AppSettings, busyResponse, type PlainResponse } from '@topup-kit/core/app';
import { chooseLocale, type Locale } from '@topup-kit/core/contract';
import { errorPage } from '../pages/error-page.ts';

/** The response to a request that is not handled, but for `Retry-After`. Only its headers are looked at. */
export type BusyResponse = (request: IncomingMessage) => PlainResponse;

async function busyPage(locale: Locale): Promise<PlainResponse> {
  const page = await errorPage(503, locale);
  return { status: page.status, headers: Object.fromEntries(page.headers), body: await page.text() };
}

const wantsPage = ({ url = '', headers: { accept } }: IncomingMessage): boolean =>
  url.startsWith('/pay/') && accept?.includes('text/html') === true;

/** Prepares what an overloaded server responds: an error of the API, or a page to a customer on a payment page. */
export async function createBusyResponse(settings: AppSettings): Promise<BusyResponse> {
  const prepare = async (locale: Locale) => ({
    error: busyResponse(settings, locale),
    page: await busyPage(locale),
  });
  const prepared = { id: await prepare('id'), en: await prepare('en') };
  return (request) => {
    const { error, page } = prepared[chooseLocale(request.headers['accept-language'], settings.locale)];
    return wantsPage(request) ? page : error;
  };
}
