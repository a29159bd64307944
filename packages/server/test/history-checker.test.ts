import { describe, expect, it } from 'vitest';
import { checkHistory, type Rule } from '../../../soak/history/check.ts';
import type { Operation } from '../../../soak/history/operation.ts';
import type { Effect } from '../../../soak/history/rules.ts';

const orderId = 'INV-20261128120000-AAAAAAAA';
const other = 'INV-20261128120000-BBBBBBBB';
/** The orders expire long after these histories, which begin at 0. */
const expires = 1_000;
const total = 22_000;
const frame = (start: number, end: number) => ({ server: 'server 1', start, end });
const of = { account: 'web', key: 'k1' };
const shown = (state: string, more: object = {}) => ({ key: 'k1', orderId, state, total, expires, ...more });

const created = { orderId, isReplay: false, total, expires, hash: 'a' };
const place = (start: number, end: number, more: object = {}): Operation => ({
  ...{ does: 'place', ...of, same: true, ...frame(start, end) },
  got: { ...created, ...more },
});
const lostPlace = (start: number, end: number): Operation => ({
  ...{ does: 'place', ...of, same: true, ...frame(start, end), got: null },
});
const see = (start: number, end: number, state: string): Operation => ({
  ...{ does: 'read', by: 'invoice', ...of, ...frame(start, end), got: shown(state) },
});
const miss = (start: number, end: number): Operation => ({
  ...{ does: 'read', by: 'key', ...of, ...frame(start, end), got: 'none' },
});
const change = (
  start: number,
  end: number,
  effect: Effect,
  got: 'changed' | 'nothing' | null = 'changed',
): Operation => ({ does: 'change', effect, ...of, ...frame(start, end), got });
const list = (
  start: number,
  end: number,
  orders: ReturnType<typeof shown>[],
  more: { more?: boolean; walk?: number } = {},
): Operation => ({
  ...{ does: 'list', account: 'web', walk: more.walk ?? null, ...frame(start, end) },
  got: { orders, more: more.more ?? false },
});

/** The rules that a history breaks, each once. */
async function broken(...history: Operation[]): Promise<Rule[]> {
  const { violations } = await checkHistory(history);
  return [...new Set(violations.map(({ rule }) => rule))];
}

describe('accepts a history', () => {
  it('accepts a history in which orders follow the open points', async () => {
    const paid = [place(0, 1), change(2, 3, 'paid'), see(4, 5, 'PAID/Proses')];
    expect(
      await broken(
        ...paid,
        see(6, 7, 'PAID/Sukses'),
        change(8, 9, 'marked failed'),
        see(10, 11, 'PAID/Gagal'),
      ),
    ).toEqual([]);
    expect(
      await broken(...paid, see(6, 7, 'PAID/Gagal'), change(8, 9, 'retried'), see(10, 11, 'PAID/Proses')),
    ).toEqual([]);
    expect(
      await broken(...paid, see(6, 7, 'PAID/Gagal'), change(8, 9, 'refunded'), see(10, 11, 'REFUND/Gagal')),
    ).toEqual([]);
    expect(
      await broken(
        place(0, 1),
        change(2, 3, 'expired'),
        see(4, 5, 'EXPIRED/Batal'),
        change(6, 7, 'paid'),
        see(8, 9, 'PAID/Proses'),
      ),
    ).toEqual([]);
  });

  it('accepts a read that overlaps a change and shows the earlier state', async () => {
    expect(await broken(place(0, 1), see(2, 9, 'UNPAID/Pending'), change(3, 4, 'paid'))).toEqual([]);
    expect(await broken(place(0, 1), see(3, 9, 'PAID/Proses'), change(2, 10, 'paid'))).toEqual([]);
    // Its response comes last, long after.
    const between = [see(5_000, 5_001, 'PAID/Proses'), see(9_000, 9_001, 'PAID/Proses')];
    const paid = [place(0, 1), change(2, 4, 'paid'), ...between];
    expect(await broken(...paid, see(3, 15_000, 'UNPAID/Pending'))).toEqual([]);
  });

  it('accepts a change without a response that takes effect later, or never', async () => {
    const lost = [place(0, 1), change(2, 3, 'paid', null), see(4, 5, 'UNPAID/Pending')];
    expect(await broken(...lost, see(150_000, 150_001, 'PAID/Proses'))).toEqual([]);
    const unpaid = see(150_000, 150_001, 'UNPAID/Pending');
    expect(await broken(...lost, unpaid, see(300_000, 300_001, 'PAID/Proses'))).toEqual([]);
    expect(
      await broken(...lost, see(150_000, 150_001, 'UNPAID/Pending'), change(150_002, 150_003, 'paid')),
    ).toEqual([]);
    expect(await broken(lostPlace(0, 1), miss(2, 3), see(4, 5, 'UNPAID/Pending'))).toEqual([]);
  });

  it('accepts an order that is placed during a read of the list', async () => {
    expect(await broken(list(0, 9, []), place(1, 10))).toEqual([]);
    expect(await broken(place(1, 8), list(0, 9, []))).toEqual([]);
    expect(
      await broken(list(0, 1, [], { more: true, walk: 1 }), place(2, 3), list(4, 5, [], { walk: 1 })),
    ).toEqual([]);
  });

  it('accepts an order that expires on time, but not earlier', async () => {
    expect(await broken(place(0, 1), see(1_000_000, 1_000_001, 'EXPIRED/Batal'))).toEqual([]);
    expect(await broken(place(0, 1), see(999_998, 999_999, 'EXPIRED/Batal'))).toEqual(['one legal sequence']);
  });
});

