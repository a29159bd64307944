import type { StoredKey } from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import { key } from '../../suites/src/store/fixtures.ts';
import { inContractOrder, summariseKeys } from '../src/sql/store-report.ts';

const day = 24 * 60 * 60_000;
const now = 1_000 * day;

const named = (keyId: string, over: Partial<StoredKey> = {}): StoredKey => key({ keyId, ...over });

const summary = (...keys: StoredKey[]) => {
  const { activeKeys, expiringKeys } = summariseKeys(keys, now);
  return { active: activeKeys, expiring: expiringKeys.map(({ keyId }) => keyId) };
};

describe('a summary of keys', () => {
  it('counts keys that are neither revoked nor expired', () => {
    const keys = [
      ...[named('a'), named('b', { expiresAt: now + 90 * day })],
      ...[named('c', { revokedAt: now - 1 }), named('d', { expiresAt: now })],
    ];
    expect(summary(...keys)).toEqual({ active: 2, expiring: [] });
  });

  it('names keys that expire within two weeks', () => {
    const keys = [
      ...[named('in a day', { expiresAt: now + day }), named('in two weeks', { expiresAt: now + 14 * day })],
      ...[named('later', { expiresAt: now + 14 * day + 1 }), named('never')],
    ];
    expect(summary(...keys)).toEqual({ active: 4, expiring: ['in a day', 'in two weeks'] });
  });

  it('leaves out keys with a valid replacement', () => {
    const soon = { expiresAt: now + day };
    const keys = [
      ...[named('replaced', { ...soon, replacedBy: 'next' }), named('next')],
      ...[named('again', { ...soon, replacedBy: 'revoked' }), named('revoked', { revokedAt: now - 1 })],
      named('unknown', { ...soon, replacedBy: 'gone' }),
    ];
    expect(summary(...keys)).toEqual({ active: 4, expiring: ['again', 'unknown'] });
  });
});

it("sorts the numbers of orders in the contract's sequence: by payment, then by delivery", () => {
  const states = [
    { paymentStatus: 'PAID', buyStatus: 'Gagal', count: 1 },
    { paymentStatus: 'UNPAID', buyStatus: 'Pending', count: 2 },
    { paymentStatus: 'REFUND', buyStatus: 'Gagal', count: 3 },
    { paymentStatus: 'PAID', buyStatus: 'Proses', count: 4 },
    { paymentStatus: 'EXPIRED', buyStatus: 'Batal', count: 5 },
    { paymentStatus: 'PAID', buyStatus: 'Sukses', count: 6 },
  ] as const;
  expect(inContractOrder(states).map(({ count }) => count)).toEqual([2, 4, 6, 1, 5, 3]);
});
