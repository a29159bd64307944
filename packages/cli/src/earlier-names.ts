/** Commands of earlier versions with their new names. If a flag selected a variant, its value is now an argument. */
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

/** Flags of earlier versions with their new names. */
const renamedFlags: readonly [commands: RegExp, flag: string, now: string][] = [
  [/^(?!report )/, '--by', '--operator'],
  [/^(report \w+|orders mine)$/, '--from', '--since'],
  [/^report \w+$/, '--to', '--until'],
  [/^orders mine$/, '--before', '--until'],
  [/^(orders|callbacks) list$/, '--after', '--cursor'],
];

/** Options of all commands whose value is the next word. */
export const sharedValues: ReadonlySet<string> = new Set([
  '--fields',
  '--profile',
  '--base-url',
  '--key-file',
]);

/** Flags that lists accepted and ignored in earlier versions; some have a value. */
const ignoredByLists: ReadonlyMap<string, boolean> = new Map([
  ['--yes', false],
  ['--dry-run', false],
  ['--by', true],
]);

/** Returns the positions of command names and arguments. */
const plainWords = (words: readonly string[]): number[] =>
  words.flatMap((word, index) =>
    word.startsWith('-') || sharedValues.has(words[index - 1] ?? '') ? [] : [index],
  );

const withoutIgnored = (words: readonly string[]): string[] =>
  words.filter((word, index) => {
    const isValue = ignoredByLists.get(words[index - 1] ?? '') === true;
    return !isValue && !ignoredByLists.has(word.replace(/=.*/, ''));
  });

/** Returns the earlier flags of a command with their new names. */
function flagsOf(words: readonly string[]): ReadonlyMap<string, string> {
  const command = plainWords(words)
    .slice(0, 2)
    .map((at) => words[at])
    .join(' ');
  const renamed = renamedFlags.filter(([commands]) => commands.test(command));
  return new Map(renamed.map(([, earlier, now]) => [earlier, now]));
}

function withTodaysFlags(words: readonly string[]): readonly string[] {
  const flags = flagsOf(words);
  return words.map((word) => {
    const [flag = '', ...value] = word.split('=');
    return [flags.get(flag) ?? flag, ...value].join('=');
  });
}

/** Translates a command line to the current names. */
export const inTodaysNames = (words: readonly string[]): readonly string[] =>
  withTodaysFlags(withTodaysCommand(words));

/** Describes each earlier command and flag with its new name, in one sentence each. */
export function renamings(words: readonly string[], program: string): readonly string[] {
  const now = withTodaysCommand(words);
  const used = new Set(now.map((word) => word.replace(/=.*/s, '')));
  const flags = [...flagsOf(now)].filter(([earlier]) => used.has(earlier));
  const said = flags.map(([earlier, flag]) => `${earlier} is now ${flag}.`);
  if (now === words) return said;
  const [noun = 0, verb = 0] = plainWords(now).slice(now[plainWords(now)[0] ?? 0] === 'help' ? 1 : 0);
  return [`This command is now ${program} ${now[noun]} ${now[verb]}.`, ...said];
}

/** Translates commands about money, which were commands of orders in earlier versions. */
function withTodaysCommand(words: readonly string[]): readonly string[] {
  const places = plainWords(words);
  const [at = -1, verbAt = -1] = words[places[0] ?? -1] === 'help' ? places.slice(1) : places;
  if (words[at] !== 'orders' || verbAt === -1) return words;
  const verb = words[verbAt];
  const rest = [...words.slice(at + 1, verbAt), ...words.slice(verbAt + 1)];
  for (const [earlier, flag, now] of renamed) {
    if (earlier !== verb) continue;
    const chosen = rest.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
    if (flag !== null && chosen === -1) continue;
    const before = [...words.slice(0, at), ...now.split(' ')];
    if (flag === null) return [...before, ...(now.endsWith(' list') ? withoutIgnored(rest) : rest)];
    const isOneWord = rest[chosen] !== flag;
    const value = isOneWord
      ? [rest[chosen]?.slice(flag.length + 1) ?? '']
      : rest.slice(chosen + 1, chosen + 2);
    return [...before, ...value, ...rest.slice(0, chosen), ...rest.slice(chosen + (isOneWord ? 1 : 2))];
  }
  return words;
}
