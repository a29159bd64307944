import { inspect } from 'node:util';
import type { CliError } from '../errors/cli-error.ts';
import { fieldName } from '../errors/order-flags.ts';
import { type Io, setting } from '../io.ts';
import { layOut } from './layout.ts';
import { jsonLine } from './print.ts';
import { type OutputStyle, styleOf } from './style.ts';
import { table } from './table.ts';
import { printable, visibleLines, wrap } from './text.ts';

export const errorDocument = ({ message, details }: CliError): unknown => ({
  error: {
    code: details.code,
    message,
    hint: details.hint ?? null,
    request_id: details.requestId ?? null,
    fields: details.fields ?? null,
    idempotency_key: details.idempotencyKey ?? null,
  },
});

const printableLines = (text: string): string => text.split('\n').map(printableLine).join('\n');

/** Escapes control characters in a line, but keeps the indentation, which comes from this program. */
const printableLine = (line: string): string => (/^ */.exec(line)?.[0] ?? '') + printable(line.trim());

/** Formats a hint. Indented lines are command lines; other lines are wrapped. */
const hintLines = (hint: string, { columns }: OutputStyle): string =>
  hint
    .split('\n')
    .map((line) =>
      columns === undefined || line.startsWith(' ')
        ? `${layOut(printableLine(line), columns)}\n`
        : wrap(line, columns),
    )
    .join('');

/** Formats the messages by field. Omits a single message that repeats the error's message. */
function fieldRows(message: string, fields: Record<string, string[]>): string[][] {
  const rows = Object.entries(fields).flatMap(([field, texts]) =>
    texts.map((text) => [fieldName(field), text]),
  );
  const [first, ...others] = rows;
  return first?.[0] && first[1] === message && others.length === 0 ? [[first[0]]] : rows;
}

function asText({ message, details }: CliError, style: OutputStyle): string {
  const { code, fields = {}, hint, requestId, serverMessage } = details;
  const request = requestId ? `, request id: ${requestId}` : '';
  return [
    `${style.paint('bad', 'Error:')} ${printableLines(message)}\n`,
    table([{}, {}], fieldRows(message, fields), { ...style, indent: 2 }),
    serverMessage === undefined ? '' : `The service said: ${printable(serverMessage)}\n`,
    requestId === undefined ? '' : `Code: ${printable(code + request)}\n`,
    hint === undefined ? '' : hintLines(hint, style),
  ].join('');
}

/** Prints an error: for people on stderr, and for programs as a JSON document on stdout, on its own line so that it also ends a stream. */
export async function report(problem: CliError, io: Io, json: boolean): Promise<void> {
  if (json) await io.stdout.write(jsonLine(errorDocument(problem)));
  else io.stderr.write(asText(problem, styleOf(io, io.stderr)));
  if (setting(io, 'TOPUP_DEBUG') !== undefined)
    io.stderr.write(`${visibleLines(inspect(problem.cause ?? problem))}\n`);
}
