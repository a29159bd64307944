import { inspect } from 'node:util';
import { type Io, setting } from '../io.ts';
import { jsonDocument } from '../output/json.ts';
import { printable } from '../output/printable.ts';
import { table } from '../output/table.ts';
import { fieldName } from './order-flags.ts';
import type { Problem } from './problem.ts';

const asDocument = ({ message, details }: Problem): unknown => ({
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

/** Indentation is ours and stays. */
const printableLine = (line: string): string => (/^ */.exec(line)?.[0] ?? '') + printable(line.trim());

function asText({ message, details }: Problem): string {
  const { code, fields = {}, hint, requestId, serverMessage } = details;
  const messages = Object.entries(fields).flatMap(([field, texts]) =>
    texts.map((text) => [fieldName(field), text]),
  );
  const request = requestId ? `, request id: ${requestId}` : '';
  return [
    `Error: ${printableLines(message)}\n`,
    table([{}, {}], messages, { indent: 2 }),
    serverMessage === undefined ? '' : `The service said: ${printable(serverMessage)}\n`,
    requestId === undefined ? '' : `Code: ${printable(code + request)}\n`,
    hint === undefined ? '' : `${printableLines(hint)}\n`,
  ].join('');
}

/** Tells a problem: to people on stderr; to programs as the one document on stdout. */
export function report(problem: Problem, io: Io, json: boolean): void {
  if (json) io.stdout.write(jsonDocument(asDocument(problem)));
  else io.stderr.write(asText(problem));
  if (setting(io, 'TOPUP_DEBUG') !== undefined) io.stderr.write(`${inspect(problem.cause ?? problem)}\n`);
}
