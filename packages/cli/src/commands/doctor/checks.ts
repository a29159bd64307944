import { existsSync } from 'node:fs';
import { type } from 'node:os';
import { headers } from '@topup-kit/core/contract';
import type { AlertAdvice } from '@topup-kit/core/engine';
import {
  type ChosenProfile,
  chooseKey,
  chooseProfile,
  maskKey,
  type ResolvedSetting,
} from '../../config/resolve.ts';
import type { CommandContext } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { orderFlags } from '../../errors/order-flags.ts';
import { type Io, programName } from '../../io.ts';
import { isObject } from '../../json.ts';
import { clockAhead, counted, readableTime } from '../../output/format.ts';
import { printable, shellWord } from '../../output/text.ts';
import { abandonedEntries, journalFolder, type PendingOrder } from '../../pending-orders/journal.ts';
import {
  chooseBaseUrl,
  invalidBaseUrl,
  isLoopback,
  parseBaseUrl,
  sameService,
  sandboxKey,
  serverRoot,
} from '../../service/connection.ts';
import { baseUrlHint, upgradeHints } from '../../service/hints.ts';
import { type ProbeFailure, type ProbeResponse, probe } from '../../service/probe.ts';
import { type SandboxState, sandboxState } from '../../service/sandbox-state.ts';
import { chooseStore, findStore, onSameStore } from '../../store/open.ts';
import { version } from '../../version.ts';
import { accessHint, grouped, type Inspected, upkeep } from '../database/store-file.ts';

/** `skipped` if another check must pass first, or if there is nothing to check. */
export type State = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Check {
  name: string;
  state: State;
  /** The finding, as a sentence. */
  found: string;
  /** What to do; null if there is nothing to do. */
  fix: string | null;
}

/** A check, and the things that it is about if they are dealt with one by one, so that new ones are told apart. */
export interface Finding extends Check {
  about?: {
    /** The same from run to run. */
    names: readonly string[];
    /** The check of only these of them. */
    only(names: readonly string[]): Check;
  };
}

const good = (name: string, found: string): Check => ({ name, state: 'ok', found, fix: null });
const warning = (name: string, found: string, fix: string): Check => ({ name, state: 'warning', found, fix });
export const failed = (name: string, found: string, fix: string | null): Check => ({
  name,
  state: 'failed',
  found,
  fix,
});
export const skipped = (name: string, found: string): Check => ({ name, state: 'skipped', found, fix: null });

/** A Node that is too old is rejected before any command runs. */
export const checkVersions = (): Check =>
  good('versions', `topup ${version} on Node ${process.version}, ${type()} (${process.arch})`);

/** Whether the config file is valid, and which profile is in use. */
export function checkConfiguration(context: CommandContext): Check {
  const { name: profile, from, path } = chooseProfile(context);
  if (!existsSync(path))
    return good('configuration', `no ${path}, and none is needed for a sandbox on this machine`);
  const by = from === 'config' || from === 'default' ? '' : `, by ${from}`;
  return good('configuration', `profile ${profile} of ${path}${by}`);
}

/** What a command that contacts a service would use, as far as it is known. */
interface Address {
  url: URL;
  baseUrl: ResolvedSetting;
  /** Undefined without a key for this service. */
  key: ResolvedSetting | undefined;
  /** What is wrong with the key, if it is invalid. */
  keyError?: CliError;
}

