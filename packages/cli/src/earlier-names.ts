/** Commands of earlier versions, and what they are now. The value of a flag that chose one of several is the argument now. */
const renamed: readonly [verb: string, flag: string | null, now: string][] = [
  ['reconcile', '--settle', 'payments settle'],
  ['reconcile', '--return', 'payments return'],
  ['reconcile', '--since', 'payments recover'],
  ['reconcile', null, 'payments list'],
  ['refunds', '--paid', 'refunds paid'],
  ['refunds', '--cancel', 'refunds cancel'],
  ['refunds', null, 'refunds list'],
  ['refund', null, 'refunds create'],
];

/** Returns a command line with the names of today. Earlier versions had the commands about money among those of orders. */
export function inTodaysNames(words: readonly string[]): readonly string[] {
  const at = words.indexOf('orders');
  const verbAt = words.findIndex((word, index) => index > at && !word.startsWith('-'));
  if (at === -1 || verbAt === -1) return words;
  const verb = words[verbAt];
  const rest = [...words.slice(at + 1, verbAt), ...words.slice(verbAt + 1)];
  for (const [earlier, flag, now] of renamed) {
    if (earlier !== verb) continue;
    const chosen = rest.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
    if (flag !== null && chosen === -1) continue;
    const before = [...words.slice(0, at), ...now.split(' ')];
    if (flag === null) return [...before, ...rest];
    const isOneWord = rest[chosen] !== flag;
    const value = isOneWord
      ? [rest[chosen]?.slice(flag.length + 1) ?? '']
      : rest.slice(chosen + 1, chosen + 2);
    return [...before, ...value, ...rest.slice(0, chosen), ...rest.slice(chosen + (isOneWord ? 1 : 2))];
  }
  return words;
}
