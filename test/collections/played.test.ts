import { sandboxKey } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../packages/server/test/helpers/sandbox.ts';
import { collectionFiles } from '../../scripts/collections.ts';

// The tools themselves, installed afresh, play both collections in collections.long.test.ts.

/** A request of a collection as its file has it, with variables in it, and what its tool does with the response. */
interface PlayedRequest {
  name: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  check(response: { status: number; body: unknown }, variables: Map<string, string>): void;
}

const files = collectionFiles();

interface PostmanItem {
  name: string;
  request: {
    method: string;
    header: { key: string; value: string }[];
    url: { raw: string; variable?: { key: string; value: string }[] };
    body?: { raw: string };
  };
  event: { script: { exec: string[] } }[];
}

/** The parts of Postman's `pm` that the scripts of the collection use. */
const postmanApi = (
  { status, body }: { status: number; body: unknown },
  variables: Map<string, string>,
): object => ({
  test: (_name: string, work: () => void) => work(),
  response: {
    json: () => body,
    to: { have: { status: (expected: number) => expect(status).toBe(expected) } },
  },
  expect: (value: unknown) => ({
    to: {
      have: {
        nested: {
          property: (path: string, ...expected: [unknown?]) =>
            expect(value).toHaveProperty(path, ...expected),
        },
      },
    },
  }),
  collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
});

function postmanRequests(): PlayedRequest[] {
  // Safe: this repository generates it; Postman's own runner reads it in collections.long.test.ts.
  const { item } = JSON.parse(files['postman/topup-kit.postman_collection.json'] ?? '') as {
    item: { item: PostmanItem[] }[];
  };
  return item
    .flatMap((folder) => folder.item)
    .map(({ name, request: { method, header, url, body }, event }) => ({
      name,
      method,
      body: body?.raw,
      url: (url.variable ?? []).reduce((raw, { key, value }) => raw.replace(`:${key}`, value), url.raw),
      headers: Object.fromEntries(header.map(({ key, value }) => [key, value])),
      check(response, variables) {
        for (const { script } of event)
          new Function('pm', script.exec.join('\n'))(postmanApi(response, variables));
      },
    }));
}

/** The blocks of a file of Bruno, by their names, without the spaces at the beginnings of lines. */
const blocksOf = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/^([\w:-]+) \{\n([\s\S]*?)\n\}$/gm)].map(([, name = '', block = '']) => [
      name,
      block.replaceAll(/^ {2}/gm, ''),
    ]),
  );

/** The lines `key: value` of a block. */
const pairsOf = (block = ''): [string, string][] =>
  [...block.matchAll(/^(\S+): (.*)$/gm)].map(([, key = '', value = '']) => [key, value]);

/** What an assertion of Bruno compares: `res.body.data.payment_status`, or `res.status`. */
const valueAt = (response: object, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, key) => Object(value)[key], response);

function brunoRequests(): PlayedRequest[] {
  const requests = Object.entries(files).flatMap(([path, text]) => {
    const blocks = blocksOf(text);
    const method = ['get', 'post'].find((verb) => blocks.has(verb));
    if (!path.endsWith('.bru') || method === undefined) return [];
    const { name = '', seq } = Object.fromEntries(pairsOf(blocks.get('meta')));
    const { url = '' } = Object.fromEntries(pairsOf(blocks.get(method)));
    const folder = path.split('/').at(-2);
    const request: PlayedRequest = {
      name,
      method: method.toUpperCase(),
      body: blocks.get('body:json'),
      url: pairsOf(blocks.get('params:path')).reduce(
        (raw, [key, value]) => raw.replace(`:${key}`, value),
        url,
      ),
      headers: Object.fromEntries(pairsOf(blocks.get('headers'))),
      check(response, variables) {
        for (const [key, from] of pairsOf(blocks.get('vars:post-response')))
          variables.set(key, String(valueAt(response, from)));
        for (const [at, claim] of pairsOf(blocks.get('assert'))) {
          const value = valueAt(response, at);
          if (claim === 'isDefined') expect(value, at).toBeDefined();
          else expect(`eq ${value}`, at).toBe(claim);
        }
      },
    };
    return [{ request, folder, seq: Number(seq) }];
  });
  const folders = ['Catalogue', 'Orders'];
  return requests
    .toSorted((a, b) => folders.indexOf(a.folder ?? '') - folders.indexOf(b.folder ?? '') || a.seq - b.seq)
    .map(({ request }) => request);
}

describe.each([
  ['Postman', postmanRequests()],
  ['Bruno', brunoRequests()],
] as const)('the collection for %s', (_tool, requests) => {
  it('places, pays and reads an order, request by request', async () => {
    await using server = await startSandbox();
    const variables = new Map([
      ['baseUrl', server.baseUrl],
      ['sandboxUrl', `${server.publicUrl}/sandbox`],
    ]);
    const filled = (text: string): string =>
      text.replaceAll(/\{\{(.+?)\}\}/g, (_, key: string) =>
        key === '$guid' ? crypto.randomUUID() : (variables.get(key) ?? expect.fail(`${key} is not set`)),
      );
    expect(requests.map(({ name }) => name)).toContain('payOrder');
    for (const { name, method, url, headers, body, check } of requests) {
      const response = await fetch(filled(url), {
        method,
        headers: {
          'X-API-KEY': sandboxKey,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, filled(value)])),
        },
        ...(body !== undefined && { body: filled(body) }),
      });
      const played = { status: response.status, body: await response.json() };
      expect(() => check(played, variables), `${name}: ${JSON.stringify(played)}`).not.toThrow();
    }
  });
});

it('sends the same requests in both tools', () => {
  const asked = (requests: PlayedRequest[]) =>
    requests.map(({ name, method, url, body }) => ({ name, method, url, body: body && JSON.parse(body) }));
  expect(asked(brunoRequests())).toEqual(asked(postmanRequests()));
});
