import { createTopupMock } from '@topup-kit/mock';
import type { ReactNode } from 'react';
import type { SandboxParts } from '../app.tsx';
import { trustNoKeys } from '../client.ts';
import { setClock } from '../clock.ts';
import { paths } from '../router.ts';
import '../style/sandbox.css';
import { askedDialect, changesOf } from './dialect.ts';
import { Drawer } from './drawer.tsx';
import { keepOnLeaving, readKept, replay } from './replay.ts';
import { UnknownDialect } from './unknown-dialect.tsx';
import { Wallet } from './wallet.tsx';
import { createWorld } from './world.ts';

/** The whole service in this tab, and the hands on it; or what to show instead of a shop. */
export async function startSandbox(): Promise<SandboxParts | { instead: ReactNode }> {
  const asked = askedDialect(location.search);
  if ('unknown' in asked) return { instead: <UnknownDialect name={asked.unknown} /> };
  const dialect = changesOf(asked.name);
  const kept = readKept();
  const mock = createTopupMock({
    baseUrl: '/api/topup',
    auth: 'off',
    dialect,
    paymentUrl: (reference) => `/${location.search}${paths.wallet(reference)}`,
    ...(kept && { seed: kept.seed }),
  });
  const world = createWorld(mock, asked.name);
  if (kept) await replay(mock, world, kept.steps);
  keepOnLeaving(world);
  setClock(mock.clock.now);
  if (dialect.idempotency === 'ignored') trustNoKeys();
  const worker = await mock.worker();
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' });
  return {
    drawer: <Drawer world={world} />,
    wallet: (reference) => <Wallet world={world} reference={reference} />,
  };
}
