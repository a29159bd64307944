import type { JournalEntry, RequestCode } from '@topup-kit/core/features/sandbox';
import { Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { timeInColumn, titleWithZone } from '../../output/format.ts';
import type { OutputStyle } from '../../output/style.ts';
import { type ColumnOf, list, tableOf } from '../../output/table.ts';
import { visible } from '../../output/text.ts';
import { chooseConnection } from '../../service/connection.ts';
import { askRequest, askRequests, mostRequests, statusText, styleOfStatus } from './ask-requests.ts';
import { connectSandbox } from './controls.ts';
import { followRequests } from './follow-requests.ts';

const columnsAt = (moment: number): ColumnOf<JournalEntry>[] => [
  [{ title: 'NUMBER', align: 'right' }, ({ number }) => String(number)],
  [{ title: titleWithZone('TIME', moment), spare: true }, ({ at_ms }) => timeInColumn(at_ms)],
  [{ title: 'REQUEST', long: true }, ({ method, target }) => `${method} ${target}`],
  [{ title: 'STATUS', style: styleOfStatus }, statusText],
  [{ title: 'ERROR' }, ({ error_code }) => error_code ?? ''],
  [{ title: 'ORDER', spare: true }, ({ order_id }) => order_id ?? ''],
  [{ title: 'MS', align: 'right', spare: true }, ({ duration_ms }) => String(duration_ms)],
];

/** Formats JSON over several lines; returns anything else as it was sent. */
function readableBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function messageScreen({ headers, body, body_cut }: JournalEntry['request']): string {
  const lines = [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['', ...readableBody(body).split('\n')]),
    ...(body_cut ? ['... (the sandbox keeps only the beginning)'] : []),
  ];
  return lines.map((line) => `  ${visible(line)}`.trimEnd()).join('\n');
}

function entryScreen(entry: JournalEntry, style: OutputStyle): string {
  const { number, at_ms, duration_ms, request_id, method, target, error_code, order_id, scenario } = entry;
  const status = statusText(entry);
  const details = list(
    [
      ['Number', String(number)],
      ['Time', titleWithZone(timeInColumn(at_ms), at_ms)],
      ['Status', status, styleOfStatus(status)],
      ['Error', error_code],
      ['Order', order_id],
      ['Scenario', scenario === 'none' ? null : scenario],
      ['Took', `${duration_ms} ms`],
      ['Id', request_id],
    ],
    style,
  );
  const title = (text: string): string => style.paint('title', text);
  return `${details}\n${title(visible(`${method} ${target}`))}\n${messageScreen(entry.request)}\n\n${title('Response')}\n${messageScreen(entry.response)}\n`;
}

const codeOptions = { curl: 'curl', sdk: 'sdk', 'mock-test': 'mockTest' } as const satisfies Record<
  string,
  keyof RequestCode
>;

type CodeOption = keyof typeof codeOptions;

async function codeOf(context: CommandContext, entry: JournalEntry, option: CodeOption): Promise<string> {
  const { requestCode } = await import('@topup-kit/core/features/sandbox');
  const { baseUrl } = await chooseConnection(context);
  const code = requestCode(entry, { baseUrl, mode: 'sandbox' })[codeOptions[option]];
  if (code !== null) return `${code.trimEnd().split('\n').map(visible).join('\n')}\n`;
  throw new CliError(`Request ${entry.number} can't be written as ${option}.`, {
    code: 'NO_CODE',
    exitCode: exitCodes.failure,
    hint: entry.request.body_cut
      ? 'The sandbox keeps only the beginning of its body.'
      : 'The SDK sends no such request.',
  });
}

async function listRequests(context: CommandContext, limit: number): Promise<void> {
  const controls = await connectSandbox(context);
  const requests = await askRequests(controls, `limit=${limit}`);
  await context.print({
    document: { requests },
    ids: requests.map(({ number }) => String(number)),
    screen: (style) => tableOf(columnsAt(requests[0]?.at_ms ?? 0), requests, style),
  });
  const newest = requests[0];
  context.remark(
    newest
      ? `\nTo show one with its headers and bodies:\n  ${controls.commandLine(`sandbox requests ${newest.number}`)}`
      : 'No requests yet.',
  );
}

async function showRequest(
  context: CommandContext,
  number: number,
  code: CodeOption | undefined,
): Promise<void> {
  const entry = await askRequest(await connectSandbox(context), number);
  const text = code && (await codeOf(context, entry, code));
  await context.print({
    document: code ? { number, code: text } : entry,
    screen: (style) => text ?? entryScreen(entry, style),
  });
}

export const requests = defineCommand({
  name: 'requests',
  description: 'List the last requests to the interface, newest first; with a number, show one request',
  build: (command) =>
    command
      .option('--follow', 'print new requests until Ctrl+C')
      .argument('[number]', 'number of a request, to show it with its headers and bodies', wholeNumber)
      .option('--limit <count>', `maximum number of requests, at most ${mostRequests}`, wholeNumber, 20)
      .addOption(
        // Safe: these are the keys of a constant table.
        new Option('--code <kind>', 'print the request as code').choices(
          Object.keys(codeOptions) as CodeOption[],
        ),
      ),
  help: `A sandbox keeps the last ${mostRequests} requests of each world in memory, without their keys.
--follow continues after a restart of the sandbox; with --json, it prints one line per request.`,
  example: 'sandbox requests 17 --code curl',
  async run(context, { limit, code, follow }, number) {
    if (limit < 1 || limit > mostRequests)
      throw usageError(`--limit must be a whole number from 1 to ${mostRequests}.`);
    if (follow && (number !== undefined || code !== undefined))
      throw usageError("--follow can't be combined with a number or --code.");
    if (follow) return followRequests(context, await connectSandbox(context));
    if (number !== undefined) return showRequest(context, number, code);
    if (code !== undefined) throw usageError('--code needs the number of a request.');
    return listRequests(context, limit);
  },
});
