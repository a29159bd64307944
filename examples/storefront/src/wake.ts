import { createSignal } from './signal.ts';

const wakes = createSignal(0);

/** Makes whatever waits for news ask at once. */
export const wake = (): void => wakes.set(wakes.get() + 1);

export const useWakes = wakes.use;

addEventListener('online', wake);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) wake();
});
