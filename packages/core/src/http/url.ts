/** A URL; undefined when the text is none. Node 20 has no `URL.parse`. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

const localNames = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/** Whether a URL's host name is one of this machine for itself. */
export const isLocalName = (hostname: string): boolean => localNames.test(hostname);

/**
 * Masks the user name and password in a URL; in the address of a database also when they are not written as they should be.
 *
 * @example
 * maskCredentials('postgres://topup:secret@db/shop'); // 'postgres://****@db/shop'
 */
export const maskCredentials = (url: string): string =>
  /^(https?|file):/i.test(url)
    ? url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1****@')
    : url
        .replace(/^(\w+:\/\/)?.*@/s, '$1****@')
        .replace(/([?&]password=).*/is, '$1****')
        .replace(/^(postgres\w*:?\/\/)[^@/]*:(?!\d+\/)[^@]*$/is, '$1****');
