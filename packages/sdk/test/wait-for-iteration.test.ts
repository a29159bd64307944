import { ReadableStream } from 'node:stream/web';
import { isTopupError } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rejection } from './responses.ts';
import {
  delivered,
  fails,
  hangs,
  inDelivery,
  orderId,
  scripted,
  state,
  unheardRejections,
  unpaid,
} from './status-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wholeWay = ['UNPAID Pending', 'PAID Proses', 'PAID Sukses'];

/** All states of an iteration, as text. */
async function collect(states: AsyncIterable<{ payment_status: string; buy_status: string }>) {
  const seen: string[] = [];
  for await (const { payment_status, buy_status } of states) seen.push(`${payment_status} ${buy_status}`);
  return seen;
}

describe('iterating over a wait', () => {
  it('returns each new state, and ends after the final state', async () => {
    const { client } = scripted([unpaid, unpaid, inDelivery, inDelivery, delivered]);

    const seen = collect(client.orders.waitFor(orderId));
    await vi.advanceTimersByTimeAsync(30_000);

    expect(await seen).toEqual(wholeWay);
  });

  it('returns a state as soon as it is known', async () => {
    const { client } = scripted([unpaid, inDelivery, hangs]);
    const seen: string[] = [];

    const leaving = new AbortController();
    const wait = client.orders.waitFor(orderId, { signal: leaving.signal });
    const over = (async () => {
      for await (const { payment_status } of wait) seen.push(payment_status);
    })().catch(() => {});
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual(['UNPAID']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toEqual(['UNPAID', 'PAID']);

    leaving.abort();
    await over;
  });

  it("ends at the payment with until: 'paid'", async () => {
    const { client } = scripted([unpaid, inDelivery, delivered]);

    const seen = collect(client.orders.waitFor(orderId, { until: 'paid' }));
    await vi.advanceTimersByTimeAsync(30_000);

    expect(await seen).toEqual(wholeWay.slice(0, 2));
  });

  it('throws the error of the wait after the earlier states', async () => {
    const { client } = scripted([unpaid, inDelivery, fails(401)]);
    const seen: string[] = [];

    const failure = rejection(
      (async () => {
        for await (const { payment_status } of client.orders.waitFor(orderId)) seen.push(payment_status);
      })(),
    );
    await vi.advanceTimersByTimeAsync(30_000);

    expect(await failure).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(seen).toEqual(['UNPAID', 'PAID']);
  });

  it('returns every state to a slow loop', async () => {
    const { client } = scripted([unpaid, inDelivery, delivered]);
    const seen: string[] = [];

    const over = (async () => {
      for await (const { buy_status } of client.orders.waitFor(orderId)) {
        seen.push(buy_status);
        await new Promise((resolve) => setTimeout(resolve, 20_000));
      }
    })();
    await vi.advanceTimersByTimeAsync(80_000);
    await over;

    expect(seen).toEqual(['Pending', 'Proses', 'Sukses']);
  });

  it('returns all states if the iteration starts after the end', async () => {
    const { client } = scripted([unpaid, inDelivery, delivered]);

    const wait = client.orders.waitFor(orderId);
    await vi.advanceTimersByTimeAsync(30_000);
    await wait;

    expect(await collect(wait)).toEqual(wholeWay);
  });

  it('returns all states, and then throws the error, if the iteration starts after an error', async () => {
    const { client } = scripted([unpaid, fails(401)]);
    const seen: string[] = [];

    const wait = client.orders.waitFor(orderId);
    const ended = wait.safe();
    await vi.advanceTimersByTimeAsync(30_000);
    await ended;

    const failure = await rejection(
      (async () => {
        for await (const { payment_status } of wait) seen.push(payment_status);
      })(),
    );
    expect(seen).toEqual(['UNPAID']);
    expect(failure).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('supports two iterations at the same time', async () => {
    const { client, queries } = scripted([unpaid, inDelivery, delivered]);

    const wait = client.orders.waitFor(orderId);
    const both = Promise.all([collect(wait), collect(wait)]);
    await vi.advanceTimersByTimeAsync(30_000);

    expect(await both).toEqual([wholeWay, wholeWay]);
    expect(queries).toHaveLength(3);
  });

  it("doesn't affect the promise", async () => {
    const { client, queries } = scripted([unpaid, delivered]);

    const wait = client.orders.waitFor(orderId);
    const seen = collect(wait);
    await vi.advanceTimersByTimeAsync(30_000);

    expect(await seen).toHaveLength(2);
    expect(await wait).toEqual({ outcome: 'delivered', state: state('PAID', 'Sukses') });
    expect(queries).toHaveLength(2);
  });
});

describe('leaving the loop', () => {
  it('stops the polls and leaves no timer', async () => {
    const { client, queries } = scripted([unpaid, inDelivery, delivered]);

    const over = (async () => {
      for await (const { payment_status } of client.orders.waitFor(orderId))
        if (payment_status === 'PAID') break;
    })();
    await vi.advanceTimersByTimeAsync(1_000);
    await over;
    await vi.advanceTimersByTimeAsync(0);

    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(queries).toHaveLength(2);
  });

  it('stops the polls, even with a signal that is not aborted', async () => {
    const { client, queries } = scripted([unpaid]);
    const { signal } = new AbortController();

    for await (const _ of client.orders.waitFor(orderId, { signal })) break;
    await vi.advanceTimersByTimeAsync(60_000);

    expect(queries).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stops the polls after an error in the loop', async () => {
    const { client, queries } = scripted([unpaid, delivered]);

    const failure = await rejection(
      (async () => {
        for await (const _ of client.orders.waitFor(orderId)) throw new Error('page left');
      })(),
    );
    await vi.advanceTimersByTimeAsync(60_000);

    expect(failure).toMatchObject({ message: 'page left' });
    expect(queries).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends the promise when the loop ends', async () => {
    const { client } = scripted([unpaid, delivered]);
    const wait = client.orders.waitFor(orderId);

    for await (const _ of wait) break;

    expect(await rejection(wait)).toMatchObject({ name: 'TopupAbortError' });
  });

  it("keeps the promise's result when the loop ends at the final state", async () => {
    const { client } = scripted([delivered]);
    const wait = client.orders.waitFor(orderId);

    for await (const _ of wait) break;

    expect(await wait).toMatchObject({ outcome: 'delivered' });
  });

  it('leaves the loop while the next state is awaited, like a cancelled stream', async () => {
    const { client, queries } = scripted([unpaid]);

    const reader = ReadableStream.from(client.orders.waitFor(orderId)).getReader();
    await reader.read();
    const pending = reader.read();
    await vi.advanceTimersByTimeAsync(1_500);
    await reader.cancel();

    expect(await pending).toMatchObject({ done: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(queries).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves the loop before the first state', async () => {
    const { client, queries } = scripted([unpaid]);

    const unheard = await unheardRejections(async () => {
      await client.orders.waitFor(orderId)[Symbol.asyncIterator]().return?.();
      await vi.advanceTimersByTimeAsync(60_000);
    });

    expect(queries.length).toBeLessThanOrEqual(1);
    expect(unheard).toEqual([]);
  });
});

describe('no rejection is unhandled', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['of the promise alone', () => rejection(scripted([fails(401)]).client.orders.waitFor(orderId))],
    [
      'of safe() alone',
      () =>
        scripted([fails(401)])
          .client.orders.waitFor(orderId)
          .safe(),
    ],
    [
      'of the iteration alone',
      () => rejection(collect(scripted([unpaid, fails(401)]).client.orders.waitFor(orderId))),
    ],
    [
      'of a loop that was left',
      async () => {
        for await (const _ of scripted([unpaid]).client.orders.waitFor(orderId)) break;
      },
    ],
    [
      'of a loop that is busy with a state when the wait fails',
      async () => {
        try {
          for await (const _ of scripted([unpaid, fails(401)]).client.orders.waitFor(orderId))
            await new Promise((resolve) => setTimeout(resolve, 10_000));
        } catch (error) {
          if (!isTopupError(error, 'UNAUTHORIZED')) throw error;
        }
      },
    ],
    [
      'of two loops',
      () => {
        const wait = scripted([unpaid, fails(401)]).client.orders.waitFor(orderId);
        return Promise.all([rejection(collect(wait)), rejection(collect(wait))]);
      },
    ],
  ])('leaves no unhandled rejection %s', async (_case, use) => {
    const unheard = await unheardRejections(async () => {
      const used = use();
      await vi.advanceTimersByTimeAsync(60_000);
      await used;
    });

    expect(unheard).toEqual([]);
  });
});
