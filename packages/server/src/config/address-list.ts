import { BlockList, isIP } from 'node:net';

/** The family of an IP address as `BlockList` names it. */
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const longestPrefix = { ipv4: 32, ipv6: 128 };

/** An entry of an address list: an address, or a range of addresses that begin with these bits. */
function parseEntry(entry: string): { address: string; bits: number } | undefined {
  const [, address = '', prefix] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? [];
  if (isIP(address) === 0) return undefined;
  const longest = longestPrefix[familyOf(address)];
  const bits = prefix === undefined ? longest : Number(prefix);
  return bits > longest ? undefined : { address, bits };
}

/** The entries of a list of IP addresses and CIDR ranges, separated by commas; undefined if one is invalid. */
export function addressList(text: string): readonly string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.every((entry) => parseEntry(entry)) ? entries : undefined;
}

/**
 * Creates a function that tells whether an address is in a list of {@link addressList}. An IPv4 address also matches in its IPv6 form,
 * which a socket that listens on both reports.
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
