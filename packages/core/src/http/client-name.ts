const maxLength = 64;

/** The name under which requests are counted: the address, or for IPv6 its /64 network, because one visitor has all of it. */
export function clientName(address: string | null | undefined): string {
  if (typeof address !== 'string') return '';
  const name = address.trim().toLowerCase().slice(0, maxLength);
  if (!name.includes(':')) return name;
  const mapped = name.replace(/^::ffff:(?=[\d.]+$)/, '');
  return /^[\da-f]*:[\da-f:]+(%.*)?$/.test(mapped) ? networkOf(mapped) : mapped;
}

/** The first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}
