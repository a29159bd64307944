import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceDescription } from '@topup-kit/conformance';
import type { CreateOrderRequest } from '@topup-kit/core/contract';
import type { CommandContext } from '../../context.ts';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import {
  CliError,
  type ExitCode,
  exitCodeOfStatus,
  exitCodes,
  QuietExit,
  reasonOf,
  stopCodeOf,
  usageError,
} from '../../errors/cli-error.ts';
import type { Io } from '../../io.ts';
import { isObject } from '../../json.ts';
import { jsonDocument } from '../../output/print.ts';
import { printable } from '../../output/text.ts';
import { connect, type Service } from '../../service/client.ts';
import { chooseConnection, type ServiceConnection } from '../../service/connection.ts';
import { baseUrlHint } from '../../service/hints.ts';
import { conformanceDocument, conformanceScreen, countOf } from './screen.ts';

const mostTries = 5;

/** Maximum wait for a rate limit, which is also the default, in seconds. */
const longest = 60;
const usual = 5;

/** Time limit of one request including all its waits, in milliseconds. */
const requestTimeoutMs = 300_000;

/** A fetch that waits for rate limits, because a rate limit is not a difference from the interface. */
interface RateLimitedFetch {
  /** Sends a request. Rejects if an earlier request was given up. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Returns whether a request was given up, because the rate limit did not end. */
  gaveUp(): boolean;
}

function secondsToWait(response: Response): number {
  const said = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(said) ? Math.min(said, longest) : usual;
}

/** Creates the fetch. `onWait` is called once, before the first wait. */
export function createRateLimitedFetch({
  signal: stop,
  onWait,
}: {
  signal: AbortSignal | undefined;
  onWait: () => void;
}): RateLimitedFetch {
  let waited = false;
  let ended = false;

  async function wait(response: Response, signal: AbortSignal): Promise<void> {
    if (!waited) onWait();
    waited = true;
    await response.body?.cancel();
    await sleep(secondsToWait(response) * 1000, undefined, { signal });
  }

  return {
    gaveUp: () => ended,
    async fetch(url, init = {}) {
      const signals = [stop, init.signal].filter((signal) => signal instanceof AbortSignal);
      const signal = AbortSignal.any(signals);
      for (let tries = 1; ; tries += 1) {
        if (ended) throw new Error('the rate limit has not ended');
        const response = await fetch(url, { ...init, signal, redirect: 'manual' });
        if (response.status !== 429) return response;
        ended = tries === mostTries;
        if (ended) return response;
        await wait(response, signal);
      }
    },
  };
}

/** Exit codes of error responses that a service with this interface may send. */
const findings: readonly ExitCode[] = [
  exitCodes.failure,
  exitCodes.notFound,
  exitCodes.rejected,
  exitCodes.rateLimited,
];

async function askAsClient(service: Service): Promise<void> {
  try {
    await service.ask((client, options) => client.games.list(options));
  } catch (error) {
    if (!(error instanceof CliError && findings.includes(error.details.exitCode))) throw error;
  }
}

async function isJsonObject(response: Response): Promise<boolean> {
  try {
    return isObject(await response.json());
  } catch {
    return false;
  }
}

