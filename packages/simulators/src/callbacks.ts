import { readBytes } from '@topup-kit/core/http';
import type { FaultPlan } from './faults.ts';
import type { Journal } from './journal.ts';
import type { SimulatorWorld } from './world.ts';

/** The result of an attempt to send a callback. */
export interface CallbackOutcome {
  /** Status of the response; null if there was none. */
  status: number | null;
  body: string;
}

export interface Callback {
  /** The transaction that the callback concerns. */
  subject: string;
  event: string;
  url: string;
  body: string;
  headers: Record<string, string>;
  /** Headers of an attempt with a wrong signature. */
  forgedHeaders: Record<string, string>;
  /** Body of an attempt with a wrong signature, if the body contains the signature. */
  forgedBody?: string;
  /** Returns the milliseconds until the next attempt; null if there is none. `attempt` counts from 1. */
  retryAfter(attempt: number, outcome: CallbackOutcome): number | null;
}

export interface CallbackSender {
  send(callback: Callback): void;
}

/** Delay of `late-callback`, and of an `out-of-order` callback without a successor. */
const delayMs = 10 * 60_000;

/** Time-out of a callback's response, in milliseconds of real time. */
const timeoutMs = 15_000;

const maxResponseBytes = 65_536;

/** Creates a function that sends a provider's callbacks, and applies its faults. */
export function createCallbackSender(deps: {
  provider: string;
  world: SimulatorWorld;
  faults: FaultPlan;
  journal: Journal;
  /** Aborts when the simulators stop. */
  signal: AbortSignal;
  /** Tells whether callbacks to an address are allowed. */
  mayCall: (url: string) => boolean;
}): CallbackSender {
  const { provider, world, faults, journal, signal, mayCall } = deps;
  /** Callbacks that wait for the next callback of their transaction. */
  const held = new Map<string, Callback>();

  async function attemptOnce(callback: Callback, attempt: number, forged: boolean): Promise<CallbackOutcome> {
    const body = forged ? (callback.forgedBody ?? callback.body) : callback.body;
    const { url, event: operation } = callback;
    const call = journal.add({
      at: world.now(),
      provider,
      direction: 'out',
      operation,
      method: 'POST',
      url,
      body,
      status: null,
      response: '',
      attempt,
    });
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(forged ? callback.forgedHeaders : callback.headers),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const bytes = await readBytes(response.body, maxResponseBytes);
      call.status = response.status;
      call.response = new TextDecoder().decode(bytes);
    } catch (error) {
      call.response = `No response: ${error instanceof Error ? error.message : String(error)}`;
    }
    return { status: call.status, body: call.response };
  }

  async function deliver(callback: Callback, attempt: number, forged: boolean): Promise<void> {
    const outcome = await attemptOnce(callback, attempt, forged);
    const gap = callback.retryAfter(attempt, outcome);
    if (gap !== null) world.at(world.now() + gap, () => deliver(callback, attempt + 1, false));
  }

  async function release(callback: Callback): Promise<void> {
    if (held.get(callback.subject) !== callback) return;
    held.delete(callback.subject);
    await deliver(callback, 1, false);
  }

  return {
    send(callback) {
      if (!mayCall(callback.url)) {
        const { url, event: operation, body } = callback;
        const response = `Not sent: callbacks go only to this machine, or to the address of --${provider}-callback.`;
        journal.add({
          at: world.now(),
          provider,
          direction: 'out',
          operation,
          method: 'POST',
          url,
          body,
          status: null,
          response,
          attempt: 1,
        });
        return;
      }
      if (faults.take(provider, 'lost-callback', callback.event)) return;
      if (faults.take(provider, 'out-of-order', callback.event)) {
        held.set(callback.subject, callback);
        world.at(world.now() + delayMs, () => release(callback));
        return;
      }
      const forged = faults.take(provider, 'bad-signature', callback.event);
      const twice = faults.take(provider, 'duplicate-callback', callback.event);
      const late = faults.take(provider, 'late-callback', callback.event);
      const earlier = held.get(callback.subject);
      world.at(world.now() + (late ? delayMs : 0), async () => {
        await deliver(callback, 1, forged);
        if (twice) await deliver(callback, 1, false);
        if (earlier) await release(earlier);
      });
    },
  };
}