/** An invalid key is a finding here and not an error, so that the other checks still run. */
async function findKey(context: CommandContext, profile: ChosenProfile, baseUrl: string) {
  try {
    return { key: await chooseKey(context, { profile, baseUrl }) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { key: undefined, keyError: error };
  }
}

/** Unlike commands, continues without a key, so that the other checks still run. */
async function findAddress(context: CommandContext): Promise<Address> {
  const profile = chooseProfile(context);
  const baseUrl = chooseBaseUrl(context, profile);
  const url = parseBaseUrl(baseUrl.value);
  if (!url) throw invalidBaseUrl({ urlSource: baseUrl.source });
  const chosen = await findKey(context, profile, baseUrl.value);
  if (chosen.key || chosen.keyError || !isLoopback(url)) return { url, baseUrl, ...chosen };
  return { url, baseUrl, key: { value: sandboxKey, origin: 'default', source: 'default' } };
}

const listsGames = ({ body }: ProbeResponse): boolean => isObject(body) && Array.isArray(body.games);

/** What the fault of a sandbox is called where it explains a finding. */
const because = (fault: string): string => `, because of its scenario ${fault}`;

/** Whether a sandbox simulates a fault. No check at all when it doesn't, or is none. */
const checkScenario = (state: SandboxState | undefined, topup: (args: string) => string): Check[] =>
  state?.fault === undefined
    ? []
    : [
        warning(
          'scenario',
          `this sandbox simulates a fault: ${state.fault}`,
          `To end it:\n${topup('sandbox scenario none')}`,
        ),
      ];

function unreachable({ found, fix }: ProbeFailure, { baseUrl }: Address, program: string): Check {
  if (baseUrl.origin !== 'default')
    return failed('service', `${found} The base URL comes from ${baseUrl.source}.`, fix);
  return failed(
    'service',
    found,
    `Start a sandbox, or set TOPUP_BASE_URL to your service:\n${program} serve --sandbox`,
  );
}

function responding(response: ProbeResponse, { url, baseUrl }: Address, fault: string | undefined): Check {
  const { status } = response;
  const from = baseUrl.origin === 'default' ? '' : `, by ${baseUrl.source},`;
  const where = `${baseUrl.value}${from}`;
  if (status === 429 || status >= 500)
    return fault === undefined
      ? failed(
          'service',
          `${where} responds with status ${status}`,
          'Wait a minute, then ask the operator of the service.',
        )
      : failed('service', `${where} responds with status ${status}${because(fault)}`, null);
  if (status !== 401 && status !== 403 && !(status === 200 && listsGames(response)))
    return failed(
      'service',
      `${where} responds, but is not the interface (status ${status})`,
      baseUrlHint(baseUrl.value),
    );
  if (url.protocol === 'http:' && !isLoopback(url))
    return warning(
      'service',
      `${where} responds without encryption`,
      'Use https: otherwise others can read the key on the network.',
    );
  return good('service', `${where} responds in ${response.respondedAt - response.sentAt} ms`);
}

/** The health check of a server of this kit; other services have none. */
async function checkHealth({ url }: Address, io: Io, fault: string | undefined): Promise<Check> {
  const result = await probe(new URL(`${serverRoot(url)}/health`), io);
  const status = 'response' in result ? result.response.status : 0;
  if (status === 503)
    return failed(
      'health',
      'the service reports that its store accepts no orders',
      "Look at the server's log.",
    );
  const isHealthy =
    'response' in result && status === 200 && JSON.stringify(result.response.body) === '{"status":"ok"}';
  return isHealthy
    ? good(
        'health',
        fault === undefined
          ? 'the service accepts orders'
          : `the server itself is healthy, apart from its scenario ${fault}`,
      )
    : skipped('health', 'the service has no health check');
}

/** Sends one request as a client would, and checks what its response shows. */
export async function checkService(context: CommandContext): Promise<Check[]> {
  const address = await findAddress(context);
  const { io } = context;
  const program = programName(io);
  const { url, key } = address;
  const state = await sandboxState(url, key?.value, io);
  const scenario = checkScenario(state, (args) => sameService(context, args));
  const games = new URL(url.origin + url.pathname.replace(/\/*$/, '/games'));
  const result = await probe(games, io, {
    Accept: 'application/json',
    ...(key && { [headers.apiKey]: key.value }),
  });
  if ('failure' in result) {
    const { failure } = result;
    const service =
      state?.fault === undefined
        ? unreachable(failure, address, program)
        : failed('service', `${failure.found.replace(/\.$/, '')}${because(state.fault)}`, null);
    return [service, ...scenario, checkKey(address, undefined, program)];
  }
  const { response } = result;
  return [
    responding(response, address, state?.fault),
    ...scenario,
    checkKey(address, response.status, program),
    checkClock(response, state?.aheadMs ?? 0),
    await checkHealth(address, io, state?.fault),
  ];
}

const keyWords = ({ value, origin, source }: ResolvedSetting): string =>
  origin === 'default' ? 'the well-known key of sandboxes' : `the key of ${source} (${maskKey(value)})`;

/** Whether there is a key for the service, and whether the service accepts it. */
export function checkKey({ key, keyError }: Address, status: number | undefined, program: string): Check {
  if (keyError) return failed('key', keyError.message, keyError.details.hint ?? null);
  if (!key)
    return failed(
      'key',
      'there is no key for this service',
      `Set TOPUP_API_KEY, or save the key in a profile:\n${program} login`,
    );
  if (status === 200) return good('key', `${keyWords(key)} is accepted`);
  if (status === 403) return good('key', `${keyWords(key)} is valid, but may not list games`);
  if (status === 401)
    return failed(
      'key',
      `${keyWords(key)} is rejected`,
      `Set another key with TOPUP_API_KEY, --key-file or ${program} login. On your own server:\n${program} keys create --name my-key`,
    );
  return skipped('key', `${keyWords(key)} could not be checked`);
}

/** In milliseconds; the `Date` header has whole seconds. */
const resolution = 1_000;
/** In milliseconds; from here on, people notice that times are wrong. */
const tolerable = 5_000;

/** The server's clock, in unix milliseconds; `Age` is how long a cache kept the response. */
function serverTime({ headers }: ProbeResponse): number | undefined {
  const date = Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(date) ? undefined : date + Number(headers.get('Age') ?? 0) * 1_000;
}

/** By how much this machine is at least ahead of the server, in milliseconds; network time and rounding don't count. */
export function leastSkew({ sentAt, respondedAt }: ProbeResponse, server: number): number {
  if (sentAt > server + resolution) return sentAt - (server + resolution);
  return Math.min(0, respondedAt - server);
}

function checkClock(response: ProbeResponse, ahead: number): Check {
  const moved = clockAhead(ahead);
  const server = serverTime(response);
  if (server === undefined) return skipped('clock', 'the service sends no time');
  const skew = leastSkew(response, server);
  if (Math.abs(skew) <= tolerable)
    return good(
      'clock',
      `agrees with the service's${moved === undefined ? '' : `; sandbox clock: ${moved}`}`,
    );
  const seconds = Math.round(Math.abs(skew) / 1_000);
  return warning(
    'clock',
    `this machine is ${seconds} seconds ${skew > 0 ? 'ahead of' : 'behind'} the service, so times to pay look wrong`,
    "Synchronise this machine's clock by NTP; if it is synchronised, the service's clock is wrong.",
  );
}

/** A sandbox needs no key of its store: on its own machine it also has the well-known one. */
const keysWords = ({ activeKeys, mode }: Inspected): string =>
  mode === 'sandbox'
    ? `${activeKeys === 0 ? 'no key' : counted(activeKeys, 'key')} besides the well-known one`
    : counted(activeKeys, 'active key');

function judged(path: string, inspection: Inspected, topup: (args: string) => string): Check {
  const { orders, overdue } = inspection;
  const servers = 'servers' in inspection ? inspection.servers.length : Number(inspection.server !== null);
  const run = servers === 0 ? 'no server runs' : servers === 1 ? 'a server runs' : `${servers} servers run`;
  const finding = [
    // Only a file is read whole, and so checked for damage.
    `${path} ${'servers' in inspection ? 'responds' : 'is intact'}: ${counted(orders, 'order')}, ${keysWords(inspection)}`,
    `${run} on it`,
    ...(overdue > 0 && servers === 0 ? [`${counted(overdue, 'task')} overdue`] : []),
  ].join('; ');
  const lines = upkeep(inspection, topup);
  return lines.length === 0 ? good('store', finding) : warning('store', finding, lines.join('\n'));
}

/** Whether keys expire soon. No check at all when none does. */
function checkExpiry({ expiringKeys }: Inspected, topup: (args: string) => string): Check[] {
  const [first] = expiringKeys.toSorted((one, other) => (one.expiresAt ?? 0) - (other.expiresAt ?? 0));
  if (!first) return [];
  const more = expiringKeys.length - 1;
  return [
    warning(
      'expiry',
      `key ${first.keyId} (${printable(first.name)}) expires ${readableTime(first.expiresAt ?? 0)}${more === 0 ? '' : `, and ${counted(more, 'other key')} within two weeks`}`,
      `Replace it, and give the new key to its user before then:\n${topup(`keys rotate ${first.keyId}`)}`,
    ),
  ];
}

type Alert = Inspected['alerts'][number];

/** The name of each alert's check. */
export const alertChecks: Record<Alert['kind'], string> = {
  'waiting-for-balance': 'waiting',
  'stuck-orders': 'stuck',
  'failed-deliveries': 'failed',
  contradictions: 'contradicted',
  'money-without-an-order': 'money',
  'refunded-payments': 'refunded',
  'unpaid-refunds': 'refunds',
  'unclear-payments': 'unclear',
  'low-balance': 'balance',
  'products-below-cost': 'cost',
  'rejected-requests': 'requests',
  'failing-callbacks': 'callbacks',
};

type PendingItem = NonNullable<Alert['items']>[number];

/** `INV-1-2-1 at {supplier} (product ML86)`: by what an item without an outcome is found. */
const itemWords = ({ reference, supplier, supplierId, productCode }: PendingItem): string =>
  `${reference} at ${supplier ?? 'the supplier'} (${supplierId === null ? '' : `its own id ${printable(supplierId)}, `}product ${printable(productCode)})`;

/** What the advice calls the first name of an alert. */
const placeholder = /<(order-id|payment|refund|callback-id)>/g;

/** An alert names what it is about in its sentence only when that doesn't name it already. */
function checkAlert(
  { kind, names, subjects, count, sentence, items = [] }: Alert,
  { text, commands }: AlertAdvice,
  topup: (args: string) => string,
): Finding {
  const listed = (shown: readonly string[], all: number): string => {
    const more = all > shown.length ? ` and ${grouped(all - shown.length)} more` : '';
    return shown.join(', ') + more;
  };
  const checkOf = (found: string, [first = '']: readonly string[]): Check => {
    const help = commands.map((command) => topup(command.replaceAll(placeholder, first)));
    const look = items.map((item) => `Look for ${itemWords(item)}`);
    return failed(
      alertChecks[kind],
      found,
      [text, ...look, ...help, `See docs/going-live.md#${kind}`].join('\n'),
    );
  };
  const finding = sentence.includes(names[0] ?? '') ? sentence : `${sentence}: ${listed(names, count)}`;
  const whole = checkOf(finding, names);
  const only = (some: readonly string[]): Check =>
    // Where one act helps all, what waits for it is named, and not what it is about.
    names[0] !== subjects[0] || some.length === subjects.length
      ? whole
      : checkOf(`${sentence}; new: ${listed(some.slice(0, names.length), some.length)}`, some);
  return { ...whole, about: { names: subjects, only } };
}

async function findings(path: string, inspection: Inspected, context: CommandContext): Promise<Finding[]> {
  const { alertAdvice } = await import('@topup-kit/core/engine');
  const topup = onSameStore(context, {});
  return [
    judged(path, inspection, topup),
    ...checkExpiry(inspection, topup),
    ...inspection.alerts.map((alert) => checkAlert(alert, alertAdvice[alert.kind], topup)),
  ];
}

async function lookAt(path: string, context: CommandContext): Promise<Check | Finding[]> {
  const { inspectStore, StoreFileError } = await import('@topup-kit/server');
  try {
    const inspection = await inspectStore(path, { check: 'quick', signal: context.io.signal });
    return await findings(path, inspection, context);
  } catch (error) {
    if (!(error instanceof StoreFileError)) throw error;
    const { problem, message } = error;
    const fixes = { not_writable: accessHint, needs_upgrade: upgradeHints.file, too_many_files: null };
    const byBackup = 'Restore a damaged store from a backup; see `topup restore --help`.';
    return failed('store', message, problem in fixes ? fixes[problem as keyof typeof fixes] : byBackup); // safe: just looked up
  }
}

async function lookAtDatabase(
  path: string,
  url: string,
  context: CommandContext,
): Promise<Check | Finding[]> {
  const { inspectDatabase, PostgresError } = await import('@topup-kit/server');
  try {
    return await findings(path, await inspectDatabase(url), context);
  } catch (error) {
    if (!(error instanceof PostgresError)) throw error;
    return failed('store', error.message, error.problem === 'needs_upgrade' ? upgradeHints.postgres : null);
  }
}

/** Whether the store that operators' commands would use is in order, and what in it waits for an operator. */
export async function checkStore(context: CommandContext): Promise<Check | Finding[]> {
  const { value, origin, source } = chooseStore(context, undefined);
  if (value === 'memory:') return skipped('store', `${value} is inside a server's process`);
  const { address, path } = await findStore(context, {});
  if (address.kind === 'postgres') return lookAtDatabase(path, address.url, context);
  if (existsSync(path)) return lookAt(path, context);
  if (origin === 'default') return skipped('store', `no ${path}; only operators' commands need a store`);
  return warning(
    'store',
    `there is no ${path}, which ${source} names`,
    'Start a server on it, or use another with --store or TOPUP_STORE.',
  );
}

/** Whether a previous secret of a provider is still accepted, by the settings in this environment. No check at all when none is. */
export async function checkSecrets({ environment }: Io): Promise<Check[]> {
  const isSet = (name: string): boolean =>
    [name, `${name}_FILE`].some((one) => (environment[one] ?? '') !== '');
  if (!Object.keys(environment).some((name) => /_PREVIOUS(_FILE)?$/.test(name))) return [];
  const { providerSettings } = await import('@topup-kit/server');
  const previous = Object.values(providerSettings)
    .flat()
    .filter(({ name, previousOf }) => previousOf !== undefined && isSet(name));
  return previous.map(({ name }) =>
    warning(
      'secrets',
      `${name} is set, so that callbacks signed with the previous secret are still accepted`,
      `Unset ${name} a day after the secret was replaced, and restart the server.\nSee docs/secrets.md`,
    ),
  );
}

/** The command that started the order; run again, it finishes it. */
function sameCommand({ request, base_url }: PendingOrder, program: string): string {
  const values = new Map(Object.entries(request));
  const flags = Object.entries(orderFlags).flatMap(([field, flag]) => {
    const value = values.get(field);
    return value === undefined || value === null ? [] : [`${flag} ${shellWord(String(value))}`];
  });
  return [program, 'orders create', ...flags, `--base-url ${shellWord(base_url)}`].join(' ');
}

/** Whether orders were started here whose result was never printed. */
export function checkOrders(io: Io): Check {
  const entries = abandonedEntries(journalFolder(io)).map(({ file, read }) => ({ file, order: read() }));
  const unreadable = entries.find(({ order }) => order === 'unreadable');
  if (unreadable)
    return failed(
      'orders',
      `${unreadable.file} is not a readable entry of an unfinished order`,
      'Look for the order at the service, then remove the file.',
    );
  const unfinished = entries.flatMap(({ order }) => (typeof order === 'object' ? [order] : []));
  const [oldest] = unfinished.toSorted(
    (one, other) => Date.parse(one.started_at) - Date.parse(other.started_at),
  );
  if (!oldest) return good('orders', 'every order that was started here with this CLI got its result');
  return warning(
    'orders',
    `${unfinished.length === 1 ? '1 order was' : `${unfinished.length} orders were`} started here and not finished, the oldest ${readableTime(Date.parse(oldest.started_at))}`,
    `To finish it, run the same command:\n${sameCommand(oldest, programName(io))}`,
  );
}
