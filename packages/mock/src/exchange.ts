import { type Operation, headers as serviceHeaders } from '@topup-kit/core/contract';
import { DomainError } from '@topup-kit/core/engine';
import { flakyEvery, scenarioError, slowMs } from '@topup-kit/core/features/sandbox';
import { randomBelow } from '@topup-kit/core/platform';
import { type Call, callReader, type MockRequest, maxRequests, readableBody } from './calls.ts';
import type { MockConfig } from './options.ts';
import { isPlainGet, type PlainGet } from './plain-get.ts';
import type { UsageLog } from './portability.ts';
import { randomFor } from './random.ts';
import { scenariosFromHeader } from './scenarios.ts';
import { createWarnings } from './warnings.ts';
import type { MockWorld } from './world/world.ts';
import type { Worlds } from './world/worlds.ts';

/** Replaces the response of an operation, after the service's access checks. */
type Responder = (request: Request) => Promise<Response | DomainError>;

/**
 * Handles a request of the in-process fetch or of MSW. A response of type `error` means a network error. Rejects when the
 * request is aborted.
 */
export type Exchange = (request: Request | PlainGet, responder?: Responder) => Promise<Response>;

interface RequestRecord extends MockRequest {
  status: number | null;
  body?: unknown;
}

/** Reads the whole body for `mock.requests`, and returns a new request with it. A clone might not be read to its end. */
async function readWhole(original: Request): Promise<{ request: Request; body?: unknown }> {
  const bytes = await original.arrayBuffer();
  const { url, method, headers, signal } = original;
  if (bytes.byteLength === 0) return { request: new Request(url, { method, headers, signal }) };
  const request = new Request(url, { method, headers, signal, body: bytes });
  return { request, body: readableBody(new TextDecoder().decode(bytes)) };
}

/** A call and its number among the calls to its operation, from 0. Its latency and random failure depend only on this and the seed. */
interface NthCall {
  operation: Operation | null;
  nth: number;
}

/** Returns the latency of a call, in milliseconds. */
function latencyOf(
  { seed, latency: [minimum, maximum] }: Pick<MockConfig, 'seed' | 'latency'>,
  { operation, nth }: NthCall,
): number {
  if (minimum === maximum) return minimum;
  return minimum + randomBelow(randomFor(seed, `latency ${operation} ${nth}`), maximum - minimum + 1);
}

/** Tells whether the scenario flaky makes a call fail. */
const isFlaky = ({ seed }: MockConfig, { operation, nth }: NthCall): boolean =>
  nth % flakyEvery === randomBelow(randomFor(seed, `flaky ${operation}`), flakyEvery);

/** Waits with the current global timers, which may be a test's fake timers. Rejects like fetch when aborted. */
function wait(milliseconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

interface ExchangeParts {
  worlds: Worlds;
  usage: UsageLog;
  /** Returns the current latency, which a test may change. */
  latency: () => MockConfig['latency'];
}

export function createExchange(config: MockConfig, { worlds, usage, latency }: ExchangeParts): Exchange {
  const readCall = callReader(config);
  const warnings = createWarnings(config);

  function record(world: MockWorld, { operation, served, method, path, query }: Call): RequestRecord {
    const entry: RequestRecord = {
      operation: served ? operation : null,
      method,
      path: path + query,
      status: null,
      at: world.now(),
    };
    world.requests.push(entry);
    if (world.requests.length > maxRequests) world.requests.shift();
    return entry;
  }

  /** Runs the service's checks for all operations, such as the key; then the responder creates the response. */
  async function respondWith(responder: Responder, world: MockWorld, request: Request): Promise<Response> {
    const { headers } = request;
    // No operation has this path, so any status except 404 means that a check failed.
    const checked = await world.handle(new Request(`${config.baseUrl}/-`, { headers }));
    if (checked.status !== 404) return checked;
    const response = await responder(request);
    if (response instanceof DomainError) return world.handle(request, { fault: response });
    const requestId = checked.headers.get(serviceHeaders.requestId);
    if (requestId !== null) response.headers.set(serviceHeaders.requestId, requestId);
    return response;
  }

  return async (original, responder) => {
    const world = worlds.current();
    const call = readCall(original);
    if (!call) return world.handle(original);
    const entry = record(world, call);
    const nthCall: NthCall = { operation: call.operation, nth: world.count(call.operation) };
    // In Firefox, Request.body is undefined.
    const { request, body } = original.body === null ? { request: original } : await readWhole(original);
    if (body !== undefined) entry.body = body;

    const header = scenariosFromHeader(request);
    const fromHeader = header instanceof DomainError ? [] : header;
    const taken = world.scenarios.take(call.served ? call.operation : null);
    const names = [...taken.names, ...fromHeader];

    const delay =
      latencyOf({ seed: config.seed, latency: latency() }, nthCall) + (names.includes('slow') ? slowMs : 0);
    if (delay > 0) await wait(delay, request.signal);
    if (names.includes('offline')) return Response.error();

    const fails = (): boolean => {
      const flaky = isFlaky(config, nthCall);
      if (flaky) warnings.failedByChance(call);
      return flaky;
    };
    const fault = header instanceof DomainError ? header : scenarioError(names, fails);
    if (world.mayBeDue()) await world.catchUp();
    const response =
      responder && !isPlainGet(request)
        ? await respondWith(responder, world, request)
        : await world.handle(request, {
            fault,
            scenarios: { names, limited: taken.limited.filter((name) => !fromHeader.includes(name)) },
          });
    entry.status = response.type === 'error' ? null : response.status;
    usage.note(call, request, response, body);
    if (!call.served) warnings.unmatched(call);
    return response;
  };
}
