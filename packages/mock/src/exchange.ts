import { type Operation, headers as serviceHeaders } from '@topup-kit/core/contract';
import { Refusal } from '@topup-kit/core/engine';
import { randomBelow } from '@topup-kit/core/platform';
import { type Call, callReader, type MockRequest, mostRequests, readableBody } from './calls.ts';
import type { MockConfig } from './options.ts';
import type { UsageLog } from './portability.ts';
import { randomFor } from './random.ts';
import { faultOf, readScenarioHeader } from './scenarios.ts';
import { createWarnings } from './warnings.ts';
import type { World } from './world/world.ts';
import type { Worlds } from './world/worlds.ts';

/** How long `slow` takes, in milliseconds. */
const slowTime = 3_000;

/** Responds in the place of an operation, once the service has let the request in. */
type StandIn = (request: Request) => Promise<Response | Refusal>;

/**
 * Takes a request through the mock, in-process or from MSW. A response of type `error` stands for no response at all.
 * It rejects when the request is aborted.
 */
export type Exchange = (request: Request, standIn?: StandIn) => Promise<Response>;

interface Noted extends MockRequest {
  status: number | null;
  body?: unknown;
}

/** Reads a body to its end, for `mock.requests`. Not from a clone: the app can't leave one half read. */
async function readWhole(arrived: Request): Promise<{ request: Request; body?: unknown }> {
  const bytes = await arrived.arrayBuffer();
  const { url, method, headers, signal } = arrived;
  const request = new Request(url, { method, headers, signal, body: bytes });
  return bytes.byteLength === 0
    ? { request }
    : { request, body: readableBody(new TextDecoder().decode(bytes)) };
}

/** The scenario flaky fails one call in this many. */
const flakyEvery = 3;

/** The nth call, from 0, to an operation. Latency and flakiness follow from this and the seed alone. */
interface NthCall {
  operation: Operation | null;
  nth: number;
}

/** Milliseconds that a call takes. */
function latencyOf({ seed, latency: [least, most] }: MockConfig, { operation, nth }: NthCall): number {
  if (least === most) return least;
  return least + randomBelow(randomFor(seed, `latency ${operation} ${nth}`), most - least + 1);
}

/** Whether the scenario flaky fails a call. */
const isFlaky = ({ seed }: MockConfig, { operation, nth }: NthCall): boolean =>
  nth % flakyEvery === randomBelow(randomFor(seed, `flaky ${operation}`), flakyEvery);

/** Waits by the current timers, so that a test's fake ones are used; rejects as fetch does when aborted. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    }, milliseconds);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}

export function createExchange(config: MockConfig, worlds: Worlds, usage: UsageLog): Exchange {
  const readCall = callReader(config);
  const warnings = createWarnings(config);

  function note(world: World, { operation, served, method, path, query }: Call): Noted {
    const noted: Noted = {
      operation: served ? operation : null,
      method,
      path: path + query,
      status: null,
      at: world.now(),
    };
    world.requests.push(noted);
    if (world.requests.length > mostRequests) world.requests.shift();
    return noted;
  }

  /** The service rejects what it rejects for any operation, such as a missing key; the stand-in does the rest. */
  async function respondWith(standIn: StandIn, world: World, request: Request): Promise<Response> {
    const { headers } = request;
    // No operation has this path, so anything but a 404 is a rejection.
    const entry = await world.handle(new Request(`${config.baseUrl}/-`, { headers }));
    if (entry.status !== 404) return entry;
    const response = await standIn(request);
    if (response instanceof Refusal) return world.handle(request, { fault: response });
    const requestId = entry.headers.get(serviceHeaders.requestId);
    if (requestId !== null) response.headers.set(serviceHeaders.requestId, requestId);
    return response;
  }

  return async (arrived, standIn) => {
    const world = worlds.current();
    const call = readCall(arrived);
    if (!call) return world.handle(arrived);
    const noted = note(world, call);
    const nthCall: NthCall = { operation: call.operation, nth: world.count(call.operation) };
    const { request, body } = arrived.body ? await readWhole(arrived) : { request: arrived };
    if (body !== undefined) noted.body = body;

    const wanted = readScenarioHeader(request);
    const asked = wanted instanceof Refusal ? [] : wanted;
    const taken = world.scenarios.take(call.served ? call.operation : null);
    const names = [...taken.names, ...asked];

    const delay = latencyOf(config, nthCall) + (names.includes('slow') ? slowTime : 0);
    if (delay > 0) await wait(delay, request.signal);
    if (names.includes('offline')) return Response.error();

    const fails = (): boolean => {
      const flaky = isFlaky(config, nthCall);
      if (flaky) warnings.failedByChance(call);
      return flaky;
    };
    const fault = wanted instanceof Refusal ? wanted : faultOf(names, fails);
    if (world.mayBeDue()) await world.catchUp();
    const response = standIn
      ? await respondWith(standIn, world, request)
      : await world.handle(request, {
          fault,
          scenarios: { names, limited: taken.limited.filter((name) => !asked.includes(name)) },
        });
    noted.status = response.status;
    usage.note(call, request, response, body);
    if (!call.served) warnings.unmatched(call);
    return response;
  };
}
