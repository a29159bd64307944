import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What replaces a value: `undefined` leaves it out. */
export interface Spoiling {
  /** Which value of the response, counted through all of them; larger numbers begin again. */
  place: number;
  instead: unknown;
}

/** The places of all values in a JSON value, as the keys that lead to them. */
export function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))];
}

/** A copy of a JSON value in which another value is in a place. */
export function replaceAt(value: unknown, [key, ...rest]: readonly string[], instead: unknown): unknown {
  if (key === undefined) return instead;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaceAt(item, rest, instead) : item));
  const fields = value as Record<string, unknown>; // Safe: a path consists of lists and objects.
  const { [key]: old, ...others } = fields;
  const next = replaceAt(old, rest, instead);
  return next === undefined ? others : { ...fields, [key]: next };
}

export function spoil(body: unknown, spoilings: readonly Spoiling[]): unknown {
  return spoilings.reduce<unknown>((spoilt, { place, instead }) => {
    const places = placesOf(spoilt);
    return replaceAt(spoilt, places[place % places.length] ?? [], instead);
  }, body);
}

/** A proxy that changes the JSON of every response, and keeps the last response of each path. */
export async function startSpoilingService(target: string) {
  let change: (body: unknown, path: string) => unknown = (body) => body;
  let status: number | undefined;
  const sent = new Map<string, unknown>();
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const {
      host,
      connection,
      'content-length': length,
      'accept-encoding': encoding,
      ...kept
    } = request.headers;
    const headers = Object.entries(kept).map(([name, value]): [string, string] => [name, String(value)]);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    const answer = await fetch(target + url, { method, headers, body });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
    const path = `${method} ${url}`;
    const spoilt = isJson ? change(JSON.parse(text), path) : text;
    sent.set(path, spoilt);
    for (const name of ['content-type', 'idempotency-key', 'x-error-code', 'date']) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    response.statusCode = status ?? answer.status;
    response.end(isJson ? JSON.stringify(spoilt) : text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // Safe: it listens on a port, not on a pipe.
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    sent,
    /** How responses are changed from now on, and the status that all of them have. */
    change(next: typeof change, withStatus?: number) {
      change = next;
      status = withStatus;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
