import { type Argument, type Command, Option } from 'commander';
import type { Io } from '../io.ts';
import type { Suggestion } from './suggestion.ts';

type Values = readonly Suggestion[] | 'files';
type Source = (command: Command, io: Io) => Promise<Values>;

const profiles: Source = async (command, io) => (await import('./profiles.ts')).profiles(command, io);
const games: Source = async (command, io) => (await import('./shop.ts')).games(command, io);
const products: Source = async (command, io) => (await import('./shop.ts')).products(command, io);
const methods: Source = async (command, io) => (await import('./shop.ts')).methods(command, io);
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
