import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder } from './helpers/order.ts';
import { startRelay } from './helpers/relay.ts';
import { run } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

vi.mock(import('node:fs'), async (original) => {
  const real = await original();
  return { ...real, writeFileSync: vi.fn(real.writeFileSync) };
});

it("keeps the first order's journal entry if --another can't save a second entry", async () => {
  using folder = temporaryFolder();
  await using server = await startSandbox();
  await using relay = await startRelay(new URL(server.baseUrl).origin);
  const noteNames = (): string[] => readdirSync(join(folder.path, 'topup', 'orders'));
  const create = (...more: string[]) =>
    run([...fixtureOrder, '--base-url', relay.baseUrl, ...more], {
      environment: { XDG_STATE_HOME: folder.path },
    });
  relay.onOrder('12345678', async () => undefined);
  expect(await create()).toMatchObject({ code: 8 });
  const noted = noteNames();
  vi.mocked(writeFileSync).mockImplementationOnce(() => {
    throw new Error('ENOSPC: no space left on device');
  });

  expect(await create('--another')).toMatchObject({ code: 1 });
  expect(noted).toHaveLength(1);
  expect(noteNames()).toEqual(noted);
});
