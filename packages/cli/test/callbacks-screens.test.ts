import type { StoredCallback } from '@topup-kit/core/store';
import { openStore } from '@topup-kit/server';
import { describe, expect, it } from 'vitest';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { screensOf } from './helpers/screens.ts';

const moment = Date.parse('2026-03-29T10:00:00+07:00');
const outcomes: StoredCallback['outcome'][] = [
  ...(['applied', 'unchanged', 'contradiction', 'reconciliation'] as const),
  ...(['unmatched', 'ignored', 'rejected', 'failed'] as const),
];
const own = ownStore(async (path) => {
  const store = openStore({ kind: 'file', path });
  await store.claimMode('live');
  for (const [index, outcome] of outcomes.entries())
    await store.addCallback({
      ...{
        callbackId: `cb_${outcome}`,
        provider: 'tripay',
        receivedAt: moment + index * 1_000,
        address: '192.0.2.1',
      },
      ...{ headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode('{"a":\r\n1}') },
      ...{ outcome, reason: outcome === 'rejected' ? 'Its signature is wrong.' : null },
      ...{ orderId: outcome === 'applied' ? 'INV-1' : null, handledAt: moment + 60_000 },
      ...{ attempts: outcome === 'failed' ? 3 : 1, replay: outcome === 'ignored', sentBytes: null },
    });
  await store.addCallback({
    ...{
      callbackId: 'cb_empty',
      provider: 'digiflazz',
      receivedAt: moment - 1_000,
      address: '',
      headers: {},
    },
    ...{ body: new Uint8Array(), outcome: 'failed', reason: null, orderId: null, handledAt: moment },
    ...{ attempts: 1, replay: false, sentBytes: null },
  });
  await store.addCallback({
    ...{
      callbackId: 'cb_bytes',
      provider: 'digiflazz',
      receivedAt: moment - 2_000,
      address: '',
      headers: {},
    },
    ...{ body: Uint8Array.from({ length: 40 }, (_byte, index) => 240 + index), outcome: 'rejected' },
    ...{ reason: null, orderId: null, handledAt: moment, attempts: 1, replay: false, sentBytes: 70_000 },
  });
  await store.close();
});

const plain = (text: string): string => text.replaceAll(own.path, '<store>');
const options = (columns?: number) => ({ columns, environment: { TOPUP_STORE: own.url } });
const { shown, failing, json } = screensOf((args) => ['callbacks', ...args], options, plain);

describe('callbacks show', () => {
  it.each([...outcomes, 'empty', 'bytes'])('shows a callback that is %s', async (name) => {
    expect(await shown('show', `cb_${name}`)).toMatchSnapshot();
    expect(await json('show', `cb_${name}`)).toMatchSnapshot();
  });

  it('prints titles and outcomes in colour', async () => {
    const environment = { ...options().environment, FORCE_COLOR: '1' };
    const { stdout } = await run(['callbacks', 'show', 'cb_applied'], { environment });
    expect(stdout).toContain('\u001b[32mapplied: it changed something\u001b[39m\n');
    expect(stdout).toContain('\n\u001b[1mHEADERS\u001b[22m\n');
    expect(stdout).toContain('\n\u001b[1mBODY (9 bytes)\u001b[22m\n');
    const failed = await run(['callbacks', 'list', '--limit', '3'], { environment });
    expect(failed.stdout).toContain('\u001b[31mfailed\u001b[39m');
    expect((await run(['callbacks', 'show', 'cb_reconciliation'], { environment })).stdout).toContain(
      '\u001b[33mreconciliation:',
    );
  });
});

describe('callbacks list', () => {
  it('lists the newest callback first', async () => {
    expect(await shown('list', '--limit', '3')).toMatchInlineSnapshot(`
      "CALLBACK     RECEIVED (GMT+7)       PROVIDER  OUTCOME   WHY
      cb_failed    29 Mar 2026, 10:00:07  tripay    failed
      cb_rejected  29 Mar 2026, 10:00:06  tripay    rejected  Its signature is wrong.
      cb_ignored   29 Mar 2026, 10:00:05  tripay    ignored

      Older ones:
        topup callbacks list --limit 3 --cursor cb_ignored
      exit 0"
    `);
    expect(await json('list', '--outcome', 'rejected', '--limit', '1')).toMatchInlineSnapshot(`
      {
        "callbacks": [
          {
            "attempts": 1,
            "callback_id": "cb_rejected",
            "order_id": null,
            "outcome": "rejected",
            "provider": "tripay",
            "reason": "Its signature is wrong.",
            "received_at": "2026-03-29T03:00:06.000Z",
            "replay_requested": false,
          },
        ],
        "next_after": "cb_rejected",
      }
    `);
    expect((await run(['callbacks', 'list', '--provider', 'digiflazz', '--quiet'], options())).stdout).toBe(
      'cb_empty\ncb_bytes\n',
    );
    expect(
      (await json('list', '--cursor', 'cb_unchanged')).callbacks.map(
        ({ callback_id }: { callback_id: string }) => callback_id,
      ),
    ).toEqual(['cb_applied', 'cb_empty', 'cb_bytes']);
    expect(await shown('list', '--provider', 'nobody')).toBe('No matching callbacks in <store>.\nexit 0');
    expect(await shown('list', '--provider', 'tripay', '--outcome', 'failed', '--limit', '1')).not.toContain(
      '--cursor',
    );
    expect(await shown('list', '--provider', 'digiflazz', '--limit', '1')).toContain(
      'topup callbacks list --provider digiflazz --limit 1 --cursor cb_empty',
    );
  });

  it.each([[['--limit', '0']], [['--outcome', 'lost']], [['--cursor', 'cb_none']]])(
    'rejects callbacks list %j',
    async (args) => {
      expect(await failing('list', ...args)).toMatchSnapshot();
    },
  );
});

describe('callbacks replay', () => {
  it('asks for confirmation before a replay, requests the replay, and leaves it to a server', async () => {
    expect(await failing('replay', 'cb_failed')).toMatchInlineSnapshot(`
      "Error: This needs --yes: cb_failed will be verified and applied again, as if tripay had sent it again.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await shown('replay', 'cb_failed', '--dry-run')).toMatchInlineSnapshot(`
      "The replay of cb_failed would be requested.
      Nothing was changed: this was a dry run.
      exit 0"
    `);
    expect(await shown('replay', 'cb_failed', '--yes')).toMatchInlineSnapshot(`
      "The replay of cb_failed is requested.
      No server runs on this store. The next one handles it. To see the result:
        topup callbacks show cb_failed
      exit 0"
    `);
    expect(await json('replay', 'cb_rejected', '--yes')).toMatchObject({
      callback_id: 'cb_rejected',
      replay_requested: true,
    });
    expect(await shown('show', 'cb_failed')).toContain('Replay    requested\n');
    expect(await failing('replay', 'cb_bytes', '--yes')).toMatchInlineSnapshot(`
      "Error: Only the first 40 of the 70000 bytes of cb_bytes were stored, so the server can't verify it again.
      If digiflazz sent it, send the callback again from its dashboard.
      exit 6, CALLBACK_CUT"
    `);
    expect(await failing('replay', 'cb_none', '--yes')).toMatchInlineSnapshot(`
      "Error: There is no callback cb_none in <store>.
      This lists them:
        topup callbacks list
      exit 3, CALLBACK_NOT_FOUND"
    `);
  });
});
