import { BlockList, isIP } from 'node:net';

/** Returns the family of an IP address in the form of `BlockList`. */
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const longestPrefix = { ipv4: 32, ipv6: 128 };

/** Parses an entry of an address list: an address, or a range of addresses that begin with the same bits. */
function parseEntry(entry: string): { address: string; bits: number } | undefined {
  const [, address = '', prefix] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? [];
  if (isIP(address) === 0) return undefined;
  const longest = longestPrefix[familyOf(address)];
  const bits = prefix === undefined ? longest : Number(prefix);
  return bits > longest ? undefined : { address, bits };
}

/** Parses a comma-separated list of IP addresses and CIDR ranges; undefined if an entry is invalid. */
export function addressList(text: string): readonly string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.every((entry) => parseEntry(entry)) ? entries : undefined;
}

/**
 * Creates a function that checks whether an address is in a list from {@link addressList}. It also matches an IPv4 address in its IPv6
 * form, which dual-stack sockets report.
 *
 * @example
 * matcherOf(['103.208.23.0/24'])('::ffff:103.208.23.7'); // true
 */
export function matcherOf(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const parsed = parseEntry(entry);
    if (parsed) list.addSubnet(parsed.address, parsed.bits, familyOf(parsed.address));
  }
  return (address) => {
    const plain = address.replace(/%.*$/, '');
    return list.check(plain, familyOf(plain));
  };
}
