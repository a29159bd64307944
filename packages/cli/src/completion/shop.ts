import type { CheckoutAnswer } from '@topup-kit/sdk';
import { createTopupClient } from '@topup-kit/sdk/light';
import type { Command } from 'commander';
import { contextOf } from '../context.ts';
import type { Io } from '../io.ts';
import { chooseConnection } from '../service/connection.ts';
import { remembered } from './remember.ts';
import type { Suggestion } from './suggestion.ts';

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
    answer(createTopupClient({ baseUrl, apiKey, retries: 0, timeout })),
  );
}

export async function games(command: Command, io: Io): Promise<Suggestion[]> {
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
  pick: (answer: CheckoutAnswer) => Suggestion[],
): Promise<Suggestion[]> {
  const { game } = command.opts<{ game?: string }>();
  if (typeof game !== 'string') return [];
  return ask(command, io, `${name} of ${game}`, async (client) => pick(await client.checkout.get(game)));
}

const method = ({ id, name }: { id: number; name: string }): Suggestion => numbered({ id, title: name });

/** Of all games where none is named: a promo may be for products of many. */
export async function products(command: Command, io: Io): Promise<Suggestion[]> {
  if (!isOnStore(command))
    return checkout(command, io, 'products', ({ game }) => game.products.map(numbered));
  return (await fromStore(command, io))?.games.flatMap((game) => game.products.map(numbered)) ?? [];
}

export async function methods(command: Command, io: Io): Promise<Suggestion[]> {
  if (!isOnStore(command))
    return checkout(command, io, 'methods', (answer) => answer.paymentMethods.map(method));
  return (await fromStore(command, io))?.payment_methods.map(method) ?? [];
}
