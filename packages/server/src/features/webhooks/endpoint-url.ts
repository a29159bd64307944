import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** In characters. */
const longestUrl = 2_048;

/** Names that mean this machine or its own network by definition, so that no lookup is needed to know it. */
const localName = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/** The host of a URL as an IP address or a name; the brackets of IPv6 are only a form of the URL. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const isLocal = (host: string): boolean => (isIP(host) === 0 ? localName.test(host) : !isPublicAddress(host));

/**
 * Says why events can't be sent to a URL, in a sentence that doesn't repeat it; undefined when they can, as far as can be
 * said before its name is looked up. In live mode a URL is https and leads to the internet; in a sandbox also http and
 * this machine.
 *
 * @example
 * checkEndpointUrl('http://127.0.0.1:3000/hooks', 'live'); // 'In live mode the URL must begin with https://.'
 */
export function checkEndpointUrl(text: string, mode: 'live' | 'sandbox'): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text))
    return 'The URL must be a whole one, such as https://shop.example/hooks.';
  if (text.length > longestUrl) return `The URL must have at most ${longestUrl} characters.`;
  if (url.username !== '' || url.password !== '')
    return 'The URL must have no user name and no password: events are signed, so that the receiver knows the sender.';
  if (url.hash !== '') return 'The URL must have no fragment (#...): it would not be sent.';
  if (mode === 'sandbox') return undefined;
  if (url.protocol !== 'https:') return 'In live mode the URL must begin with https://.';
  if (isLocal(hostOf(url)))
    return 'In live mode the URL must lead to the internet, not to this machine or a private network.';
  return undefined;
}
