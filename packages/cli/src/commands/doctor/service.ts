import { headers } from '@topup-kit/core/contract';
import { chooseProfile, maskKey, type ResolvedSetting } from '../../config/resolve.ts';
import type { CommandContext } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { type Io, programName } from '../../io.ts';
import { isObject } from '../../json.ts';
import { clockAhead } from '../../output/format.ts';
import {
  chooseBaseUrl,
  chooseKey,
  invalidBaseUrl,
  isLoopback,
  ownPort,
  parseBaseUrl,
  sameService,
  serverRoot,
} from '../../service/connection.ts';
import { baseUrlHint } from '../../service/hints.ts';
import { type ProbeFailure, type ProbeResponse, probe } from '../../service/probe.ts';
import { type SandboxState, sandboxState } from '../../service/sandbox-state.ts';
import { type Check, failed, good, skipped, warning } from './check.ts';

/** Address and key of a command that contacts a service, if they are known. */
interface Address {
  url: URL;
  baseUrl: ResolvedSetting;
  /** Key; undefined if there is none for this service. */
  key: ResolvedSetting | undefined;
  /** Error about an invalid key. */
  keyError?: CliError;
}

/** Finds address and key. Unlike in commands, the key may be missing, so that other checks still run. An invalid key is a finding. */
async function findAddress(context: CommandContext): Promise<Address> {
  const profile = chooseProfile(context);
  const baseUrl = chooseBaseUrl(context, profile);
  const url = parseBaseUrl(baseUrl.value);
  if (!url) throw invalidBaseUrl({ urlSource: baseUrl.source });
  try {
    return { url, baseUrl, key: await chooseKey(context, baseUrl.value, profile) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { url, baseUrl, key: undefined, keyError: error };
  }
}

const listsGames = ({ body }: ProbeResponse): boolean => isObject(body) && Array.isArray(body.games);

/** Names a sandbox's scenario as the reason for a finding. */
const because = (fault: string): string => `, because of its scenario ${fault}`;

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
      `${where} responds, but not like a top-up service (status ${status})`,
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

/** Checks the health of a server of this kit; other services have no such check. */
async function checkHealth({ url }: Address, io: Io, fault: string | undefined): Promise<Check> {
  const result = await probe(new URL(`${serverRoot(url)}/health`), io);
  const status = 'response' in result ? result.response.status : 0;
  if (status === 503)
    return failed(
      'health',
      'the service reports that its store accepts no orders',
      "See the checks of the store below, and the server's log.",
    );
  const isHealthy =
    'response' in result && status === 200 && JSON.stringify(result.response.body) === '{"status":"ok"}';
  return isHealthy
    ? good(
        'health',
        fault === undefined
          ? 'the service accepts orders'
          : `the server is healthy, except for its scenario ${fault}`,
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
  origin === 'default' ? 'the well-known sandbox key' : `the key of ${source} (${maskKey(value)})`;

/** Checks whether there is a key for the service, and whether the service accepts the key. */
export function checkKey(
  { baseUrl, key, keyError }: Address,
  status: number | undefined,
  program: string,
): Check {
  if (keyError) return failed('key', keyError.message, keyError.details.hint ?? null);
  if (!key)
    return failed(
      'key',
      'there is no key for this service',
      `Set TOPUP_API_KEY, or save the key in a profile:\n${program} login`,
    );
  if (status === 200) return good('key', `${keyWords(key)} is accepted`);
  if (status === 403) return good('key', `${keyWords(key)} is valid, but may not list games`);
  // The operator of a live server needs no key for commands that use its store.
  if (status === 401 && key.origin === 'default' && baseUrl.source === ownPort)
    return skipped('key', 'no key was checked, because this server is not a sandbox: set TOPUP_API_KEY');
  if (status === 401)
    return failed(
      'key',
      `${keyWords(key)} is rejected`,
      `Set another key with TOPUP_API_KEY, --key-file or ${program} login. On your own server:\n${program} keys create --name my-key`,
    );
  return skipped('key', `${keyWords(key)} could not be checked`);
}

/** Resolution of the `Date` header, which has whole seconds, in milliseconds. */
const resolution = 1_000;
/** Difference from which people notice that times are wrong, in milliseconds. */
const tolerable = 5_000;

/** Returns the time of the server's clock, in unix milliseconds; `Age` is the time for which a cache kept the response. */
function serverTime({ headers }: ProbeResponse): number | undefined {
  const date = Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(date) ? undefined : date + Number(headers.get('Age') ?? 0) * 1_000;
}

/** Returns how far this machine is ahead of the server at least, in milliseconds, without network time and rounding. */
export function leastSkew({ sentAt, respondedAt }: ProbeResponse, server: number): number {
  if (sentAt > server + resolution) return sentAt - (server + resolution);
  return Math.min(0, respondedAt - server);
}

function checkClock(response: ProbeResponse, ahead: number): Check {
  const moved = clockAhead(ahead);
  const server = serverTime(response);
  if (server === undefined) return skipped('clock', 'the service sends no Date header');
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
    "Synchronise this machine's clock with NTP. If it is synchronised already, the service's clock is wrong.",
  );
}
