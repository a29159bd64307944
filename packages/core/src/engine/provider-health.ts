import type { Clock } from '../platform/index.ts';
import type { ProviderHealthIssue, Store } from '../store/index.ts';
import type { CallEvent } from './events.ts';
import { isStoreFailure } from './failures.ts';

const maxTextLength = 300;

/** Returns the message of an error in one line, for an operator. */
export function errorText(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  const message = hasMessage ? String(error.message) : String(error);
  const line = message.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength - 1)}…` : line;
}

/**
 * Creates a record in the store of the kinds of requests to providers that fail, until a request of the same kind succeeds. It starts
 * empty, because an operator restarts the server after correcting a setting, and a request that still fails is recorded again.
 */
export function createProviderHealth({
  store,
  realClock,
  reportError,
}: {
  store: Pick<Store, 'saveProviderProblems'>;
  realClock: Clock;
  reportError: (error: unknown, about: string) => void;
}): (event: CallEvent) => void {
  const problems = new Map<string, ProviderHealthIssue>();
  let saving = Promise.resolve();

  function save(): void {
    saving = saving
      .then(() => store.saveProviderProblems([...problems.values()]))
      .then(() => {})
      .catch((error: unknown) => {
        if (!isStoreFailure(error)) reportError(error, 'problems of the providers');
      });
  }

  save();
  return ({ provider, call, error }) => {
    const name = `${provider} ${call}`;
    const known = problems.get(name);
    const problem = error === undefined ? undefined : errorText(error);
    if (known?.problem === problem) return;
    if (problem === undefined) problems.delete(name);
    else problems.set(name, { provider, call, problem, since: known?.since ?? realClock() });
    save();
  };
}
