/** Parses a URL; undefined for an invalid URL. Used because Node 20 has no `URL.parse`. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

const localNames = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/** Tells whether a host name means this machine. */
export const isLocalName = (hostname: string): boolean => localNames.test(hostname);

/**
 * Masks user name and password in a URL, even in a malformed database address.
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
