/** One setting of the server, as its environment variable and the flag of the same meaning. */
export interface Variable<Value> {
  name: string;
  flag: string;
  /** What the setting is for, in help and documentation. */
  purpose: string;
  /** What the setting takes, as it ends the sentence "PORT takes ...". */
  takes: string;
  /** The value of a text; undefined when the text is none. */
  read: (text: string) => Value | undefined;
  /** What holds when nothing is set: a text that `read` reads, or in words what is made of having none. */
  otherwise: { text: string } | { words: string };
}

/** A setting that the server can't start with; its message is one line that names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** The flag or variable whose value it doesn't take; undefined where something else is in the way. */
  readonly setting: string | undefined;

  constructor(message: string, { setting, ...options }: ErrorOptions & { setting?: string } = {}) {
    super(message, options);
    this.setting = setting;
  }
}

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