describe('finds in a history', () => {
  it('finds a state that moves back', async () => {
    expect(
      await broken(place(0, 1), change(2, 3, 'paid'), see(4, 5, 'PAID/Sukses'), see(6, 7, 'PAID/Proses')),
    ).toEqual(['no old state']);
  });

  it('finds a lost update: two confirmed changes that exclude each other', async () => {
    expect(await broken(place(0, 1), change(2, 5, 'paid'), change(2, 5, 'failed'))).toEqual([
      'one legal sequence',
    ]);
  });

  it('finds a confirmed update that no read shows', async () => {
    expect(await broken(place(0, 1), change(2, 3, 'paid'), see(4, 5, 'UNPAID/Pending'))).toEqual([
      'no old state',
    ]);
  });

  it('finds a missing effect of a change', async () => {
    expect(await broken(place(0, 1), change(2, 3, 'paid', 'nothing'))).toEqual(['one legal sequence']);
    expect(await broken(place(0, 1), change(2, 3, 'failed'), change(4, 5, 'paid', 'nothing'))).toEqual([]);
  });

  it('finds a read on another server that is older than an earlier read', async () => {
    const old: Operation = { ...see(6, 7, 'UNPAID/Pending'), server: 'server 2' };
    expect(await broken(place(0, 1), change(2, 9, 'paid'), see(3, 5, 'PAID/Proses'), old)).toEqual([
      'no old state',
    ]);
  });

  it('finds a state without a cause', async () => {
    expect(await broken(place(0, 1), see(2, 3, 'PAID/Proses'))).toEqual(['one legal sequence']);
    expect(await broken(place(0, 1), change(2, 3, 'paid'), see(4, 5, 'REFUND/Gagal'))).toEqual([
      'one legal sequence',
    ]);
    expect(await broken(place(0, 1), see(2, 3, 'PAID/Batal'))).toEqual(['one legal sequence']);
  });

  it('finds a change with an unknown outcome that happened twice', async () => {
    const failed = [
      place(0, 1),
      change(2, 3, 'paid'),
      see(4, 5, 'PAID/Gagal'),
      change(6, 7, 'retried', null),
    ];
    const again = [see(8, 9, 'PAID/Proses'), see(10, 11, 'PAID/Gagal')];
    expect(await broken(...failed, ...again)).toEqual([]);
    expect(await broken(...failed, ...again, see(12, 13, 'PAID/Proses'))).toEqual(['no old state']);
  });

  it('finds an unpaid order that was read after its expiry', async () => {
    expect(await broken(place(0, 1), see(1_004_000, 1_004_001, 'UNPAID/Pending'))).toEqual([
      'one legal sequence',
    ]);
  });

  it('finds a key with two orders, and an order with two keys', async () => {
    expect(await broken(place(0, 1), place(2, 3, { orderId: other }))).toEqual(['one order a key']);
    expect(
      await broken(
        place(0, 1),
        list(2, 3, [shown('UNPAID/Pending'), shown('UNPAID/Pending', { orderId: other })]),
      ),
    ).toEqual(['one order a key']);
    const second: Operation = {
      ...place(2, 3),
      account: 'web',
      key: 'k2',
      does: 'place',
      same: true,
      got: { orderId, isReplay: false, total, expires, hash: 'a' },
    };
    expect(await broken(place(0, 1), second)).toEqual(['one order a key']);
  });

  it('finds an order that was placed twice', async () => {
    expect(await broken(place(0, 1), place(2, 3))).toEqual(['one order a key']);
    expect(await broken(place(0, 1), place(2, 3, { isReplay: true }))).toEqual([]);
  });

  it('finds a replay with other bytes, and an accepted different payload', async () => {
    expect(await broken(place(0, 1), place(2, 3, { isReplay: true, hash: 'b' }))).toEqual([
      'one response a key',
    ]);
    const accepted: Operation = {
      ...lostPlace(2, 3),
      does: 'place',
      ...of,
      same: false,
      got: { orderId, isReplay: true, total, expires, hash: 'a' },
    };
    expect(await broken(place(0, 1), accepted)).toEqual(['one response a key']);
    const rejected: Operation = {
      ...lostPlace(2, 3),
      does: 'place',
      ...of,
      same: true,
      got: { code: 'IDEMPOTENCY_CONFLICT' },
    };
    expect(await broken(place(0, 1), rejected)).toEqual(['one response a key']);
  });

  it('finds a missing order, by its id, its key or in a list', async () => {
    expect(await broken(place(0, 1), miss(2, 3))).toEqual(['there for good']);
    expect(await broken(place(0, 1), miss(60_000, 60_001))).toEqual(['there for good']);
    expect(await broken(place(0, 1), list(2, 3, []))).toEqual(['there for good']);
    const before = 'INV-20261128115959-CCCCCCCC';
    const older = shown('UNPAID/Pending', { key: 'k0', orderId: before });
    const placed: Operation[] = [
      { ...of, key: 'k0', does: 'place', same: true, ...frame(0, 1), got: { ...created, orderId: before } },
      place(0, 1),
    ];
    expect(await broken(...placed, list(2, 3, [older], { more: true }))).toEqual(['there for good']);
    const walk = [list(2, 3, [older], { more: true, walk: 1 }), list(4, 5, [], { walk: 1 })];
    expect(await broken(...placed, ...walk)).toEqual(['there for good']);
  });

  it('finds an order that nobody placed', async () => {
    expect(await broken(list(2, 3, [shown('UNPAID/Pending')]))).toEqual(['one legal sequence']);
  });

  it('finds a changed price or expiry', async () => {
    expect(await broken(place(0, 1), list(2, 3, [shown('UNPAID/Pending', { total: 1 })]))).toEqual([
      'the same order everywhere',
    ]);
    expect(await broken(place(0, 1), list(2, 3, [shown('UNPAID/Pending', { expires: 1 })]))).toEqual([
      'the same order everywhere',
    ]);
  });
});

it('counts the checked operations, and checks 40,000 operations on one order and on many orders', async () => {
  function* long(): Generator<Operation> {
    yield place(0, 1);
    for (let at = 2; at < 20_000; at += 1) yield see(at / 10, at / 10 + 1, 'UNPAID/Pending');
    for (let at = 0; at < 20_000; at += 1)
      yield {
        ...place(6_000 + at / 10, 6_001 + at / 10, { orderId: `INV-20261128120001-${at}` }),
        ...{ does: 'place', account: 'web', key: `n${at}`, same: true },
        got: { orderId: `INV-20261128120001-${at}`, isReplay: false, total, expires, hash: 'a' },
      };
  }
  const { operations, orders, found } = await checkHistory(long());
  expect({ operations, orders, found }).toEqual({ operations: 39_999, orders: 20_001, found: 0 });
});
