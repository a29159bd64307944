import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { respondingInTurn, silence, status } from './attempts.ts';
import { baseUrl, orderRequest, rejection, stalledBody, underFakeTimers } from './responses.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Counts the listeners on a signal. */
function watched(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners.add(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners.delete(args[1]);
    removeEventListener.apply(signal, args);
  };
  return { controller, listeners: () => listeners.size };
}

const ends: [string, Fetch][] = [
  ['succeeded', async () => Response.json({ success: true })],
  ['was refused', async () => Response.json({}, { status: 404 })],
  ['was tried again', respondingInTurn(status(503), status(200, {}, { success: true })).fetch],
  ['failed to the end', async () => Response.json({}, { status: 503 })],
  ['had no network', () => Promise.reject(new TypeError('fetch failed'))],
  ['timed out', silence],
  ['timed out in its body', async () => new Response(stalledBody())],
];

describe('no timer and no listener remains', () => {
  it.each(ends)('leaves no timer and no listener after a call that %s', async (_case, fetch) => {
    vi.useFakeTimers();
    const { controller, listeners } = watched();
    const client = createTopupClient({ baseUrl, fetch });

    await underFakeTimers(client.games.list({ signal: controller.signal }));

    expect(listeners()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['while a fetch ignores the abort', silence],
    ['between two attempts', status(503)],
  ])('leaves no timer and no listener after a call that was aborted %s', async (_case, response) => {
    vi.useFakeTimers();
    const { controller, listeners } = watched();
    const client = createTopupClient({ baseUrl, fetch: async () => response() });
    const ended = rejection(client.games.list({ signal: controller.signal }));

    await vi.advanceTimersByTimeAsync(10);
    controller.abort();

    expect(await ended).toMatchObject({ code: 'ABORTED' });
    expect(listeners()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer and no listener after a hook that hung', async () => {
    vi.useFakeTimers();
    const { controller, listeners } = watched();
    const hooks = { onRequest: () => new Promise<void>(() => {}) };
    const client = createTopupClient({ baseUrl, fetch: silence, hooks });
    const ended = rejection(client.games.list({ signal: controller.signal }));

    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    await ended;

    expect(listeners()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer and no listener after a late body', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const late: Fetch = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      throw new TypeError('fetch failed');
    };

    await rejection(createTopupClient({ baseUrl, fetch: late, timeout: 5, maxRetries: 0 }).games.list());
    await new Promise((resolve) => setTimeout(resolve, 60));
    process.off('unhandledRejection', unhandled);

    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('memory', () => {
  setFlagsFromString('--expose-gc');
  // Safe: the flag defines it.
  const collect = runInNewContext('gc') as () => void;
  const heapUsed = async (): Promise<number> => {
    for (let rounds = 0; rounds < 6; rounds += 1) {
      // Finalizers run after a collection, so a second one is needed.
      await new Promise((resolve) => setTimeout(resolve, 20));
      collect();
    }
    return process.memoryUsage().heapUsed;
  };

  it('uses constant memory over a thousand calls with one signal', async () => {
    const { signal } = new AbortController();
    const body = JSON.stringify({ success: true, games: [], populerGames: [], filling: 'x'.repeat(1_000) });
    const refusal = JSON.stringify({ success: false, message: 'Habis.' });
    const fetch: Fetch = async ({ method }) =>
      method === 'GET' ? new Response(body) : new Response(refusal, { status: 422 });
    const client = createTopupClient({ baseUrl, fetch });
    const calls = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += 2) {
        await client.games.list({ signal });
        await rejection(client.orders.create(orderRequest, { signal }));
      }
    };
    await calls(1_000);
    const before = await heapUsed();

    await calls(1_000);

    expect((await heapUsed()) - before, 'bytes kept').toBeLessThan(1_000 * 200);
  });
});
