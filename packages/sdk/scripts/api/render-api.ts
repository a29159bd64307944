import { writeFile } from 'node:fs/promises';
import { type Entry, type Export, readApi } from './read-api.ts';
import type { Member } from './read-members.ts';

const code = (text: string): string => `\`${text}\``;
const codes = (texts: string[]): string => texts.map(code).join(', ');

const table = (heads: string[], rows: string[][]): string =>
  [heads, heads.map(() => '---'), ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))]
    .map((row) => `| ${row.join(' | ')} |\n`)
    .join('');

const line = (title: string, summary: string): string => `- ${code(title)}${summary && `: ${summary}`}\n`;

const memberLine = ({ name, type, isMethod, optional, summary, members }: Member): string =>
  line(isMethod ? name + type : `${name}${optional ? '?' : ''}${type && `: ${type}`}`, summary) +
  members.map((member) => `  ${memberLine(member)}`).join('');

const paragraph = (text: string): string => text && `${text}\n\n`;

const renderFunction = ({ name, types, summary, throws }: Export): string =>
  [
    `#### ${code(name)}\n\n`,
    `\`\`\`ts\n${types.map((type) => `${name}${type}\n`).join('')}\`\`\`\n\n`,
    paragraph(summary),
    ...throws.map((thrown) => paragraph(`Throws ${thrown.replace(/^\{?(\w+)\}?/, '`$1`')}`)),
  ].join('');

const renderObject = ({ name, parameters, summary, extends: bases, members }: Export): string =>
  [
    `#### ${code(name + parameters)}\n\n`,
    paragraph(summary),
    bases.length > 0 ? paragraph(`All of ${codes(bases)}${members.length > 0 ? ', and:' : '.'}`) : '',
    members.length > 0 ? `${members.map(memberLine).join('')}\n` : '',
  ].join('');

const renderOptions = ({ name, parameters, summary, members }: Export): string =>
  [
    `#### ${code(name + parameters)}\n\n`,
    paragraph(summary),
    table(
      ['option', 'type', 'default', ''],
      members.map((member) => [
        code(member.name),
        code(member.type),
        member.optional ? member.default : 'required',
        member.summary,
      ]),
    ),
    '\n',
  ].join('');

const retries: Record<string, string> = { true: 'yes', false: 'no', boolean: 'see the error' };

function errorRow({ name, codes: known, openCodes, members, summary }: Export): string[] {
  const isRoot = known.length === 0;
  const retryable = members.find((member) => member.name === 'retryable')?.type ?? '';
  return [
    code(name),
    isRoot ? 'all below' : codes(known) + (openCodes ? ', and codes of the server' : ''),
    isRoot ? '' : (retries[retryable] ?? ''),
    summary,
  ];
}

const everyError = ['name', 'code', 'retryable', 'toJSON'];

function renderErrors(errors: Export[]): string {
  const ordered = errors.toSorted((a, b) => Number(b.codes.length === 0) - Number(a.codes.length === 0));
  const own = (error: Export): string => {
    const members = error.members.filter(
      ({ name }) => error.codes.length === 0 || !everyError.includes(name),
    );
    return members.length > 0 ? `#### ${code(error.name)}\n\n${members.map(memberLine).join('')}\n` : '';
  };
  return `${table(['class', 'codes', 'retryable', ''], ordered.map(errorRow))}\n${ordered.map(own).join('')}`;
}

const lines =
  (joint: string) =>
  (items: Export[]): string =>
    `${items.map(({ name, parameters, types, summary }) => line(name + parameters + joint + types.join(''), summary)).join('')}\n`;

const each =
  (render: (item: Export) => string) =>
  (items: Export[]): string =>
    items.map(render).join('');

const groups: [title: string, kind: Export['kind'], render: (items: Export[]) => string][] = [
  ['Functions', 'function', each(renderFunction)],
  ['Options', 'options', each(renderOptions)],
  ['Objects', 'object', each(renderObject)],
  ['Errors', 'error', renderErrors],
  ['Types', 'type', lines(' = ')],
  ['Values', 'value', lines(': ')],
];

function renderEntry({ name, exports, sharedNames }: Entry, mainName: string): string {
  const rendered = groups.flatMap(([title, kind, render]) => {
    const items = exports.filter((item) => item.kind === kind);
    return items.length > 0 ? [`### ${title}\n\n${render(items)}`] : [];
  });
  const shared = sharedNames.length > 0 ? `The same as in ${code(mainName)}: ${codes(sharedNames)}.` : '';
  return [`## ${code(name)}\n\n`, paragraph(shared), ...rendered].join('');
}

/** The command that regenerates api.md. */
export const regenerate = 'npx -y pnpm@12 --filter @topup-kit/sdk api';

/** Renders the API reference as Markdown. */
export function renderApi(entries: Entry[]): string {
  const [main] = entries;
  if (!main) throw new Error('There is no entry.');
  const head = [
    paragraph(`# API of ${code(main.name)}`),
    paragraph(`Generated from the sources by ${code(regenerate)}.`),
    paragraph(
      'Fixed strings in responses, such as statuses, may also be other strings, which newer services may send.',
    ),
  ];
  return `${[...head, ...entries.map((entry) => renderEntry(entry, main.name))].join('').trimEnd()}\n`;
}

if (import.meta.main) await writeFile(new URL('../../api.md', import.meta.url), renderApi(readApi()));
