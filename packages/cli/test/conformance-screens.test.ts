import type { ConformanceResult, ServiceDescription } from '@topup-kit/conformance';
import { describe, expect, it } from 'vitest';
import { curlOf } from '../src/commands/conformance/curl.ts';
import { conformanceDocument, conformanceScreen } from '../src/commands/conformance/screen.ts';
import { plain } from '../src/output/style.ts';
import { failureOf } from './helpers/screens.ts';
import { startJsonService } from './helpers/servers.ts';

const result = (change: Partial<ConformanceResult>): ConformanceResult => ({
  ...{ name: 'a case', origin: 'interface', cites: ['interface 4.1/success'], outcome: 'passed', notes: [] },
  ...change,
});
const sent = {
  method: 'GET',
  url: 'https://shop.example/api/games',
  headers: [['X-API-KEY', '$TOPUP_API_KEY']],
} as const;
const description: ServiceDescription & { baseUrl: string } = {
  baseUrl: 'https://shop.example/api',
  wrote: false,
  orders: 0,
  unknown: ['language'],
  dialect: {
    acceptRequired: true,
    language: 'fixed',
    routes: { getGame: false, listOrders: true },
    timezone: 'UTC',
  },
  differences: [
    {
      kind: 'type',
      origin: 'interface',
      request: 'GET /games',
      at: '$.games[].sort',
      expected: 'an integer',
      received: 'a string',
    },
    {
      kind: 'header',
      origin: 'extension',
      request: 'GET /games',
      at: 'header ETag',
      expected: 'an ETag',
      received: 'none',
    },
    {
      kind: 'value',
      origin: 'interface',
      request: 'GET /games',
      expected: 'x',
      received: 'y',
      by: 'interface 4.1/success',
    },
  ],
  results: [
    result({}),
    result({ outcome: 'skipped', reason: 'it needs writes' }),
    result({
      ...{ name: 'GET /games is a list', outcome: 'failed', sent },
      difference: {
        request: 'GET /games',
        by: 'interface 4.1/success',
        at: '$.success',
        expected: 'true',
        received: 'x'.repeat(100),
      },
    }),
    result({ name: 'a case that never ended', outcome: 'failed', reason: 'it took longer than 30 seconds' }),
    result({ origin: 'extension' }),
    result({ name: 'of this kit', origin: 'extension', outcome: 'failed', cites: [], reason: 'why' }),
  ],
};

describe('the report of a service', () => {
  it('shows the differences, the learned dialect, and each failed check with its request', () => {
    expect(conformanceScreen(description, { ...plain, columns: 80 })).toMatchInlineSnapshot(`
      "Interface  1 passed, 2 failed, 1 skipped
      This kit   1 passed, 1 failed, 0 skipped

      Fields that differ
        OF         WHAT    REQUEST     AT              EXPECTED    CAME
        interface  type    GET /games  $.games[].sort  an integer  a string
        this kit   header  GET /games  ETag            an ETag     none

      Where the interface is silent
        ENTRY              SEEN   THIS KIT
        routes.getGame     no     yes
        routes.listOrders  yes
        language           fixed  requested
        acceptRequired     yes    no
        timezone           UTC    Asia/Jakarta

      Failed checks of the interface

      1. GET /games is a list
         Contract  interface 4.1: success | boolean | true
         At        $.success
         Expected  true
         Received  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx

      curl -i https://shop.example/api/games \\
        -H 'Accept:' \\
        -H "X-API-KEY: \${TOPUP_API_KEY}"

      2. a case that never ended
         Contract  interface 4.1: success | boolean | true
         Expected  that the check runs to its end
         Received  it took longer than 30 seconds

      Failed checks of this kit's extensions, which the interface doesn't require

      1. of this kit
         Contract  interface 4: interface 4
         Expected  that the check runs to its end
         Received  why
      "
    `);
    expect(conformanceScreen(description, { ...plain, columns: 40 })).toMatchSnapshot();
  });

  it('prints the conformance report for programs', () => {
    expect(conformanceDocument(description)).toMatchSnapshot();
  });

  it('shows no report without results', () => {
    const none = { ...description, differences: [], dialect: {}, results: [] };
    expect(conformanceScreen(none, plain)).toBe(
      'Interface  0 passed, 0 failed, 0 skipped\nThis kit   0 passed, 0 failed, 0 skipped\n',
    );
  });

  it('paints the names and labels of the report', () => {
    const paint = (style: string | undefined, text: string): string => `<${style ?? ''}>${text}</>`;
    const screen = conformanceScreen(
      { ...description, differences: [], dialect: {} },
      { paint, columns: 80 },
    );
    expect(screen).toContain('<bad>1. GET /games is a list</>\n   <quiet>Contract  </>interface 4.1: ');
  });
});

describe('a request as a command line', () => {
  it.each([
    ['a GET', sent],
    ['an unusual method', { ...sent, method: 'DELETE' }],
    [
      'a URL with characters that a shell interprets',
      { ...sent, url: "https://shop.example/api/games?a=b&c='d'" },
    ],
    [
      'its own Accept',
      {
        ...sent,
        headers: [
          ['accept', 'text/html'],
          ['X-Empty', ''],
        ] as const,
      },
    ],
    [
      'a short body',
      {
        method: 'POST',
        url: sent.url,
        headers: [['Content-Type', 'application/json']] as const,
        body: '{"a":1}',
      },
    ],
    [
      'a long body of JSON',
      {
        method: 'POST',
        url: sent.url,
        headers: [],
        body: JSON.stringify({ a: 'x'.repeat(70), key: '$TOPUP_API_KEY' }),
      },
    ],
    [
      'a long body that is not JSON',
      { method: 'PUT', url: sent.url, headers: [], body: `{ ${'x'.repeat(70)}` },
    ],
    [
      'a body that is too long to show',
      { method: 'POST', url: sent.url, headers: [], body: 'x'.repeat(4_001) },
    ],
    [
      'two keys and characters that a shell interprets',
      { ...sent, headers: [['X-API-KEY', '$TOPUP_API_KEY"$x`\\$TOPUP_OTHER_API_KEY']] as const },
    ],
    ['control characters', { ...sent, headers: [['X-A', '\u001b[2J']] as const }],
  ])('writes a request as a curl command with %s', (_case, request) => {
    expect(curlOf(request)).toMatchSnapshot();
  });
});

describe('conformance is not run', () => {
  it.each([
    [404, { message: 'x' }],
    [401, { message: 'Unauthorized' }],
    [200, []],
    [500, {}],
  ])("doesn't run against a service that responds with %i %j", async (status, body) => {
    await using service = await startJsonService(status, body);
    const text = await failureOf(['conformance', '--base-url', service.baseUrl]);
    expect(text.replaceAll(service.baseUrl, '<service>')).toMatchSnapshot();
  });

  it('rejects a file without a valid order', async () => {
    await using service = await startJsonService(200, { success: true, games: [], populerGames: [] });
    const failing = async (file: string) =>
      failureOf(['conformance', '--allow-writes', '--order', file, '--base-url', service.baseUrl]);
    expect(await failing('/dev/null')).toMatch(/^Error: \/dev\/null is not JSON: .*\.\nexit 2, USAGE$/);
    expect(service.asked).toEqual([]);
  });
});
