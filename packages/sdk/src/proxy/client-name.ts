const longestName = 64;

/** Whose requests are counted together: those of one address, and for IPv6 of its /64, which one visitor has whole. */
export function clientName(address: string | null | undefined): string {
  if (typeof address !== 'string') return '';
  const name = address.trim().toLowerCase().slice(0, longestName);
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
