import { inspect } from 'node:util';
import { type Io, setting } from '../io.ts';
import { jsonLine } from '../output/json.ts';
import { type Look, lookOf } from '../output/look.ts';
import { printable } from '../output/printable.ts';
import { table } from '../output/table.ts';
import { fieldName } from './order-flags.ts';
import type { Problem } from './problem.ts';

/** A problem for programs. */
export const problemDocument = ({ message, details }: Problem): unknown => ({
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

function asText({ message, details }: Problem, look: Look): string {
  const { code, fields = {}, hint, requestId, serverMessage } = details;
  const messages = Object.entries(fields).flatMap(([field, texts]) =>
    texts.map((text) => [fieldName(field), text]),
  );
  const request = requestId ? `, request id: ${requestId}` : '';
  return [
    `${look.paint('bad', 'Error:')} ${printableLines(message)}\n`,
    table([{}, {}], messages, { ...look, indent: 2 }),
    serverMessage === undefined ? '' : `The service said: ${printable(serverMessage)}\n`,
    requestId === undefined ? '' : `Code: ${printable(code + request)}\n`,
    hint === undefined ? '' : `${printableLines(hint)}\n`,
  ].join('');
}

/**
 * Tells a problem: to people on stderr; to programs as the one document on stdout, on a line of its own so that it also
 * ends a stream of them.
 */
export function report(problem: Problem, io: Io, json: boolean): void {
  if (json) io.stdout.write(jsonLine(problemDocument(problem)));
  else io.stderr.write(asText(problem, lookOf(io, io.stderr)));
  if (setting(io, 'TOPUP_DEBUG') !== undefined) io.stderr.write(`${inspect(problem.cause ?? problem)}\n`);
}
