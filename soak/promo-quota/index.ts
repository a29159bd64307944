import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errors, sandboxKey } from '@topup-kit/core/contract';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { startPostgres, type TestPostgres } from '../../packages/server/test/helpers/postgres.ts';
import { fixtureOrder, startSandbox, temporaryFolder } from '../../packages/server/test/helpers/sandbox.ts';
import type { StartServerProcess } from '../../packages/server/test/helpers/spawn-server.ts';
import { withServerProgram } from '../server-program.ts';
import type { Soak, SoakOptions } from '../soak.ts';
import { expectSound, type SharedAddress } from '../sound.ts';

/** Servers of one store to which the orders are sent in turn. */
export interface Shop extends AsyncDisposable {
  baseUrls: readonly string[];
  store: SharedAddress;
}

/** Opens servers with a catalogue file. */
export type OpenShop = (environment: Record<string, string>) => Promise<Shop>;

/** Opens one server on a file store. */
export const openFileShop: OpenShop = async (environment) => {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await temporaryFolder());
  const path = join(folder.path, 'topup.db');
  const server = opening.use(await startSandbox({ TOPUP_STORE: `file:${path}`, ...environment }));
  const opened = opening.move();
  return {
    baseUrls: [server.baseUrl],
    store: { kind: 'file', path },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
};

/** Creates a function that opens two server processes on one PostgreSQL. */
export const postgresShopOpener =
  (start: StartServerProcess, database: TestPostgres): OpenShop =>
  async (environment) => {
    await using opening = new AsyncDisposableStack();
    const url = await database.newSchema();
    const settings = { TOPUP_STORE: url, ...environment };
    const first = opening.use(await start(settings));
    const second = opening.use(await start(settings));
    const opened = opening.move();
    return {
      baseUrls: [first.baseUrl, second.baseUrl],
      store: { kind: 'postgres', url },
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  };

/**
 * Places many orders with a promo at the same time.
 *
 * @throws Error unless exactly as many orders as the quota succeed, and the others get the reason for their rejection.
 */
export async function useUp(openShop: OpenShop, { quota, orders }: { quota: number; orders: number }) {
  await using folder = await temporaryFolder();
  const catalog = join(folder.path, 'catalog.json');
  const promo = { code: 'LIMITED', discount: { type: 'FIXED', value: 1_000 }, quota };
  await writeFile(catalog, JSON.stringify({ ...Object(sandboxCatalogFile), promos: [promo] }));
  await using shop = await openShop({ TOPUP_CATALOG: catalog });
  const order = async (_: unknown, index: number): Promise<string> => {
    const outcome = await send(index);
    // A machine that is busy with a thousand connections rejects some of them with a reason, without doing anything.
    return /^(408|503) /.test(outcome) ? order(_, index) : outcome;
  };
  const send = async (index: number): Promise<string> => {
    const response = await fetch(`${shop.baseUrls[index % shop.baseUrls.length]}/order`, {
      method: 'POST',
      headers: { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...fixtureOrder, promo_code: 'LIMITED' }),
    });
    const { message } = await response.json();
    return `${response.status} ${message}`;
  };
  const outcomes = await Promise.all(Array.from({ length: orders }, order));
  const counted = Map.groupBy(outcomes, (outcome) => outcome);
  const placed = counted.get('201 Pesanan berhasil dibuat.')?.length ?? 0;
  const exhausted = counted.get(`422 ${errors.PROMO_QUOTA.message.id}`)?.length ?? 0;
  if (placed !== quota || exhausted !== orders - quota)
    throw new Error(
      `with a quota of ${quota}, ${orders} orders got: ${[...counted].map(([outcome, all]) => `${all.length} x ${outcome}`).join(', ')}`,
    );
  await expectSound(shop.store);
}

const rounds = 10;

const about = `Places 1,000 orders at once with a promo that has a quota of 100, ${rounds} times, over`;

async function run(openShop: OpenShop, { progress }: SoakOptions): Promise<string> {
  for (let round = 0; round < rounds; round += 1) {
    progress(round / rounds, `round ${round + 1}`);
    await useUp(openShop, { quota: 100, orders: 1_000 });
  }
  return `${rounds} times 1,000 orders at once: exactly 100 got the promo each time, the others were told that it is used up.`;
}

export const promoQuota: Soak = {
  name: 'promo-quota',
  takesSeed: false,
  about: `${about} the file store: exactly 100 get it.`,
  run: (options) => run(openFileShop, options),
};

export const promoQuotaOnPostgres: Soak = {
  name: 'promo-quota-postgres',
  takesSeed: false,
  about: `${about} two servers on one PostgreSQL: exactly 100 get it.`,
  run: (options) =>
    withServerProgram(async (start) => {
      await using database = await startPostgres();
      return await run(postgresShopOpener(start, database), options);
    }),
};
