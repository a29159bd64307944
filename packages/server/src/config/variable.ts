/** A setting of the server: its environment variable and its flag. */
export interface Variable<Value> {
  name: string;
  /** Command-line flag, as {@link flagOf} derives it from the name. */
  flag: string;
  /** Purpose, for help and documentation. */
  purpose: string;
  /** Allowed values; completes the sentence "PORT takes ...". */
  takes: string;
  /** Set for a secret, which is never shown. It can also be read from the file in `{name}_FILE`. */
  secret?: true;
  /** Set for a value that may contain a password, which is never shown. It can also be read from the file in `{name}_FILE`. */
  holdsPassword?: true;
  /** Parses a string; undefined if it is invalid. */
  read: (text: string) => Value | undefined;
  /** Default: a string for `read`, or the description of a computed default. */
  default: { text: string } | { description: string };
}

/** Returns a variable's flag: `--public-url` for `TOPUP_PUBLIC_URL`. */
export const flagOf = (name: string): string =>
  `--${name
    .replace(/^TOPUP_/, '')
    .toLowerCase()
    .replaceAll('_', '-')}`;

/** Error for invalid settings, which keep the server from starting. The message names the setting and the accepted values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** The flag or variable with the invalid value; undefined if the error concerns several values. */
  readonly setting: string | undefined;

  constructor(message: string, { setting, ...options }: ErrorOptions & { setting?: string } = {}) {
    super(message, options);
    this.setting = setting;
  }
}

/** Joins choices into a phrase: `a, b or c`. */
export const anyOf = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);

// Readers of settings: each parses a string, and returns undefined if it is invalid.

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

/** Reads a comma-separated list of choices, each at most once. */
export const severalOf =
  <const Choice extends string>(choices: readonly Choice[]) =>
  (text: string): readonly Choice[] | undefined => {
    const read = text.split(',').map((choice) => oneOf(choices)(choice.trim()));
    const chosen = read.filter((choice) => choice !== undefined);
    return chosen.length === read.length && new Set(chosen).size === read.length ? chosen : undefined;
  };

export const anyText = (text: string): string | undefined => text;

/** Reads the path of a file. Rejects a leading `~`, because a folder named `~` would be created if the shell doesn't expand it. */
export const filePath = (text: string): string | undefined =>
  text === '' || /^~([\\/]|$)/.test(text) ? undefined : text;

/** Reads an http(s) URL without query or fragment; removes a trailing slash. */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  const plain =
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  return plain ? url.href.replace(/\/+$/, '') : undefined;
}

/** Reads a comma-separated list of origins in the form that browsers send. Rejects `*` and `null`, because they match any page. */
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

/** Returns the address to show, without the user and password of a database. */
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

/** Address of the store: a file, a PostgreSQL database, or the memory of this process. */
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
    // With an unescaped special character, part of the password would be read as the host or database, and shown.
    if (!url?.hostname || !/^\/[^/@]+$/.test(url.pathname) || url.hash !== '') return undefined;
    if (url.searchParams.has('password') || !isDecodable(url.username + url.password)) return undefined;
    return { kind: 'postgres', url: url.href };
  }
  const path = text.startsWith('file:') ? filePath(text.slice('file:'.length)) : undefined;
  return path === undefined ? undefined : { kind: 'file', path };
}
