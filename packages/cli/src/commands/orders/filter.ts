import type { Command, OptionValues } from '@commander-js/extra-typings';
import { cleanText, normalPhone } from '@topup-kit/core/contract';
import type { OrderFilter } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import type { NewCommand, OptionsOf } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { filled } from '../../input/arguments.ts';
import { given } from '../../input/given.ts';
import { readSpan, whenText } from '../../input/moments.ts';
import type { OperatorStore } from '../../store/open.ts';
import { withStatusFlags } from './order-list.ts';

export const withSelection = <
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(
  command: Command<Args, Options, Globals>,
) =>
  command
    .option('--account <account>', 'only orders placed with keys of this account', filled)
    .option('--game <slug>', 'only orders of this game', filled)
    .option('--phone <number>', 'only orders of this phone number, in any notation', filled)
    .option(
      '--since <when>',
      'only orders created since this time: 2h (ago), yesterday, a day or a time',
      whenText,
    )
    .option('--until <when>', 'only orders created until this time; a date includes that day', whenText);

export const withFilterFlags = (command: NewCommand) => withSelection(withStatusFlags(command));

type FilterOptions = OptionsOf<typeof withFilterFlags>;

/** Returns the given flags, for a command line with the same orders. */
export const filterFlags = (options: FilterOptions): Record<string, string | undefined> => ({
  '--account': options.account,
  '--payment-status': options.paymentStatus,
  '--buy-status': options.buyStatus,
  '--game': options.game,
  '--phone': options.phone,
  '--since': options.since,
  '--until': options.until,
});

async function gameIdOf(slug: string, { store, commandLine }: OperatorStore): Promise<number> {
  const game = (await store.readCatalog())?.games.find((listed) => listed.slug === slug);
  if (game) return game.id;
  throw new CliError(`There is no game ${slug} in the catalogue.`, {
    code: 'GAME_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: `To write the catalogue, which has the slugs of its games:\n  ${commandLine('catalog export')}`,
  });
}

function customerOf(phone: string): string {
  const customer = normalPhone(cleanText(phone, 'phone'));
  if (customer === null) throw usageError(`--phone takes a phone number, not ${JSON.stringify(phone)}.`);
  return customer;
}

export async function readFilter(
  { io }: CommandContext,
  options: Partial<FilterOptions>,
  operating: OperatorStore,
): Promise<Omit<OrderFilter, 'limit'>> {
  const { account: accountId, paymentStatus, buyStatus, game, phone } = options;
  return {
    ...given({ accountId, paymentStatus, buyStatus }),
    ...(phone !== undefined && { customer: customerOf(phone) }),
    ...(game !== undefined && { gameId: await gameIdOf(game, operating) }),
    // Orders are dated in world time, which a sandbox may move ahead.
    ...(await readSpan(io, options, operating.deps.worldClock())),
  };
}
