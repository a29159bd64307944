import { Refusal, type RefusalCode } from './refusal.ts';

/** Settles with the work, or refuses after `timeout` ms, whether or not the work heeds its signal. */
export async function within<Result>(
  timeout: number,
  code: RefusalCode,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Refusal(code));
    controller.abort();
  }, timeout);
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
