import { createTopupMock, type DialectName, dialects, type MockOptions } from '@topup-kit/mock';
import type { ReactNode } from 'react';
import type { SandboxParts } from '../app.tsx';
import { trustNoKeys } from '../client.ts';
import { setClock } from '../clock.ts';
import { paths } from '../router.ts';
import { Drawer } from './drawer.tsx';
import { keepOnLeaving, readKept, replay } from './session.ts';
import { Wallet } from './wallet.tsx';
import { createWorld } from './world.ts';
import '../style/sandbox.css';

// safe: the keys of a const table
const dialectNames = Object.keys(dialects) as DialectName[];

const isDialect = (name: string): name is DialectName => Object.hasOwn(dialects, name);

/** The dialect that the page's address asks for, as in `?dialect=strict`; this kit's own when it asks for none. */
function askedDialect(search: string): { name: DialectName } | { unknown: string } {
  const name = new URLSearchParams(search).get('dialect') ?? 'kit';
  return isDialect(name) ? { name } : { unknown: name };
}

/** In place of the shop, for whoever asks for a service that nobody knows. */
const UnknownDialect = ({ name }: { name: string }) => (
  <main className="screen" lang="en">
    <h1 className="screen-title">There is no dialect “{name}”</h1>
    <p>A service of this mock speaks one of these:</p>
    <ul>
      {dialectNames.map((one) => (
        <li key={one}>
          <a href={`?dialect=${encodeURIComponent(one)}`}>{one}</a>
        </li>
      ))}
    </ul>
  </main>
);

/** The whole service in this tab, and the hands on it; or what to show instead of a shop. */
export async function startSandbox(): Promise<SandboxParts | { instead: ReactNode }> {
  const asked = askedDialect(location.search);
  if ('unknown' in asked) return { instead: <UnknownDialect name={asked.unknown} /> };
  const dialect: NonNullable<MockOptions['dialect']> = dialects[asked.name];
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
