import { BlockList, isIP } from 'node:net';

/** IPv4 addresses that are not public, or not of one machine (IANA's registry of special addresses). */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * All of IPv6 but what is assigned to networks, 2000::/3: so loopback, private and link-local addresses, multicast, and
 * the forms in which an IPv4 address is written (::ffff:0:0/96, 64:ff9b::/96). Of 2000::/3 what is special there: Teredo
 * and others, documentation, 6to4.
 */
const special6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

// One list for each: in a list for both, ::/3 has every IPv4 address in it.
const lists = { 4: listOf(special4, 'ipv4'), 6: listOf(special6, 'ipv6') };

/**
 * Returns whether an IP address is that of a machine on the internet: not this machine, its network or its cloud, and no
 * other form of such an address. What is no address is not public.
 *
 * @example
 * isPublicAddress('169.254.169.254'); // false
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !lists[4].check(address, 'ipv4');
    case 6:
      return !lists[6].check(address.replace(/%.*$/, ''), 'ipv6');
    default:
      return false;
  }
}