/** Checks that the service exists and accepts the key. Otherwise a report would be meaningless. */
async function checkReachable(
  context: CommandContext,
  { baseUrl, apiKey, limited }: Pick<ServiceConnection, 'baseUrl' | 'apiKey'> & { limited: RateLimitedFetch },
): Promise<void> {
  const service = await connect(context);
  await askAsClient(service);
  const response = await limited.fetch(`${baseUrl}/games`, {
    headers: { Accept: 'application/json', 'X-API-KEY': apiKey },
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  const { status } = response;
  // Asks again if the earlier request was rate-limited, and therefore showed nothing about the key.
  if (status === 401 || status === 403) await askAsClient(service);
  if (status === 200 && (await isJsonObject(response))) return;
  const received = status === 200 ? 'no JSON object' : `status ${status}`;
  throw new CliError(
    `${printable(baseUrl)}/games responded with ${received}: this is not the base URL of a top-up service.`,
    { code: 'NO_SUCH_SERVICE', exitCode: exitCodeOfStatus(status), hint: baseUrlHint(baseUrl) },
  );
}

async function readOrder(file: string): Promise<CreateOrderRequest> {
  const { messagesByField, orderFields, rulesIn, validateFields } = await import('@topup-kit/core/contract');
  let order: unknown;
  try {
    // Removes the byte order mark that editors on Windows write.
    order = JSON.parse((await readFile(file, 'utf8')).replace(/^\ufeff/, ''));
  } catch (error) {
    throw usageError(`${file} is not JSON: ${reasonOf(error)}.`);
  }
  if (typeof order !== 'object' || order === null) throw usageError(`${file} contains no order.`);
  const checked = validateFields(rulesIn(orderFields, { phoneNumbers: 'text', texts: 'cleaned' }), {
    ...order,
  });
  if ('errors' in checked)
    throw usageError(
      `${file} contains no order: ${Object.values(messagesByField(checked.errors, 'en')).flat().join(' ')}`,
    );
  return checked.values;
}

const build = (command: NewCommand) =>
  command
    .option('--allow-writes', 'also place orders, about sixty; without it only GET requests are sent')
    .option('--order <file>', 'an order that the service accepts, as JSON; default: built from its catalogue')
    .option('--emit-dialect <file>', "file to write the service's dialect to, for mocks and tests");

type Options = OptionsOf<typeof build>;

async function describe(
  context: CommandContext,
  limited: RateLimitedFetch,
  options: Options,
): Promise<ServiceDescription & { baseUrl: string }> {
  const { describeService } = await import('@topup-kit/conformance');
  const order = options.order === undefined ? undefined : await readOrder(options.order);
  const { baseUrl: given, apiKey } = await chooseConnection(context);
  const baseUrl = given.replace(/\/+$/, '');
  await checkReachable(context, { baseUrl, apiKey, limited });
  const description = await describeService(
    { baseUrl, apiKey, fetch: limited.fetch },
    { writes: options.allowWrites === true, order, timeoutMs: requestTimeoutMs, signal: context.io.signal },
  );
  return { ...description, baseUrl };
}

async function emit(file: string, { dialect }: ServiceDescription): Promise<void> {
  try {
    await writeFile(file, jsonDocument(dialect));
  } catch (error) {
    throw new CliError(`${file} can't be written: ${reasonOf(error)}.`, {
      code: 'FILE',
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}

/** Throws if the process was stopped, because the cases that failed for this reason are not findings. */
function throwIfStopped({ signal }: Io): void {
  if (!signal?.aborted) return;
  throw new CliError('Stopped before all cases were run.', {
    code: 'ABORTED',
    exitCode: stopCodeOf(signal.reason),
  });
}

/** Throws if a rate limit stopped the run, because the cases that failed for this reason are not findings. */
function throwIfGivenUp(limited: RateLimitedFetch): void {
  if (!limited.gaveUp()) return;
  throw new CliError('The rate limit did not end, so not all cases were run.', {
    code: 'RATE_LIMITED',
    exitCode: exitCodes.rateLimited,
    hint: 'Wait a minute before you try again, or ask for a higher limit.',
  });
}

/** Describes which cases were skipped and why, and which data the run left at the service. */
export function remarks({ wrote, orders, unknown, results }: ServiceDescription, options: Options): string[] {
  const notWritten = options.allowWrites
    ? 'Only GET requests were sent: the service shows no product that can be ordered. Give an order with --order.'
    : 'Only GET requests were sent. --allow-writes also places orders, which are never paid.';
  const notLearned = unknown.length === 0 ? [] : [`Nothing was learned about ${unknown.join(', ')}.`];
  const placed = wrote ? `${orders} orders were placed; none is paid.` : notWritten;
  const emitted = options.emitDialect === undefined ? [] : [`Wrote the dialect to ${options.emitDialect}.`];
  const failed = results.some(({ outcome }) => outcome === 'failed');
  const repeat = failed ? ['To repeat a request, set TOPUP_API_KEY to the key that was used.'] : [];
  return [...notLearned, placed, ...repeat, ...emitted].map(printable);
}

export const noun = defineCommand({
  build,
  help: `Exits with 0 when the service follows the interface, with 1 when it does not.
The report lists this kit's extensions separately. Differences from them are
not failures.`,
  example: 'conformance --base-url https://shop.example/api --emit-dialect shop.json',
  async run(context, options) {
    const limited = createRateLimitedFetch({
      signal: context.io.signal,
      onWait: () => context.remark('Waiting for the rate limit.'),
    });
    const description = await describe(context, limited, options).finally(() => {
      throwIfStopped(context.io);
      throwIfGivenUp(limited);
    });
    if (options.emitDialect !== undefined) await emit(options.emitDialect, description);
    await context.print({
      document: conformanceDocument(description),
      screen: (style) => conformanceScreen(description, style),
    });
    context.remark(`\n${remarks(description, options).join('\n')}`);
    if (countOf(description, 'interface').failed > 0) throw new QuietExit(exitCodes.failure);
  },
});
