import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GetCheckoutResponse } from '@topup-kit/sdk';
import { createTopupClient } from '@topup-kit/sdk/light';
import { makeFolder } from '@topup-kit/server/internal/folders';
import { type Argument, type Command, Option } from 'commander';
import { cacheFolder, configPath, readConfigFile } from '../config/file.ts';
import { contextOf } from '../context.ts';
import type { Io } from '../io.ts';
import { chooseConnection } from '../service/connection.ts';

/** A word that would fit. */
export interface Suggestion {
  value: string;
  /** What it is, where its name doesn't tell: the title of a product. */
  about?: string | undefined;
}

/** What can stand where the cursor is. */
export interface Completion {
  /** What comes before the value in the same word, such as `--game=`. */
  prefix: string;
  /** `files` leaves it to the shell, which knows them best. */
  values: readonly Suggestion[] | 'files';
}

/** Long enough for a command line to be typed. */
const lifetime = 60_000;

function recall(path: string): Suggestion[] | undefined {
  try {
    const age = Date.now() - statSync(path).mtimeMs;
    // safe: nobody but this writes the file, in a folder of the user's own
    return age < lifetime ? (JSON.parse(readFileSync(path, 'utf8')) as Suggestion[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Asks once a minute at most; what is asked and with which key is kept as a hash alone. */
async function remembered(
  io: Io,
  question: readonly string[],
  ask: () => Promise<Suggestion[]>,
): Promise<Suggestion[]> {
  const folder = join(cacheFolder(io), 'completion');
  const path = join(folder, createHash('sha256').update(JSON.stringify(question)).digest('hex').slice(0, 32));
  const known = recall(path);
  if (known) return known;
  const asked = await ask();
  try {
    makeFolder(folder);
    writeFileSync(path, JSON.stringify(asked), { mode: 0o600 });
  } catch {
    // Then it is asked anew the next time.
  }
  return asked;
}

/** Somebody waits with a finger on a key. */
const timeout = 1000;

/** Whether a command works on a store, and so knows the catalogue from there. */
const isOnStore = (command: Command): boolean => command.options.some(({ long }) => long === '--store');

async function fromStore(command: Command, io: Io) {
  const { namesInStore } = await import('./store-names.ts');
  return (await namesInStore(command, io)).catalog;
}

async function ask(
  command: Command,
  io: Io,
  question: string,
  answer: (client: ReturnType<typeof createTopupClient>) => Promise<Suggestion[]>,
): Promise<Suggestion[]> {
  const { baseUrl, apiKey } = await chooseConnection(contextOf(io, command));
  return remembered(io, [baseUrl, apiKey, question], () =>
    answer(createTopupClient({ baseUrl, apiKey, maxRetries: 0, timeout })),
  );
}

async function games(command: Command, io: Io): Promise<Suggestion[]> {
  const suggest = ({ slug, title }: { slug: string; title: string }): Suggestion => ({
    value: slug,
    about: title,
  });
  if (isOnStore(command)) return (await fromStore(command, io))?.games.map(suggest) ?? [];
  return ask(command, io, 'games', async (client) => (await client.games.list()).games.map(suggest));
}

const numbered = ({ id, title }: { id: number; title: string }): Suggestion => ({
  value: String(id),
  about: title,
});

/** What the checkout of the game on the command line offers; nothing before a game is named. */
async function checkout(
  command: Command,
  io: Io,
  name: string,
  pick: (answer: GetCheckoutResponse) => Suggestion[],
): Promise<Suggestion[]> {
  const { game } = command.opts<{ game?: string }>();
  if (typeof game !== 'string') return [];
  return ask(command, io, `${name} of ${game}`, async (client) => pick(await client.checkout.get(game)));
}

const method = ({ id, name }: { id: number; name: string }): Suggestion => numbered({ id, title: name });

/** Of all games where none is named: a promo may be for products of many. */
async function products(command: Command, io: Io): Promise<Suggestion[]> {
  if (!isOnStore(command))
    return checkout(command, io, 'products', ({ game }) => game.products.map(numbered));
  return (await fromStore(command, io))?.games.flatMap((game) => game.products.map(numbered)) ?? [];
}

async function methods(command: Command, io: Io): Promise<Suggestion[]> {
  if (!isOnStore(command))
    return checkout(command, io, 'methods', (answer) => answer.paymentMethods.map(method));
  return (await fromStore(command, io))?.payment_methods.map(method) ?? [];
}

/** The profiles of the config file. */
async function profiles(_command: Command, io: Io): Promise<Suggestion[]> {
  const { profiles } = readConfigFile(configPath(io));
  return Object.entries(profiles).map(([value, { base_url }]) => ({ value, about: base_url }));
}

type Values = Completion['values'];
type Source = (command: Command, io: Io) => Promise<Values>;

// Loads what reads a store only when it is asked for.
const orders: Source = async (command, io) => (await import('./store-names.ts')).orders(command, io);
const promos: Source = async (command, io) => (await import('./store-names.ts')).promos(command, io);
const keys: Source = async (command, io) => (await import('./store-names.ts')).keys(command, io);
const files: Source = async () => 'files';

const ofOptions: Record<string, Source> = {
  ...{ '--game': games, '--product': products, '--payment-method': methods, '--promo': promos },
  ...{ '--profile': profiles, '--catalog': files },
};

/** By what an argument or the value of an option is called in help. */
const ofValues: Record<string, Source> = {
  slug: games,
  'order-id': orders,
  'key-id': keys,
  profile: profiles,
  file: files,
};

/** As an option, a code is one that is being made up. */
const ofArguments: Record<string, Source> = { ...ofValues, code: promos };

function sourceOf(taking: Option | Argument): Source | undefined {
  if (!(taking instanceof Option)) return ofArguments[taking.name()];
  const value = /[<[]([\w-]+)/.exec(taking.flags)?.[1] ?? '';
  return ofOptions[taking.long ?? ''] ?? ofValues[value];
}

/** What an option or argument may be given; nothing where nobody can know. */
export async function valuesOf(taking: Option | Argument, command: Command, io: Io): Promise<Values> {
  if (taking.argChoices) return taking.argChoices.map((value) => ({ value }));
  return sourceOf(taking)?.(command, io) ?? [];
}
