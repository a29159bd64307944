import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { GetCheckoutResponse } from '@topup-kit/sdk';
import { createClientOn } from '@topup-kit/sdk/internal/client';
import type { StoreName, StoreNames } from '@topup-kit/server/internal';
import { makeFolder } from '@topup-kit/server/internal/folders';
import { type Argument, type Command, Option } from 'commander';
import { cacheFolder, configPath, readConfigFile } from '../config/file.ts';
import { contextOf } from '../context.ts';
import type { Io } from '../io.ts';
import { chooseBaseUrl, chooseConnection } from '../service/connection.ts';
import { platform } from '../service/platform.ts';
import { recentOrders } from './recent-orders.ts';

export interface Suggestion {
  value: string;
  /** Description of a value that is not self-explanatory, such as the title of a product. */
  about?: string | undefined;
}

export interface Completion {
  /** Part of the same word before the value, such as `--game=`. */
  prefix: string;
  /** Suggested values; `files` leaves the completion to the shell. */
  values: readonly Suggestion[] | 'files';
}

/** Lifetime of cached values in milliseconds; about as long as typing a command line takes. */
const lifetime = 60_000;

function recall(path: string): Suggestion[] | undefined {
  try {
    // If the clock is set back, the lifetime must not grow.
    const age = Math.abs(Date.now() - statSync(path).mtimeMs);
    // Safe: only this function writes the file, in the user's own folder.
    return age < lifetime ? (JSON.parse(readFileSync(path, 'utf8')) as Suggestion[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Asks the service at most once a minute. The cache contains only a hash of the request and its key. */
async function remembered(
  io: Io,
  key: readonly string[],
  ask: () => Promise<Suggestion[]>,
): Promise<Suggestion[]> {
  const folder = join(cacheFolder(io), 'completion');
  const path = join(folder, createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32));
  const known = recall(path);
  if (known) return known;
  const asked = await ask();
  try {
    makeFolder(folder);
    writeFileSync(path, JSON.stringify(asked), { mode: 0o600 });
  } catch {
    // If the cache can't be written, the next completion asks the service again.
  }
  return asked;
}

/** Timeout in milliseconds. It is short, because the user is waiting at the keyboard. */
const timeout = 1000;

/** Tells whether a command uses a store, and reads the catalogue there. */
const isOnStore = (command: Command): boolean => command.options.some(({ long }) => long === '--store');

/** Reads the names in the command's store; throws if there is no store. The code that opens a store is loaded only here. */
async function namesInStore(command: Command, io: Io): Promise<StoreNames> {
  const { readDatabaseNames, readCompletionNames } = await import('@topup-kit/server/internal');
  const { chooseStore } = await import('../store/open.ts');
  const { store } = command.opts<{ store?: string }>();
  const { value } = chooseStore(contextOf(io, command), store);
  return value.startsWith('postgres')
    ? readDatabaseNames(value)
    : readCompletionNames(resolve(value.replace(/^file:/, '')));
}

const inStore =
  (kind: string) =>
  async (command: Command, io: Io): Promise<Suggestion[]> => {
    const { catalog: _apart, ...names }: StoreNames = await namesInStore(command, io);
    const all: Readonly<Record<string, readonly StoreName[]>> = names;
    return (all[kind] ?? []).map(({ name, about }) => ({ value: name, about }));
  };

async function ask(
  command: Command,
  io: Io,
  key: string,
  read: (client: ReturnType<typeof createClientOn>) => Promise<Suggestion[]>,
): Promise<Suggestion[]> {
  const { baseUrl, apiKey } = await chooseConnection(contextOf(io, command));
  return remembered(io, [baseUrl, apiKey, key], () =>
    read(createClientOn(platform, { baseUrl, apiKey, maxRetries: 0, timeout })),
  );
}

async function games(command: Command, io: Io): Promise<Suggestion[]> {
  const suggest = ({ slug, title }: { slug: string; title: string }): Suggestion => ({
    value: slug,
    about: title,
  });
  if (isOnStore(command)) return (await namesInStore(command, io)).catalog?.games.map(suggest) ?? [];
  return ask(command, io, 'games', async (client) => (await client.games.list()).games.map(suggest));
}

const numbered = ({ id, title }: { id: number; title: string }): Suggestion => ({
  value: String(id),
  about: title,
});

/** Returns values from the checkout of the given game; none without a game. */
async function checkout(
  command: Command,
  io: Io,
  name: string,
  pick: (response: GetCheckoutResponse) => Suggestion[],
): Promise<Suggestion[]> {
  const { game } = command.opts<{ game?: string }>();
  if (typeof game !== 'string') return [];
  return ask(command, io, `${name} of ${game}`, async (client) => pick(await client.checkout.get(game)));
}

const method = ({ id, name }: { id: number; name: string }): Suggestion => numbered({ id, title: name });

/** Returns the products of the given games, or of all games, because a promo may be for several. */
async function products(command: Command, io: Io): Promise<Suggestion[]> {
  if (!isOnStore(command))
    return checkout(command, io, 'products', ({ game }) => game.products.map(numbered));
  return (
    (await namesInStore(command, io)).catalog?.games.flatMap((game) => game.products.map(numbered)) ?? []
  );
}

/** Returns the codes of the store's products for commands that edit the catalogue. */
const productCodes: Source = async (command, io) =>
  (await namesInStore(command, io)).catalog?.games.flatMap(({ products }) =>
    products.map(({ code, title }) => ({ value: code, about: title })),
  ) ?? [];

async function methods(command: Command, io: Io): Promise<Suggestion[]> {
  if (!isOnStore(command))
    return checkout(command, io, 'methods', (response) => response.paymentMethods.map(method));
  return (await namesInStore(command, io)).catalog?.payment_methods.map(method) ?? [];
}

async function profiles(_command: Command, io: Io): Promise<Suggestion[]> {
  const { profiles } = readConfigFile(configPath(io));
  return Object.entries(profiles).map(([value, { base_url }]) => ({ value, about: base_url }));
}

type Values = Completion['values'];
type Source = (command: Command, io: Io) => Promise<Values>;

/** Tells whether a command may contact a service, so that its help shows `--base-url`. */
const asksService = (command: Command): boolean =>
  command
    .createHelp()
    .visibleGlobalOptions(command)
    .some(({ long }) => long === '--base-url');

/** Returns orders from this machine at the command's service, and the store's orders. */
const orders: Source = async (command, io) => {
  const context = contextOf(io, command);
  const { value: baseUrl } = chooseBaseUrl(context);
  const placed = asksService(command) ? recentOrders(io, baseUrl) : [];
  return [
    ...placed.map(({ order_id, game }) => ({ value: order_id, about: game })),
    ...(await inStore('orders')(command, io).catch(() => [])),
  ];
};
const scenarios: Source = async () =>
  Object.entries((await import('@topup-kit/core/contract')).sandboxScenarios).map(([value, about]) => ({
    value,
    about,
  }));
const files: Source = async () => 'files';

const ofOptions: ReadonlyMap<string, Source> = new Map(
  Object.entries<Source>({
    '--game': games,
    '--product': products,
    '--payment-method': methods,
    '--promo': inStore('promos'),
    '--profile': profiles,
    '--catalog': files,
  }),
);

/** Sources by the names of arguments and option values in the help. */
const ofValues: ReadonlyMap<string, Source> = new Map(
  Object.entries<Source>({
    slug: games,
    'order-id': orders,
    'product-code': productCodes,
    'callback-id': inStore('callbacks'),
    'key-id': inStore('keys'),
    'endpoint-id': inStore('webhooks'),
    'event-id': inStore('events'),
    profile: profiles,
    scenario: scenarios,
    file: files,
  }),
);

/** Sources for arguments. As the value of an option, a code may be new; as an argument, it exists. */
const ofArguments: ReadonlyMap<string, Source> = new Map([
  ...ofValues,
  ['code', productCodes],
  ['promo', inStore('promos')],
]);

function sourceOf(taking: Option | Argument): Source | undefined {
  if (!(taking instanceof Option)) return ofArguments.get(taking.name());
  const value = /[<[]([\w-]+)/.exec(taking.flags)?.[1] ?? '';
  return ofValues.get(value) ?? ofOptions.get(taking.long ?? '');
}

/** Returns the possible values of an option or argument; empty if they are unknown. */
export async function valuesOf(taking: Option | Argument, command: Command, io: Io): Promise<Values> {
  if (taking.argChoices) return taking.argChoices.map((value) => ({ value }));
  return sourceOf(taking)?.(command, io) ?? [];
}
