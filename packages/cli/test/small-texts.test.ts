import type { ConformanceResult } from '@topup-kit/conformance';
import { createWebhookSecret } from '@topup-kit/core/contract';
import type { MarginRule } from '@topup-kit/core/store';
import { createSecretCipher } from '@topup-kit/server/internal';
import { describe, expect, it } from 'vitest';
import { roundingWords, ruleWords } from '../src/commands/catalog/changes.ts';
import { failedChecks } from '../src/commands/conformance/failed-checks.ts';
import {
  comparison,
  consequence,
  keptWords,
  type Plan,
  restoreDocument,
  warnings,
} from '../src/commands/database/restore.ts';
import { minutesAndSeconds } from '../src/commands/orders/watch.ts';
import { checkWebhooks } from '../src/commands/webhooks/endpoints.ts';
import type { Io } from '../src/io.ts';
import { plain } from '../src/output/style.ts';

describe('a margin rule in words', () => {
  const none = { percent: 0, flat: 0, minimum: 0, floor: 0, rounding: null } as unknown as MarginRule; // Safe: the code reads only these parts of the value.
  it.each<[Partial<MarginRule>, string]>([
    [{}, ''],
    [{ percent: 800 }, '8 %'],
    [{ percent: 850, flat: 500 }, '8.5 % + Rp 500'],
    [{ flat: 500, minimum: 300 }, 'Rp 500, at least Rp 300'],
    [{ floor: 5_000 }, 'from Rp 5,000'],
    [{ percent: 100, rounding: { up: 100 } }, '1 %, up to Rp 100'],
    [{ percent: 100, rounding: 'end-900' }, '1 %, up to …900'],
  ])('describes the margin rule %j as %j', (more, words) => {
    expect(ruleWords({ ...none, ...more })).toBe(words);
  });

  it('mentions rounding only if a rule rounds', () => {
    expect(roundingWords({ rounding: null })).toBe('');
  });
});

it.each([
  [-5, '0:00'],
  [0, '0:00'],
  [999, '0:00'],
  [65_000, '1:05'],
  [59 * 60_000 + 59_000, '59:59'],
  [3_600_000, '1 h 0 min'],
  [3_600_000 * 25 + 61_000, '25 h 1 min'],
])('shows %i milliseconds as %s', (milliseconds, words) => {
  expect(minutesAndSeconds(milliseconds)).toBe(words);
});

describe('the check of webhooks', () => {
  const secret = createWebhookSecret(new Uint8Array(24));
  const webhook = (more: object = {}) =>
    ({ endpointId: 'ep_1', secret, disabled: null, failingSince: null, ...more }) as unknown as Parameters<
      typeof checkWebhooks
    >[0]['webhooks'][number]; // Safe: the test checks only these parts.
  const check = (webhooks: object[], environment: Record<string, string> = {}) =>
    // Safe: the code uses nothing else of this value.
    checkWebhooks({ webhooks: webhooks.map(webhook) }, { environment } as unknown as Io);
  const found = async (webhooks: object[], environment?: Record<string, string>) =>
    (await check(webhooks, environment)).map(({ state, found: words }) => `${state}: ${words}`);
  const hourAgo = Date.now() - 61 * 60_000;
  const minuteAgo = Date.now() - 60_000;

  it('shows no check without webhooks, or for a webhook that has an alert', async () => {
    expect(await check([])).toEqual([]);
    expect(await found([{}, { failingSince: hourAgo }])).toEqual([]);
  });

  it.each<[object[], string]>([
    [[{}], 'ok: 1 webhook, and none fails'],
    [[{}, { failingSince: minuteAgo }], 'ok: 2 webhooks, of which 1 fails for less than an hour'],
    [
      [{ failingSince: minuteAgo }, { failingSince: minuteAgo }],
      'ok: 2 webhooks, of which 2 fail for less than an hour',
    ],
    [[{ failingSince: minuteAgo, disabled: 'operator' }], 'ok: 1 webhook, and none fails'],
    [
      [{ secret: 'v1.sealed' }],
      'ok: 1 webhook, and none fails. Their secrets are encrypted; TOPUP_SECRET_KEY is not set here, so the key was not checked',
    ],
  ])('describes the check of webhooks %j: %s', async (webhooks, words) => {
    expect(await found(webhooks)).toEqual([words]);
  });

  it("fails if the key can't decrypt the webhooks' secrets", async () => {
    const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
    const sealed = createSecretCipher({ TOPUP_SECRET_KEY: keyOf(7) }).seal(secret, 'ep_1');
    expect(await found([{ secret: sealed }], { TOPUP_SECRET_KEY: keyOf(7) })).toEqual([
      'ok: 1 webhook, and none fails',
    ]);
    const [failure] = await check([{ secret: sealed }], { TOPUP_SECRET_KEY: keyOf(8) });
    expect(failure).toMatchObject({
      ...{ name: 'webhooks', state: 'failed' },
      fix: 'Without the key, nothing is sent to these endpoints.\nSee docs/secrets.md#secrets-of-webhooks of the repository',
    });
    expect((await check([{}], { TOPUP_SECRET_KEY: 'x' }))[0]?.state).toBe('failed');
  });
});

