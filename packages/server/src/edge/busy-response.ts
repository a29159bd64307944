import type { IncomingMessage } from 'node:http';
import {
  type AppSettings,
  busyResponses,
  createCors,
  isInterfacePath,
  isRouteOrChild,
  ownPaths,
  type PlainResponse,
} from '@topup-kit/core/app';
import { chooseLocale, type Locale, headers as wire } from '@topup-kit/core/contract';
import { errorPage } from '../pages/error-page.ts';

/** Creates the response to a request that is not handled, from its headers only; the host sets `Retry-After`. */
export type BusyResponse = (request: Pick<IncomingMessage, 'url' | 'headers'>) => PlainResponse;

async function busyPage(locale: Locale): Promise<PlainResponse> {
  const page = await errorPage(503, locale);
  const headers = { ...Object.fromEntries(page.headers), [wire.retryAfter]: '1' };
  return { status: page.status, headers, body: await page.text() };
}

/**
 * Prepares an overloaded server's responses: an error of the API, or a page for a customer on a payment page.
 *
 * @param corsOrigins origins whose pages may read the API's errors
 */
export async function createBusyResponse(
  settings: AppSettings,
  corsOrigins?: readonly string[],
): Promise<BusyResponse> {
  const cors = corsOrigins && createCors(corsOrigins);
  const prepare = async (locale: Locale) => ({
    ...busyResponses(settings, locale),
    page: await busyPage(locale),
  });
  const prepared = { id: await prepare('id'), en: await prepare('en') };
  return ({ url = '', headers: { accept, origin, 'accept-language': acceptLanguage } }) => {
    const responses = prepared[chooseLocale(acceptLanguage, settings.locale)];
    const path = url.split('?', 1)[0] ?? '';
    if (isInterfacePath(path, settings.basePath))
      return cors?.readable(responses.interface, origin ?? null) ?? responses.interface;
    return isRouteOrChild(path, ownPaths.pay) && accept?.includes('text/html')
      ? responses.page
      : responses.other;
  };
}
