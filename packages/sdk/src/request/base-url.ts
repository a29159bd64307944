import { TopupUsageError } from '../errors/index.ts';

/** Without a slash at its end. A path is taken from the page's own address, where there is a page. */
export function checkBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(baseUrl)) {
    throw new TopupUsageError(
      'INVALID_BASE_URL',
      'baseUrl must be an absolute http(s) URL (in a browser: or a path) without credentials, query or fragment.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function parseUrl(baseUrl: string): URL | undefined {
  try {
    return new URL(baseUrl, /^\//.test(baseUrl) ? globalThis.location?.href : undefined);
  } catch {
    return undefined;
  }
}
