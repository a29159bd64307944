import { type NounGroup, nouns } from './commands/nouns.ts';
import { globalOptions } from './context.ts';
import { minWidthToWrap } from './define-command.ts';
import { exitCodeMeanings } from './errors/cli-error.ts';
import { type Io, programName } from './io.ts';
import { layOut } from './output/layout.ts';
import { type OutputStyle, styleOf } from './output/style.ts';
import { wrappedLines } from './output/text.ts';

/** Description that the program and its help share. */
export const about = 'Games, orders, promos, keys and servers of a top-up service.';
export const versionOption = ['-v, --version', 'print the version'] as const;
export const helpOption = ['-h, --help', 'print help'] as const;
export const helpCommand = ['help [command]', 'Print the help of a command'] as const;

export const groups: Record<NounGroup, string> = {
  shop: 'Operators of a shop:',
  server: 'Operators of a server:',
  developers: 'Developers:',
  self: 'Setup and help:',
};

type Item = readonly [term: string, description: string];

/** Daily commands from docs/runbook.md. */
const daily: readonly Item[] = [
  ['doctor', 'find open problems, and how to fix them'],
  ['balance', 'show how long the balance at each supplier lasts'],
  ['report sales', "show today's turnover, cost and profit"],
  ['catalog sync', "show price changes from the suppliers' lists"],
  ['catalog set-price', 'set the price of a product'],
  ['orders search', 'find an order by phone number, player or id'],
  ['orders retry', 'deliver failed items again; --all-failed for all'],
  ['refunds create', 'record a refund'],
  ['activity', 'list the actions of operators'],
  ['backup', 'make a verified backup'],
];

/** Formats the exit codes, in two columns if they fit. */
function exitCodes(width: number): string {
  const codes = exitCodeMeanings.map(([code, meaning]) => `${code}  ${meaning}`);
  if (width < 80) return codes.map((line) => `  ${line}`).join('\n');
  const half = Math.ceil(codes.length / 2);
  const start = Math.max(...codes.slice(0, half).map((line) => line.length)) + 2;
  return codes
    .slice(0, half)
    .map((line, row) => `  ${line.padEnd(start)}${codes[row + half] ?? ''}`)
    .join('\n');
}

const examples = (program: string, width: number): string => `Examples:
  ${program} serve --sandbox            start a sandbox
  ${program} games list                 list its games
  ${program} games show mobile-legends  show products and payment methods
  ${program} orders create --help       show what an order needs

Environment:
  TOPUP_BASE_URL  base URL of the service, such as https://shop.example/api
  TOPUP_API_KEY   the API key to use
  TOPUP_PROFILE   profile to use; config list shows where settings come from
  TOPUP_DEBUG     1 shows where an error comes from
  Without base URL and key, topup uses the sandbox on this machine.

Exit codes:
${exitCodes(width)}
`;

/** Returns the width of help; 80 without a terminal. */
export const helpWidth = ({ columns = 80 }: OutputStyle): number => columns;

export const paintTitles = (text: string, { paint }: OutputStyle): string =>
  text.replace(/^(Usage:|[A-Z][\w ]*:$)/gm, (title) => paint('title', title));

/** Returns the sections of the help in commander's layout. */
function sections(): Map<string, readonly Item[]> {
  const inGroup = (group: string): Item[] =>
    nouns.filter((noun) => noun.group === group).map(({ name, summary }) => [name, summary]);
  return new Map<string, readonly Item[]>([
    ['Every day:', daily],
    ...Object.entries(groups).map(([group, title]): [string, Item[]] => [
      title,
      group === 'self' ? [...inGroup(group), helpCommand] : inGroup(group),
    ]),
    ['Options:', [versionOption, ...Object.values(globalOptions), helpOption]],
  ]);
}

const wrapped = (text: string, width: number): string[] =>
  width < minWidthToWrap ? [text] : wrappedLines(text, width);

/** Formats the help of `topup` itself, without loading commander and the commands, because this takes longer. */
export function programHelp(io: Io): string {
  const style = styleOf(io, io.stdout);
  const width = helpWidth(style);
  const parts = sections();
  const termWidth = Math.max(...[...parts.values()].flat().map(([term]) => term.length));
  const start = termWidth + 4;
  const item = ([term, description]: Item): string =>
    `  ${term.padEnd(termWidth)}  ${wrapped(description, width - start).join(`\n${' '.repeat(start)}`)}\n`;
  const blocks = [
    'Usage: topup [options] [command]\n',
    `${wrapped(about, width).join('\n')}\n`,
    ...[...parts].map(([title, items]) => `${title}\n${items.map(item).join('')}`),
    examples(programName(io), width),
  ];
  return paintTitles(layOut(blocks.join('\n'), width), style);
}
