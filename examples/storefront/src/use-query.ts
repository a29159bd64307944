import { useCallback, useEffect, useState } from 'react';

type Answer<Data> =
  | { state: 'loading' }
  | { state: 'ready'; data: Data }
  | { state: 'failed'; error: unknown };

const kept = new Map<string, unknown>();

/**
 * What a call answers. An answer from before is shown until the new one is there, so that Back is instant; `key` stands
 * for the call with its parameters.
 */
export function useAnswer<Data>(key: string, call: (signal: AbortSignal) => Promise<Data>) {
  const [attempt, setAttempt] = useState(0);
  const [found, setFound] = useState<{ key: string; answer: Answer<Data> }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the call
  useEffect(() => {
    const leave = new AbortController();
    const settle = (answer: Answer<Data>) => {
      if (!leave.signal.aborted) setFound({ key, answer });
    };
    call(leave.signal).then(
      (data) => {
        kept.set(key, data);
        settle({ state: 'ready', data });
      },
      (error: unknown) => {
        if (!kept.has(key)) settle({ state: 'failed', error });
      },
    );
    return () => leave.abort();
  }, [key, attempt]);
  const again = useCallback(() => {
    setFound(undefined);
    setAttempt((count) => count + 1);
  }, []);
  // safe: kept under the key of the same call
  const before = kept.get(key) as Data | undefined;
  const waiting: Answer<Data> =
    before === undefined ? { state: 'loading' } : { state: 'ready', data: before };
  return { answer: found?.key === key ? found.answer : waiting, again };
}
