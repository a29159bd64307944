import { headers } from '@topup-kit/core/contract';
import type { CommandContext } from '../../context.ts';
import { CliError, exitCodeOfStatus, exitCodes, stopCodeOf, systemCode } from '../../errors/cli-error.ts';
import { programName } from '../../io.ts';
import { isObject } from '../../json.ts';
import { departureWords, type Fields, fitResponse } from '../../output/departures.ts';
import { printable } from '../../output/text.ts';
import {
  chooseConnection,
  type ServiceConnection,
  sameService,
  serverRoot,
} from '../../service/connection.ts';

export interface Controls {
  /** URL below which the control routes are. */
  root: string;
  /** Sends `GET /sandbox...`, or a POST request with a body, and fits the data to the fields. Throws a CliError if this fails. */
  ask(path: string, fields: Fields, body?: object): Promise<object>;
  /** Returns a command line for the same server. */
  commandLine(args: string): string;
}

interface SandboxResponse {
  status: number;
  code: string | null;
  body: unknown;
}

interface SandboxRequest {
  root: string;
  program: string;
  connection: ServiceConnection;
}

function noResponseError(
  error: unknown,
  { root, program, connection, stopped }: SandboxRequest & { stopped: AbortSignal | undefined },
): CliError {
  if (stopped?.aborted) {
    return new CliError('Stopped before the response came.', {
      code: 'ABORTED',
      exitCode: stopCodeOf(stopped.reason),
      cause: error,
    });
  }
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  const reason = isTimeout ? 'it took too long' : (systemCode(error) ?? 'the connection failed');
  return new CliError(`No response from ${root} (${reason}).`, {
    code: isTimeout ? 'TIMEOUT' : 'NETWORK_ERROR',
    exitCode: exitCodes.network,
    hint:
      connection.urlFrom === 'default'
        ? `Start a sandbox with \`${program} serve --sandbox\`, or set TOPUP_BASE_URL to yours.`
        : `Check that the sandbox is up, and that ${connection.urlSource} is its base URL.`,
    cause: error,
  });
}

const invalidResponseError = (root: string): CliError =>
  new CliError(`${root} did not respond like a Topup Kit sandbox.`, {
    code: 'INVALID_RESPONSE',
    exitCode: exitCodes.failure,
    hint: 'Check that the base URL belongs to a server in sandbox mode.',
  });

const noSandbox = ({ root, program }: SandboxRequest): CliError =>
  new CliError(`${root} is not a sandbox.`, {
    code: 'NO_SANDBOX',
    exitCode: exitCodes.failure,
    hint: `Only a server in sandbox mode has control routes; a live server has none.\nTo start one:\n  ${program} serve --sandbox`,
  });

const messageIn = (body: unknown): string | undefined =>
  isObject(body) && typeof body.message === 'string' ? body.message : undefined;

/** Returns the error for a rejected request, with the message of the service if it has a message. */
function rejectedError({ status, code, body }: SandboxResponse, asked: SandboxRequest): CliError {
  if (code === 'ROUTE_NOT_FOUND' || (status === 404 && code === null)) return noSandbox(asked);
  if (code === null) return invalidResponseError(asked.root);
  const exitCode = exitCodeOfStatus(status);
  return new CliError(messageIn(body) ?? `The sandbox responded with status ${status}.`, {
    code,
    exitCode,
    hint:
      exitCode === exitCodes.auth
        ? 'From another machine or through a proxy, a sandbox needs its key: set TOPUP_API_KEY.'
        : undefined,
  });
}

/** Timeout in milliseconds. It is long, because moving the clock may make much work due. */
const longestMs = 60_000;

async function readResponse(response: Response): Promise<SandboxResponse> {
  const body: unknown = await response.json().catch(() => undefined);
  return { status: response.status, code: response.headers.get(headers.errorCode), body };
}

/** Connects to the control routes of the sandbox that options and environment name. */
export async function connectSandbox(context: CommandContext, timeoutMs = longestMs): Promise<Controls> {
  const connection = await chooseConnection(context);
  const { baseUrl, apiKey, keyFrom } = connection;
  const root = serverRoot(new URL(baseUrl));
  const program = programName(context.io);
  if (keyFrom === 'default') context.remark(`Using the sandbox at ${printable(root)}.`);
  const { signal: stopped } = context.io;
  return {
    root,
    async ask(path, fields, body) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const response = await fetch(`${root}/sandbox${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          Accept: 'application/json',
          [headers.acceptLanguage]: 'en',
          [headers.apiKey]: apiKey,
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: stopped ? AbortSignal.any([stopped, timeout]) : timeout,
      }).then(readResponse, (error: unknown) => {
        throw noResponseError(error, { root, program, connection, stopped });
      });
      if (response.status !== 200) throw rejectedError(response, { root, program, connection });
      if (!isObject(response.body) || !isObject(response.body.data)) throw invalidResponseError(root);
      const { data } = response.body;
      const departures = fitResponse(fields, data, apiKey);
      if (departures.length > 0) context.remark(`${departureWords(departures)}\n`);
      return data;
    },
    commandLine: (args) => sameService(context, args),
  };
}

/** State of a sandbox's world, as the control routes return it. */
export interface SandboxWorld {
  now: string;
  /** Offset of world time from real time, in milliseconds. */
  ahead_ms: number;
  scenario: string;
  /** Descriptions of scenarios by their names. */
  scenarios: Record<string, string>;
}

const worldFields: Fields = {
  now: 'string',
  ahead_ms: 'number',
  scenario: 'string',
  // An older or newer server may have other scenarios.
  scenarios: ['map', 'string'],
};

/** Reads the world, or changes it if there is a body. Returns its state afterwards. */
export const askWorld = async (controls: Controls, path: string, body?: object): Promise<SandboxWorld> =>
  (await controls.ask(path, worldFields, body)) as SandboxWorld; // Safe: the value was fitted to these fields.
