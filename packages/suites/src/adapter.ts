import { type CallbackOutcome, type CallbackReceiver, callbackOutcomes } from '@topup-kit/core/callback';
import { assert, assertEqual } from './assertions.ts';

/** A required behaviour of every adapter of a kind; `run` throws if the adapter behaves differently. */
export interface AdapterCase {
  name: string;
  run: () => Promise<void>;
}

/** Cases by name. Each runs on a fake of the provider's service. */
export type FakeCases<Double> = Record<string, (fake: Double) => Promise<void>>;

/** Time-out of a call, in milliseconds. */
const callTimeoutMs = 10_000;
export const callSignal = (): AbortSignal => AbortSignal.timeout(callTimeoutMs);

/** Prepares cases for a test runner; each case starts its own fake. */
export const startingEach = <Double extends { close(): Promise<void> | void }>(
  cases: FakeCases<Double>,
  start: () => Promise<Double> | Double,
): readonly AdapterCase[] =>
  Object.entries(cases).map(([name, run]) => ({
    name,
    async run() {
      const fake = await start();
      try {
        await run(fake);
      } finally {
        await fake.close();
      }
    },
  }));

/** Returns the outcome of a call within a number of milliseconds. */
export async function outcomeWithin<Value>(
  call: Promise<Value>,
  ms: number,
): Promise<Value | 'rejected' | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ms, 'late');
  });
  const outcome = await Promise.race([late, call.catch(() => 'rejected' as const)]);
  clearTimeout(timer);
  return outcome;
}

export const assertName = (name: string): void =>
  assert(/^[a-z0-9][a-z0-9-]*$/.test(name), 'name: it must be lower-case letters, digits and hyphens');

/** Fails if a string contains a secret. The error doesn't repeat the secret. */
export function assertNoSecret(secrets: readonly string[], text: string, when: string): void {
  assert(secrets.length > 0, 'secrets: name the keys of the adapter');
  const leaked = secrets.findIndex((secret) => text.includes(secret));
  assert(leaked === -1, `secrets[${leaked}] is in the error after ${when}`);
}

/** Checks the statuses of all responses. After an outcome in `open`, the provider may have to send the callback again. */
export function assertResponses(
  callbacks: CallbackReceiver<unknown>,
  open: readonly CallbackOutcome[],
): void {
  for (const status of [400, 401] as const)
    assertEqual(callbacks.respond('rejected', status).status, status, 'the status of a rejection');
  assert(callbacks.respond('failed').status >= 500, 'respond: the status of `failed` must be 500 or more');
  for (const outcome of callbackOutcomes.filter((known) => !open.includes(known))) {
    const { status } = callbacks.respond(outcome, 400);
    assert(status >= 200 && status < 300, `respond: the status of ${outcome} must be 2xx`);
  }
}
