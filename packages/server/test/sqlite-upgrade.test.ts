import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openStore } from '../src/index.ts';
import { migrations } from '../src/sqlite/migrate.ts';
import { temporaryFolder } from './helpers/sandbox.ts';
import { keptFormats, send, startAt, writeKept } from './helpers/stores-of-formats.ts';

describe.each(keptFormats)('a store that a version with format %i wrote', (format) => {
  it('is upgraded by the start of a server, which serves its orders as before', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    const { now, key, order, reads } = writeKept(format, path);
    await using server = await startAt(path, () => now);
    for (const [path, response] of Object.entries(reads))
      expect({ path, response: await (await send(server.localUrl, key, path)).json() }).toEqual({
        path,
        response,
      });

    // The same order again is the order that was placed then.
    const { headers, body, response } = order;
    const place = async (headers: Record<string, string>) =>
      (
        await send(server.localUrl, key, '/api/order', {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
      ).json();
    expect(await place(headers)).toEqual(response);
    expect((await place({})).success).toBe(true);

    using db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length });
    expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });

  it('keeps the money that waits for an operator, and what promos were used', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    writeKept(format, path);
    const store = openStore({ kind: 'file', path });
    const [waiting, ...others] = await store.listReconciliations('open');
    const uses = await store.countPromoUses('RAMADAN10', 'nobody');
    await store.close();
    expect(waiting).toMatchObject({ amount: 22_000, state: 'open' });
    expect(others).toEqual([]);
    expect(uses.total).toBe(1);
  });
});

it('there is one of the format before the newest, or of the newest', () => {
  expect(Math.max(...keptFormats)).toBeGreaterThanOrEqual(migrations.length - 1);
});
