import type { Recorded } from './journey.ts';

/** Headers of a network connection, which responses within a process don't have. */
const connectionHeaders = [
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
];

/** Only what goes over a network is compressed, and says so to caches. */
const isOfConnection = ([name, value]: [string, unknown]): boolean =>
  connectionHeaders.includes(name) || (name === 'vary' && value === 'Accept-Encoding');

/** Values that depend on time or random numbers, by field name. */
const byName: Record<string, string> = {
  expired_time: '<unix time>',
  payment_reference: '<reference>',
  payment_code: '<code>',
  payment_code_display: '<code>',
  qr_string: '<code>',
  'x-request-id': '<request>',
  // It depends on the public URL, by the addresses of pictures.
  etag: '<version>',
};

const byShape: [shape: RegExp, name: string][] = [
  [/INV-\d{14}-[A-Z]{8}/g, '<order>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)/g, '<time>'],
  [/\/pay\/[^/"]+/g, '/pay/<reference>'],
];

/** Replaces values that differ between runs: ids, times and the origin of the service. */
export function normalise(responses: readonly Recorded[], baseUrl: string): Recorded[] {
  const { origin } = new URL(baseUrl);
  const text = (value: string): string =>
    byShape.reduce((so, [shape, name]) => so.replace(shape, name), value.replaceAll(origin, '<origin>'));
  const replaced = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? text(value) : value;
  const named = (name: string, value: unknown): unknown =>
    value !== null && value !== undefined && Object.hasOwn(byName, name)
      ? `${typeof value} ${byName[name]}`
      : replaced(name, value);
  return responses.map(({ request, status, headers, body }) =>
    JSON.parse(
      JSON.stringify(
        {
          request,
          status,
          headers: Object.fromEntries(
            Object.entries(headers)
              .filter((header) => !isOfConnection(header))
              .sort(([a], [b]) => a.localeCompare(b)),
          ),
          body,
        },
        named,
      ),
    ),
  );
}
