/** Readers of settings: each gives the value of a text, or undefined when the text is none. */

export const wholeNumber =
  (lowest: number, highest: number) =>
  (text: string): number | undefined => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= lowest && value <= highest ? value : undefined;
  };

export const oneOf =
  <const Choice extends string>(choices: readonly Choice[]) =>
  (text: string): Choice | undefined =>
    choices.find((choice) => choice === text);

export const anyText = (text: string): string | undefined => text;

/** An http(s) address without a slash at its end, query or fragment. */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
  return plain ? url.href.replace(/\/+$/, '') : undefined;
}

/** A path such as `/api`; `/` is the root, which is the empty path. */
export const urlPath = (text: string): string | undefined =>
  /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*\/?$/.test(text) ? text.replace(/\/+$/, '') : undefined;

/** An IANA time zone that this Node knows. */
export function timezone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) && text;
  } catch {
    return undefined;
  }
}

/** A currency code of ISO 4217. */
export const currency = (text: string): string | undefined =>
  Intl.supportedValuesOf('currency').includes(text) ? text : undefined;

/** Where orders are kept: a file, or this process's memory. */
export type StoreAddress = { kind: 'file'; path: string } | { kind: 'memory' };

export function storeAddress(text: string): StoreAddress | undefined {
  if (text === 'memory:') return { kind: 'memory' };
  const path = text.startsWith('file:') ? text.slice('file:'.length) : '';
  return path === '' ? undefined : { kind: 'file', path };
}
