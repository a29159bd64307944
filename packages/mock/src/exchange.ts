import { type Operation, headers as serviceHeaders } from '@topup-kit/core/contract';
import { Refusal } from '@topup-kit/core/engine';
import { randomBelow } from '@topup-kit/core/platform';
import { type Call, callReader, type MockRequest, mostRequests, readableBody } from './calls.ts';
import type { MockConfig } from './options.ts';
import type { UsageLog } from './portability.ts';
import { chanceOf } from './random.ts';
import { faultOf, readScenarioHeader } from './scenario-effects.ts';
import { createTeller } from './warnings.ts';
import type { World } from './world/world.ts';
import type { Worlds } from './world/worlds.ts';

/** How long `slow` takes, in milliseconds. */
const slowTime = 3_000;

/** Answers in the place of an operation, once the service has let the request in. */
type StandIn = (request: Request) => Promise<Response | Refusal>;

/**
 * The way of a request through the mock, whoever brings it: in-process or MSW. An answer of type `error` stands for
 * none. It rejects when the request is given up.
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

export function createExchange(config: MockConfig, worlds: Worlds, usage: UsageLog): Exchange {
  const readCall = callReader(config);
  const chance = createChance(config);
  const tell = createTeller(config);
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

  /** What the service refuses before it looks at the operation, it refuses; the rest is the stand-in's. */
  async function standInFor(world: World, request: Request, standIn: StandIn): Promise<Response> {
    // Nothing is there, so what isn't told so was not let in.
    const { headers } = request;
    const entry = await world.answer(new Request(`${config.baseUrl}/-`, { headers }));
    if (entry.status !== 404) return entry;
    const made = await standIn(request);
    if (made instanceof Refusal) return world.answer(request, { fault: made });
    const requestId = entry.headers.get(serviceHeaders.requestId);
    if (requestId !== null) made.headers.set(serviceHeaders.requestId, requestId);
    return made;
  }

  return async (arrived, standIn) => {
    const world = worlds.current();
    const call = readCall(arrived);
    if (!call) return world.answer(arrived);
    const noted = note(world, call);
    const nth = world.count(call.operation);
    const { request, body } = arrived.body ? await readWhole(arrived) : { request: arrived };
    if (body !== undefined) noted.body = body;

    const wanted = readScenarioHeader(request);
    const asked = wanted instanceof Refusal ? [] : wanted;
    const taken = world.scenarios.take(call.served ? call.operation : null);
    const names = [...taken.names, ...asked];

    const delay = chance.latency(call.operation, nth) + (names.includes('slow') ? slowTime : 0);
    if (delay > 0) await wait(delay, request.signal);
    if (names.includes('offline')) return Response.error();

    const fails = (): boolean => {
      const flaky = chance.isFlaky(call.operation, nth);
      if (flaky) tell.chance(call);
      return flaky;
    };
    const fault = wanted instanceof Refusal ? wanted : faultOf(names, fails);
    if (world.mayBeDue()) await world.catchUp();
    const response = standIn
      ? await standInFor(world, request, standIn)
      : await world.answer(request, {
          fault,
          scenarios: { names, limited: taken.limited.filter((name) => !asked.includes(name)) },
        });
    noted.status = response.status;
    usage.note(call, request, response, body);
    if (!call.served) tell.unmatched(call);
    return response;
  };
}

/** A flaky service fails one call of so many. */
const flakyEvery = 3;

type Called = Operation | null;

/** What chance does to calls. It goes by the seed, the operation and how often that was called, and by nothing else. */
export interface Chance {
  /** How long the nth call (from 0) to an operation takes, in milliseconds. */
  latency(operation: Called, nth: number): number;
  /** Whether a flaky service fails it. */
  isFlaky(operation: Called, nth: number): boolean;
}

export function createChance({ seed, latency: [least, most] }: MockConfig): Chance {
  return {
    latency: (operation, nth) =>
      least === most
        ? least
        : least + randomBelow(chanceOf(seed, `latency ${operation} ${nth}`), most - least + 1),
    isFlaky: (operation, nth) =>
      nth % flakyEvery === randomBelow(chanceOf(seed, `flaky ${operation}`), flakyEvery),
  };
}

/** Waits by the timers of the moment, so that a test's own can stand in; rejects as fetch does when given up. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
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
