import { useCallback, useEffect, useState } from 'react';

type QueryResult<Data> =
  | { state: 'loading' }
  | { state: 'ready'; data: Data }
  | { state: 'failed'; error: unknown };

const cache = new Map<string, unknown>();

/**
 * Returns the result of a call to the service. The last data with the same `key` is shown until the new response arrives, so that going
 * back is instant. `key` must name the call and its parameters.
 */
export function useQuery<Data>(key: string, call: (signal: AbortSignal) => Promise<Data>) {
  const [attempt, setAttempt] = useState(0);
  const [latest, setLatest] = useState<{ key: string; result: QueryResult<Data> }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies the call
  useEffect(() => {
    const unmounted = new AbortController();
    const update = (result: QueryResult<Data>) => {
      if (!unmounted.signal.aborted) setLatest({ key, result });
    };
    call(unmounted.signal).then(
      (data) => {
        cache.set(key, data);
        update({ state: 'ready', data });
      },
      (error: unknown) => {
        if (!cache.has(key)) update({ state: 'failed', error });
      },
    );
    return () => unmounted.abort();
  }, [key, attempt]);
  const retry = useCallback(() => {
    setLatest(undefined);
    setAttempt((count) => count + 1);
  }, []);
  // Safe: the value was stored under the key of the same call.
  const cached = cache.get(key) as Data | undefined;
  const pending: QueryResult<Data> =
    cached === undefined ? { state: 'loading' } : { state: 'ready', data: cached };
  return { result: latest?.key === key ? latest.result : pending, retry };
}
