import type { Recorded } from './journey.ts';

/** Headers that a connection needs; an answer that crosses none has none of them. */
const ofTheConnection = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

/** Values that time and chance make, by where they stand. */
const byName: Record<string, string> = {
  expired_time: '<unix time>',
  payment_reference: '<reference>',
  payment_code: '<code>',
  payment_code_display: '<code>',
  qr_string: '<code>',
  'x-request-id': '<request>',
};

const byShape: [shape: RegExp, name: string][] = [
  [/INV-\d{14}-[A-Z]{8}/g, '<order>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)/g, '<time>'],
  [/\/pay\/[^/"]+/g, '/pay/<reference>'],
];

/** Answers without what differs from run to run: ids, times, and where the service is. */
export function normalise(answers: readonly Recorded[], baseUrl: string): Recorded[] {
  const { origin } = new URL(baseUrl);
  const text = (value: string): string =>
    byShape.reduce((so, [shape, name]) => so.replace(shape, name), value.replaceAll(origin, '<origin>'));
  const steady = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? text(value) : value;
  const named = (name: string, value: unknown): unknown =>
    value !== null && value !== undefined && Object.hasOwn(byName, name)
      ? `${typeof value} ${byName[name]}`
      : steady(name, value);
  return answers.map(({ request, status, headers, body }) =>
    JSON.parse(
      JSON.stringify(
        {
          request,
          status,
          headers: Object.fromEntries(
            Object.entries(headers)
              .filter(([name]) => !ofTheConnection.includes(name))
              .sort(([a], [b]) => a.localeCompare(b)),
          ),
          body,
        },
        named,
      ),
    ),
  );
}
