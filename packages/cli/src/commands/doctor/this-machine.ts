import { existsSync } from 'node:fs';
import { type } from 'node:os';
import { chooseProfile } from '../../config/resolve.ts';
import type { CommandContext } from '../../context.ts';
import { orderFlags } from '../../errors/order-flags.ts';
import { type Io, programName } from '../../io.ts';
import { readableTime } from '../../output/format.ts';
import { shellWord } from '../../output/text.ts';
import { type PendingOrder, unfinishedOrders } from '../../pending-orders/journal.ts';
import { version } from '../../version.ts';
import { type Check, failed, good, warning } from './check.ts';

/** Names the versions. A Node that is too old is rejected before any command runs. */
export const checkVersions = (): Check =>
  good('versions', `topup ${version} on Node ${process.version}, ${type()} (${process.arch})`);

/** Checks the config file, and names the current profile. */
export function checkConfiguration(context: CommandContext): Check {
  const { name: profile, from, path } = chooseProfile(context);
  if (!existsSync(path))
    return good('configuration', `no ${path}, and none is needed for a sandbox on this machine`);
  const by = from === 'config' || from === 'default' ? '' : `, by ${from}`;
  return good('configuration', `profile ${profile} of ${path}${by}`);
}

/** Checks whether this environment's settings still accept a provider's previous secret. There is no check if they contain none. */
export async function checkSecrets({ environment }: Io): Promise<Check[]> {
  const isSet = (name: string): boolean =>
    [name, `${name}_FILE`].some((variable) => (environment[variable] ?? '') !== '');
  if (!Object.keys(environment).some((name) => /_PREVIOUS(_FILE)?$/.test(name))) return [];
  const { providerSettings } = await import('@topup-kit/server/internal');
  const previous = Object.values(providerSettings)
    .flat()
    .filter(({ name, previousOf }) => previousOf !== undefined && isSet(name));
  return previous.map(({ name }) =>
    warning(
      'secrets',
      `${name} is set, so that callbacks signed with the previous secret are still accepted`,
      `One day after you replace the secret, unset ${name} and restart the server.\nSee docs/secrets.md of the repository`,
    ),
  );
}

/** Returns the command that started the order; running it again finishes the order. */
function sameCommand({ request, base_url }: PendingOrder, program: string): string {
  const values = new Map(Object.entries(request));
  const flags = Object.entries(orderFlags).flatMap(([field, flag]) => {
    const value = values.get(field);
    return value === undefined || value === null ? [] : [`${flag} ${shellWord(String(value))}`];
  });
  return [program, 'orders create', ...flags, `--base-url ${shellWord(base_url)}`].join(' ');
}

/** Checks for started orders whose result was never printed. */
export function checkOrders(io: Io): Check {
  const unfinished = unfinishedOrders(io);
  const [first] = unfinished;
  if (!first) return good('orders', 'all orders that were started here are finished');
  const { order: oldest, file } = first;
  if (oldest === undefined)
    return failed(
      'orders',
      `${file} is a damaged record of an unfinished order`,
      'Look for the order at the service, then delete the file.',
    );
  return warning(
    'orders',
    `${unfinished.length === 1 ? '1 order was' : `${unfinished.length} orders were`} started here and not finished, the oldest ${readableTime(Date.parse(oldest.started_at))}`,
    `To finish it, run the same command:\n${sameCommand(oldest, programName(io))}`,
  );
}
