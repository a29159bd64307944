import { inject } from 'vitest';

/** Something that the whole run shares; see `sharedUrl`. */
export async function shared(name: 'browser' | 'topup'): Promise<string> {
  const answer = await fetch(new URL(name, inject('sharedUrl')));
  const told = await answer.text();
  if (!answer.ok) throw new Error(`The run has no ${name}: ${told}`);
  return told;
}

/** Holds the clipboard, of which the browser has one for all pages, until it is disposed of. */
export async function holdClipboard(): Promise<Disposable> {
  const holding = new AbortController();
  await fetch(new URL('clipboard', inject('sharedUrl')), { signal: holding.signal });
  return { [Symbol.dispose]: () => holding.abort() };
}
