import type { JournalEntry } from '@topup-kit/core/features/sandbox';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import type { Fields } from '../../output/departures.ts';
import type { Style } from '../../output/style.ts';
import type { Controls } from './controls.ts';

/** Maximum number of requests, which is the number that a sandbox keeps. */
export const mostRequests = 500;

const messageFields: Fields = { headers: ['map', 'string'], body: 'string', body_cut: 'boolean' };

const entryFields = {
  number: 'integer',
  at_ms: 'number',
  duration_ms: 'number',
  request_id: 'string',
  method: 'string',
  target: 'string',
  operation: ['nullable', 'string'],
  scenario: 'string',
  status: ['nullable', 'integer'],
  error_code: ['nullable', 'string'],
  order_id: ['nullable', 'string'],
  request: messageFields,
  response: messageFields,
} as const satisfies Record<keyof JournalEntry, unknown>;

export async function askRequests(controls: Controls, query: string): Promise<JournalEntry[]> {
  const data = await controls.ask(`/requests?${query}`, { requests: ['array', entryFields] });
  return (data as { requests: JournalEntry[] }).requests; // Safe: the value was fitted to these fields.
}

export async function askRequest(controls: Controls, number: number): Promise<JournalEntry> {
  const since = await askRequests(controls, `after=${Math.max(0, number - 1)}&limit=${mostRequests}`);
  const entry = since.at(-1);
  if (entry?.number === number) return entry;
  throw new CliError(`The sandbox has no request ${number}.`, {
    code: 'REQUEST_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: `It keeps the last ${mostRequests}. This lists them:\n  ${controls.commandLine('sandbox requests')}`,
  });
}

export const statusText = ({ status }: JournalEntry): string => (status === null ? 'cut' : String(status));

export const styleOfStatus = (text: string): Style => (/^[23]/.test(text) ? 'good' : 'bad');
