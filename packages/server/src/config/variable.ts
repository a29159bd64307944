/** A setting of the server: its environment variable and its flag. */
export interface Variable<Value> {
  name: string;
  /** {@link flagOf} the name. */
  flag: string;
  /** Purpose, for help and documentation. */
  purpose: string;
  /** Allowed values; completes the sentence "PORT takes ...". */
  takes: string;
  /** A secret is never shown. The file in `{name}_FILE` may contain it. */
  secret?: true;
  /** A value that may contain a password, which is never shown. `{name}_FILE` works, too. */
  holdsPassword?: true;
  /** Parses a text; undefined if it is invalid. */
  read: (text: string) => Value | undefined;
  /** The default: a text that `read` parses, or the description of a computed default. */
  default: { text: string } | { description: string };
}

/** A variable's flag: `--public-url` for `TOPUP_PUBLIC_URL`. */
export const flagOf = (name: string): string =>
  `--${name
    .replace(/^TOPUP_/, '')
    .toLowerCase()
    .replaceAll('_', '-')}`;

/** The error of invalid settings, with which the server can't start. The message names the setting and the accepted values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** The flag or variable with the invalid value; undefined if the error concerns several values. */
  readonly setting: string | undefined;

  constructor(message: string, { setting, ...options }: ErrorOptions & { setting?: string } = {}) {
    super(message, options);
    this.setting = setting;
  }
}

/** Choices as a text: `a, b or c`. */
export const anyOf = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);

// Readers of settings: each parses a text, and returns undefined if it is invalid.

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

/** Reads some of the choices, each once, separated by commas. */
export const severalOf =
  <const Choice extends string>(choices: readonly Choice[]) =>
  (text: string): readonly Choice[] | undefined => {
    const read = text.split(',').map((choice) => oneOf(choices)(choice.trim()));
    const chosen = read.filter((choice) => choice !== undefined);
    return chosen.length === read.length && new Set(chosen).size === read.length ? chosen : undefined;
  };

export const anyText = (text: string): string | undefined => text;

/** Reads the path of a file. Only a shell expands `~`, and not after `file:` or `=`, so a folder with that name would be created. */
export const filePath = (text: string): string | undefined =>
  text === '' || /^~([\\/]|$)/.test(text) ? undefined : text;

/** Reads an http(s) URL without query or fragment; removes a trailing slash. */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  const plain =
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  return plain ? url.href.replace(/\/+$/, '') : undefined;
}

/** Reads origins in the form that browsers send, separated by commas. `*` and `null` are rejected, because they match any page. */
export function webOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').map((origin) => origin.trim());
  const isOrigin = (origin: string): boolean =>
    /^https?:[^*]+$/.test(origin) && URL.parse(origin)?.origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}

/** Reads a path such as `/api`; the root `/` becomes an empty path. */
export const urlPath = (text: string): string | undefined =>
  /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*\/?$/.test(text) ? text.replace(/\/+$/, '') : undefined;

/** Reads a key of 32 bytes in base64 or hex. */
export function keyBytes(text: string): Uint8Array | undefined {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** Reads an IANA time zone that this version of Node supports. */
export function timezone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) && text;
  } catch {
    return undefined;
  }
}

/** Reads an ISO 4217 currency code. */
export const currency = (text: string): string | undefined =>
  Intl.supportedValuesOf('currency').includes(text) ? text : undefined;

/** The address to show, without user and password of a database. */
export function storeName(address: StoreAddress): string {
  switch (address.kind) {
    case 'file':
      return `file:${address.path}`;
    case 'memory':
      return 'memory:';
    case 'postgres': {
      const { host, pathname } = new URL(address.url);
      return `postgres://${host}${pathname}`;
    }
  }
}

/** The place of the orders: a file, a PostgreSQL database, or the memory of this process. */
export type StoreAddress =
  | { kind: 'file'; path: string }
  | { kind: 'postgres'; url: string }
  | { kind: 'memory' };

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function storeAddress(text: string): StoreAddress | undefined {
  if (text === 'memory:') return { kind: 'memory' };
  if (/^postgres(ql)?:\/\/./.test(text)) {
    const url = URL.parse(text);
    // Special characters in a password would make a part of it a host or a database, which are shown.
    if (!url?.hostname || !/^\/[^/@]+$/.test(url.pathname) || url.hash !== '') return undefined;
    if (url.searchParams.has('password') || !isDecodable(url.username + url.password)) return undefined;
    return { kind: 'postgres', url: url.href };
  }
  const path = text.startsWith('file:') ? filePath(text.slice('file:'.length)) : undefined;
  return path === undefined ? undefined : { kind: 'file', path };
}
