/** A row of the help: a term and its description, which may go over several lines. */
type Item = readonly [term: string, description: string];

/** What a reader may type or has to replace: flags, variables, addresses and words in angle brackets. */
const literals =
  /(?<![`\w])(--[a-z][\w-]*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=\w+)?|postgres:\/\/\.{3}|(?:https?|file|postgres):[^\s,;)]*[^\s,;).]|<[^>]+>|\{[^}]*\})/g;

/** Help names pages of the repository; here they are links. */
const pageNames = /docs\/([\w-]+)\.md of the repository/g;

const withCode = (text: string): string => text.replaceAll(literals, '`$1`');

/** A text of the help as Markdown. `up` leads from its page to the root of the repository. */
const markdown = (text: string, up: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : withCode(part)))
    .join('')
    .replaceAll(pageNames, (_all, page: string) => `[docs/${page}.md](${up}docs/${page}.md)`);

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

/** The rows of a section of the help; a line without a term continues the description before it. */
function itemsOf(lines: readonly string[]): Item[] {
  const items: Item[] = [];
  for (const line of lines) {
    const [, term, description = ''] = /^ {2}(\S+(?: \S+)*)(?: {2,}(.*))?$/.exec(line) ?? [];
    const [before, begun = ''] = items.at(-1) ?? [];
    if (term !== undefined) items.push([term, description]);
    else if (before !== undefined) items[items.length - 1] = [before, `${begun} ${line.trim()}`.trim()];
  }
  return items;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .toSpliced(1, 0, `|${'---|'.repeat(head.length)}`)
    .join('\n');

const block = (lines: readonly string[], language = ''): string =>
  `\`\`\`${language}\n${lines.map((line) => line.replace(/^ {2}/, '')).join('\n')}\n\`\`\``;

/** A paragraph of the help. Lines that are set in stand as they are. */
function paragraph(lines: readonly string[], up: string): string {
  const first = lines.findIndex((line) => line.startsWith('  '));
  if (first === 0) return block(lines);
  const [words, rest] = first < 0 ? [lines, []] : [lines.slice(0, first), lines.slice(first)];
  const text = markdown(words.join(' '), up);
  return rest.length === 0 ? text : `${text}\n\n${block(rest)}`;
}

const anchorOf = (words: readonly string[]): string => `#${words.join('-')}`;

/** Lists subcommands. Those of the program have pages of their own. */
function commandList(path: readonly string[], items: readonly Item[], up: string): string {
  const rows = items.flatMap(([term, description]) => {
    const [name = ''] = term.split(' ');
    if (name === 'help') return [];
    const address = path.length === 0 ? `reference/${name}.md` : anchorOf(['topup', ...path, name]);
    // A command of a day has two words.
    const [words = name] = /^[a-z-]+( [a-z-]+)?/.exec(term) ?? [];
    return [[`[${code(words)}](${address})`, markdown(description, up)]];
  });
  return table(['command', 'purpose'], rows);
}

const exitCodes = (lines: readonly string[], up: string): string =>
  table(
    ['exit code', 'meaning'],
    lines
      .flatMap((line) => [...line.matchAll(/ {2}(\d+(?:, \d+)*) {2}(\S+(?: \S+)*)/g)])
      .map(([, number = '', meaning = '']): [number: string, meaning: string] => [number, meaning])
      .toSorted(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
      .map(([number, meaning]) => [number, markdown(meaning, up)]),
  );

/** A section of a help text, with the line above it and the command of the help. */
interface Section {
  title: string;
  lines: readonly string[];
  path: readonly string[];
  up: string;
}

const rowsOf = ({ lines, up }: Section): string[][] =>
  itemsOf(lines).map(([term, description]) => [code(term), markdown(description, up)]);

/** A section of the help of `topup` itself. */
function ofProgram(section: Section): string {
  const { title, lines, path, up } = section;
  const rows = rowsOf(section);
  const contents = (): string => {
    switch (title) {
      case 'Options':
        return `${table(['option', 'meaning'], rows)}\n\nEach command takes these, but only a command that contacts a service takes \`--base-url\` and \`--key-file\`.`;
      case 'Examples':
        return block(lines, 'sh');
      case 'Exit codes':
        return exitCodes(lines, up);
      case 'Environment': {
        const words = itemsOf(lines).filter(([, meaning]) => meaning === '');
        const variables = rows.filter(([, meaning]) => meaning !== '');
        return `${table(['variable', 'meaning'], variables)}\n\n${words.map(([text]) => text).join(' ')}`;
      }
      default:
        return commandList(path, itemsOf(lines), up);
    }
  };
  return `## ${title}\n\n${contents()}`;
}

/** A section of the help of a noun or a verb; empty where the page says it elsewhere. */
function ofCommand(section: Section): string {
  const { title, lines, path, up } = section;
  const rows = rowsOf(section);
  switch (title) {
    case 'Arguments':
      return table(['argument', 'meaning'], rows);
    case 'Options': {
      const own = rows.filter(([term]) => term !== '`-h, --help`');
      return own.length === 0 ? '' : table(['option', 'meaning'], own);
    }
    case 'Commands':
      return commandList(path, itemsOf(lines), up);
    case 'Global Options':
      return rows.some(([term = '']) => term.startsWith('`--base-url'))
        ? 'This command contacts the service, so it takes `--base-url` and `--key-file` too.'
        : '';
    case 'Setup and help':
      return '';
    case 'Example':
    case 'Examples':
      return `${title}:\n\n${block(lines, 'sh')}`;
    default:
      return `${title}:\n\n${block(lines)}`;
  }
}

/** The help of a command as Markdown: text, tables and examples instead of lines of 80 columns. */
export function renderHelp(path: readonly string[], help: string): string {
  const isProgram = path.length === 0;
  const up = isProgram ? '../../' : '../../../';
  const [usage = '', description = '', ...blocks] = help.trimEnd().split('\n\n');
  const isNoun = blocks.some((text) => text.startsWith('Commands:\n'));
  const sections = blocks.map((text) => {
    const [first = '', ...lines] = text.split('\n');
    const [, title] = /^([A-Z][\w ]*):$/.exec(first) ?? [];
    if (title === undefined) return paragraph([first, ...lines], up);
    if (title === 'Global Options' && isNoun) return '';
    return (isProgram ? ofProgram : ofCommand)({ title, lines, path, up });
  });
  const heading = isProgram ? 'The commands of `topup`' : ['topup', ...path].join(' ');
  const parts = [
    `${'#'.repeat(Math.max(path.length, 1))} ${heading}`,
    paragraph(description.split('\n'), up).replace(/(?<![.?])$/, '.'),
    block([usage.replace(/^Usage: /, '').replaceAll(/\n\s+/g, ' ')]),
    ...sections.filter((text) => text !== ''),
  ];
  return `${parts.join('\n\n')}\n`;
}
