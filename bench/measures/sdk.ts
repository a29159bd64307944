import { createMockService } from '@topup-kit/mock';
import { createTopupClient } from '@topup-kit/sdk';
import ky from 'ky';
import { type Measure, median } from '../measure.ts';

const rounds = 25;
const callsPerRound = 400;
const maxBytes = 22_000;

interface GameList {
  success: true;
  games: unknown[];
  populerGames: unknown[];
}

/** Returns the sandbox's list of games as text, cut to about 22 kB. */
async function gameListText(): Promise<string> {
  const { baseUrl, apiKey, fetch } = createMockService();
  const response = await fetch(`${baseUrl}/games`, { headers: { 'X-API-KEY': apiKey } });
  // Safe: this is the service's own response.
  const list = (await response.json()) as GameList;
  while (JSON.stringify(list).length > maxBytes) list.games.pop();
  return JSON.stringify(list);
}

/** Measures the mean time of a call, in microseconds, over a round of calls one after another. */
async function round(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let count = 0; count < callsPerRound; count += 1) await call();
  return ((performance.now() - start) * 1000) / callsPerRound;
}

export const sdk: Measure = {
  name: 'sdk',
  about:
    'games.list() with an injected fetch that returns prepared text, against the cheapest call of ky itself with the same fetch, and json()',
  async run() {
    const text = await gameListText();
    const fetch = async (_request: Request): Promise<Response> =>
      new Response(text, { headers: { 'Content-Type': 'application/json' } });
    const baseUrl = 'http://shop.test/api';
    const apiKey = 'tk_test_benchbenchbenchbenchbenchbench';
    const headers = { Accept: 'application/json', 'X-API-KEY': apiKey };
    const strict = createTopupClient({ baseUrl, apiKey, fetch, validation: 'strict' });
    const off = createTopupClient({ baseUrl, apiKey, fetch, validation: 'off' });
    const sides = {
      raw: async () => (await fetch(new Request(`${baseUrl}/games`, { headers }))).json(),
      // Turns off retries and the time limit, which the client has.
      ky: () =>
        ky(`${baseUrl}/games`, {
          fetch: (input) => fetch(input as Request),
          headers,
          retry: 0,
          timeout: false,
        }).json(),
      strict: () => strict.games.list(),
      off: () => off.games.list(),
    };

    for (const call of Object.values(sides)) await round(call);
    const done: Record<keyof typeof sides, number>[] = [];
    for (let count = 0; count < rounds; count += 1)
      done.push({
        raw: await round(sides.raw),
        ky: await round(sides.ky),
        strict: await round(sides.strict),
        off: await round(sides.off),
      });

    const figure = (name: string, side: keyof typeof sides) => ({
      name,
      unit: 'µs/call',
      values: done.map((each) => each[side]),
    });
    const ratio = (side: keyof typeof sides): number => median(done.map((each) => each[side] / each.ky));
    return {
      figures: [
        figure('fetch and json()', 'raw'),
        figure('ky and json(), no retries and no time limit', 'ky'),
        figure('games.list(), validation strict', 'strict'),
        figure('games.list(), validation off', 'off'),
      ],
      bars: [
        { name: 'strict / ky', value: ratio('strict'), kind: 'at most', bar: 1.25 },
        { name: 'off / ky', value: ratio('off'), kind: 'at most', bar: 1.15 },
      ],
      remarks: [`The response has ${Buffer.byteLength(text)} bytes.`],
    };
  },
};