describe('a restore in words', () => {
  const facts = {
    ...{ orders: 1_200, newestOrderAt: Date.parse('2026-03-29T02:30:00Z'), display: null },
    ...{ keys: 7, games: 34, mode: 'live', formatVersion: 21, newestFormat: 21, bytes: 5, sealed: true },
  };
  const planOf = (present: object = { is: 'nothing' }, backup: object = {}): Plan =>
    // Safe: the code reads only these parts of the value.
    ({ file: 'b.db', path: '/data/topup.db', present, backup: { ...facts, ...backup } }) as unknown as Plan;
  const store = { is: 'store', facts: { ...facts, orders: 3, newestOrderAt: null, mode: 'sandbox' } };

  it('compares the store with the backup before a restore', () => {
    expect(comparison(planOf(store), plain)).toBe(`          STORE NOW  BACKUP
  Orders  3          1,200
  Newest  none       29 Mar 2026, 09:30 GMT+7
  Keys    7          7
  Games   34         34
  Mode    sandbox    live
`);
    expect(comparison(planOf({ is: 'unreadable' }), plain)).toMatch(/Orders {2}unreadable {2}1,200\n/);
  });

  it.each<[string, object, string]>([
    ['nothing', { is: 'nothing' }, '/data/topup.db, where there is no store.'],
    ['a damaged store', { is: 'unreadable' }, 'the store /data/topup.db (unreadable).'],
    ['a store', store, 'the store /data/topup.db (orders: 3, newest: none).'],
  ])('describes what a restore replaces: %s', (_case, present, words) => {
    expect(consequence(planOf(present))).toBe(
      `A restore puts the backup b.db (orders: 1,200, newest: 29 Mar 2026, 09:30 GMT+7) in place of ${words}`,
    );
  });

  it('warns about a plain copy and about another mode', () => {
    const plainCopy = 'The backup has no checksum, so it is a plain copy and not from `topup backup`.';
    expect(warnings(planOf())).toEqual([]);
    expect(warnings(planOf(undefined, { sealed: false }))).toEqual([plainCopy]);
    expect(warnings(planOf(store))).toEqual([
      'The backup comes from a live store, but the store is a sandbox store.',
    ]);
    expect(warnings(planOf(store, { mode: null }))).toEqual([]);
    expect(warnings(planOf(store, { mode: 'sandbox' }))).toEqual([]);
    expect(warnings(planOf({ is: 'store', facts: { ...facts, mode: null } }))).toEqual([]);
  });

  it('describes what a restore keeps', () => {
    const words = (former: string | null, kept: string[]) => keptWords({ former, kept });
    expect(words(null, [])).toBe('');
    expect(words(null, ['x-wal'])).toContain('The log of the old store is kept at\nthe path above');
    expect(words('x', ['x'])).toContain('The old store is kept at the\npath above');
    expect(words('x', ['x', 'x-wal'])).toContain('The old store and its log are kept at\nthe paths above');
  });

  it('prints a restore as a document for programs', () => {
    expect(restoreDocument(planOf(store))).toMatchObject({
      ...{ file: 'b.db', store: '/data/topup.db', replaced: { orders: 3, newest_order_at: null } },
      restored: { bytes: 5, has_checksum: true, orders: 1_200, format_version: 21 },
    });
    expect(restoreDocument(planOf()).replaced).toBeNull();
  });
});

describe('a failed check', () => {
  const result = (more: object = {}): ConformanceResult =>
    // Safe: the code shows only these parts of the value.
    ({
      ...{ name: 'lists games', cites: ['interface 4.1/success'], origin: 'interface', outcome: 'failed' },
      difference: { by: 'interface 4.1/success', at: '$.success', expected: 'true', received: '"yes"' },
      ...more,
    }) as unknown as ConformanceResult;
  const shown = (...results: ConformanceResult[]) => failedChecks(results, 'interface', plain);

  it("shows the contract's sentence, the expected value and the received value", () => {
    expect(shown(result())).toMatch(
      /^\n1\. lists games\n {3}Contract {2}interface 4\.1: .+\n( {13}.+\n)* {3}At {8}\$\.success\n {3}Expected {2}true\n {3}Received {2}"yes"\n$/,
    );
  });

  it('explains why a check without a difference did not finish', () => {
    const text = shown(result({ difference: undefined, reason: ' it timed out ' }));
    expect(text).toContain('   Expected  that the check runs to its end\n   Received  it timed out\n');
    expect(text).not.toContain('   At ');
  });

  it('lists only the failed checks of one origin', () => {
    const others = [result({ outcome: 'passed' }), result({ origin: 'kit' })];
    expect(shown(...others)).toBe('');
    expect(shown(...others, result(), result({ name: 'second' }))).toMatch(
      /\n1\. lists games\n[\s\S]*\n2\. second\n/,
    );
  });

  it('breaks a word that is longer than a line', () => {
    const received = 'x'.repeat(100);
    const lines = shown(result({ difference: { ...result().difference, received } })).split('\n');
    expect(lines.filter((line) => line.includes('xxx'))).toEqual([
      `   Received  ${'x'.repeat(67)}`,
      `             ${'x'.repeat(33)}`,
    ]);
  });
});
