import { createTopupMock, type DialectName, dialects, type MockOptions } from '@topup-kit/mock';
import type { ReactNode } from 'react';
import type { SandboxParts } from '../app.tsx';
import { besidePage, detectIdempotency, serviceUrl } from '../client.ts';
import { setClock } from '../clock.ts';
import { paths } from '../router.ts';
import { currentLanguage } from '../texts/language.ts';
import { Drawer } from './drawer.tsx';
import { readSavedSession, replay, saveOnPageHide } from './session.ts';
import { Wallet } from './wallet.tsx';
import { createWorld } from './world.ts';
import '../style/sandbox.css';

// Safe: these are the keys of a constant table.
const dialectNames = Object.keys(dialects) as DialectName[];

const isDialect = (name: string): name is DialectName => Object.hasOwn(dialects, name);

/** Reads the dialect in the page's address, such as `?dialect=strict`. The default is `kit`, the behaviour of this kit's server. */
function readDialect(search: string): { name: DialectName } | { unknown: string } {
  const name = new URLSearchParams(search).get('dialect') ?? 'kit';
  return isDialect(name) ? { name } : { unknown: name };
}

/** Replaces the shop if the address names an unknown dialect. */
const UnknownDialect = ({ name }: { name: string }) => (
  <main className="screen" lang="en">
    <h1 className="screen-title">There is no dialect “{name}”</h1>
    <p>The mock has these dialects:</p>
    <ul>
      {dialectNames.map((known) => (
        <li key={known}>
          <a href={`?dialect=${encodeURIComponent(known)}`}>{known}</a>
        </li>
      ))}
    </ul>
  </main>
);

/** Starts the whole service in this tab. Returns its controls, or a page that replaces the shop. */
export async function startSandbox(): Promise<SandboxParts | { replacement: ReactNode }> {
  const requested = readDialect(location.search);
  if ('unknown' in requested) return { replacement: <UnknownDialect name={requested.unknown} /> };
  const dialect: NonNullable<MockOptions['dialect']> = dialects[requested.name];
  const saved = readSavedSession();
  const mock = createTopupMock({
    baseUrl: serviceUrl,
    auth: 'off',
    locale: currentLanguage(),
    dialect,
    paymentUrl: (reference) => `${location.pathname}${location.search}${paths.wallet(reference)}`,
    ...(saved && { seed: saved.seed }),
  });
  const world = createWorld(mock, requested.name);
  if (saved) await replay(mock, world, saved.steps);
  saveOnPageHide(world);
  setClock(mock.clock.now);
  if (dialect.idempotency === 'ignored') detectIdempotency();
  const worker = await mock.worker();
  await worker.start({
    quiet: true,
    onUnhandledFrame: 'bypass',
    serviceWorker: { url: besidePage('mockServiceWorker.js') },
  });
  return {
    drawer: <Drawer world={world} />,
    wallet: (reference) => <Wallet world={world} reference={reference} />,
  };
}
