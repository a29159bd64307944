import { paymentPath } from '@topup-kit/core/app';
import {
  completeDialect,
  type Dialect,
  type DialectOverrides,
  interfaceOnlyDialect,
  kitDialect,
  type Locale,
  locales,
  parseDialect,
} from '@topup-kit/core/contract';
import { type CatalogFile, readCatalogFile } from '@topup-kit/core/engine';
import { parseUrl } from '@topup-kit/core/http';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Catalog } from '@topup-kit/core/store';
import { checkNames } from './known-names.ts';
import { requireScenario, type ScenarioName } from './scenarios.ts';

/** Milliseconds, or their minimum and maximum; at most 60,000. */
export type Latency = number | readonly [minimum: number, maximum: number];

/** Options of a mock; each is optional. */
export interface MockOptions {
  /**
   * The base URL of the interface: absolute, or relative to the page in a browser. The default is
   * `http://127.0.0.1:4000/api`, the base URL of the sandbox server.
   */
  baseUrl?: string | undefined;
  /**
   * A whole number, the seed of all random values: letters of order ids, payment codes and references, latencies, and the calls that fail
   * with the scenario flaky. It is random if left out; see `mock.seed`.
   */
  seed?: number | undefined;
  /** `strict`, the default: requests need a valid key. `off`: they need none, for pages that call your own proxy, which adds the key. */
  auth?: 'strict' | 'off' | undefined;
  /** The language of the sandbox's catalogue, and of messages without a supported `Accept-Language`: `id`, the default, or `en`. */
  locale?: Locale | undefined;
  /** The catalogue, in the format of `topup catalog import`. The sandbox's catalogue if left out. */
  catalog?: CatalogFile | undefined;
  /** `interface-only` has only what the interface document states; `kit`, the default, has all extensions of this kit. */
  profile?: 'kit' | 'interface-only' | undefined;
  /** The dialect: the service's behaviour where the interface document leaves a choice open. Give only the differences from the profile. */
  dialect?: DialectOverrides | undefined;
  /** A scenario (a deliberate failure) that is active from the start. */
  scenario?: ScenarioName | undefined;
  /** The latency of each response; 0 if left out. */
  latency?: Latency | undefined;
  /**
   * Returns the `payment_url` of an order, for example a page of your app. It may be relative to the origin of the
   * interface. The default is `/pay/{reference}`.
   */
  paymentUrl?: ((reference: string) => string) | undefined;
  /**
   * `session`: stores the state of the mock in `sessionStorage`, so that it survives a reload of the page. The clock continues to run.
   * Outside of a page, nothing is stored.
   */
  persist?: 'session' | undefined;
}

/** The checked options with their defaults. */
export interface MockConfig {
  origin: string;
  /** Path of the interface: `/api`, or empty. */
  basePath: string;
  /** Base URL of the interface, without a trailing slash. */
  baseUrl: string;
  seed: number;
  /** True if the seed is random. A randomly failing call then prints a warning with the seed. */
  seedIsRandom: boolean;
  auth: 'strict' | 'off';
  locale: Locale;
  catalog: Catalog;
  dialect: Dialect;
  scenario: ScenarioName | undefined;
  latency: readonly [minimum: number, maximum: number];
  /** Returns the absolute URL of a payment page. */
  paymentUrl: (reference: string) => string;
  persist: 'session' | undefined;
}

const defaultBaseUrl = 'http://127.0.0.1:4000/api';

const optionNames: Record<keyof Required<MockOptions>, true> = {
  baseUrl: true,
  seed: true,
  auth: true,
  locale: true,
  catalog: true,
  profile: true,
  dialect: true,
  scenario: true,
  latency: true,
  paymentUrl: true,
  persist: true,
};

/** Maximum latency, in milliseconds. */
const maxLatency = 60_000;

const quoted = (value: unknown): string => JSON.stringify(value) ?? String(value);

/** Returns the URL of the page; undefined outside of browsers. */
const pageUrl = (): string | undefined => ('location' in globalThis ? globalThis.location?.href : undefined);

function parseBaseUrl(baseUrl: string): URL {
  const url = typeof baseUrl === 'string' ? parseUrl(baseUrl, pageUrl()) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new TypeError(
    `baseUrl must be an absolute URL of http or https, such as ${defaultBaseUrl} (or, in a browser, a path), got ${quoted(baseUrl)}`,
  );
}

function parseSeed(seed: number | undefined): Pick<MockConfig, 'seed' | 'seedIsRandom'> {
  if (seed === undefined) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    return { seed: random, seedIsRandom: true };
  }
  if (Number.isSafeInteger(seed)) return { seed, seedIsRandom: false };
  throw new TypeError(`seed must be a whole number, got ${quoted(seed)}`);
}

/** Checks a latency. Throws a TypeError for an invalid one. */
export function parseLatency(latency: Latency): MockConfig['latency'] {
  const range: readonly number[] =
    typeof latency === 'object' && latency !== null ? [...latency] : [latency, latency];
  const [minimum = -1, maximum = -1] = range;
  const isTime = (time: number): boolean => Number.isInteger(time) && time >= 0 && time <= maxLatency;
  if (range.length === 2 && range.every(isTime) && minimum <= maximum) return [minimum, maximum];
  throw new TypeError(
    `latency must be whole milliseconds up to ${maxLatency}, or [minimum, maximum], got ${quoted(latency)}`,
  );
}

function parsePaymentUrl(paymentUrl: MockOptions['paymentUrl']): (reference: string) => string {
  if (paymentUrl === undefined) return paymentPath;
  if (typeof paymentUrl === 'function') return paymentUrl;
  throw new TypeError(
    `paymentUrl must be a function that takes the payment reference and returns a URL, got ${quoted(paymentUrl)}`,
  );
}

function oneOf<Value extends string>(name: string, value: Value, values: readonly Value[]): Value {
  if (values.includes(value)) return value;
  throw new TypeError(`${name} must be one of ${values.join(', ')}, got ${quoted(value)}`);
}

function parseDialectOptions({ profile = 'kit', dialect }: MockOptions): Dialect {
  const base =
    oneOf('profile', profile, ['kit', 'interface-only']) === 'kit' ? kitDialect : interfaceOnlyDialect;
  if (dialect === undefined) return base;
  parseDialect(dialect);
  return completeDialect(dialect, base);
}

/**
 * Parses a catalogue document.
 *
 * @throws Error that names every problem of an invalid document, with its path.
 */
export function parseCatalog(document: CatalogFile): Catalog {
  const read = readCatalogFile(document);
  if ('catalog' in read) return read.catalog;
  const problems = read.problems.map(({ path, rule }) => `\n  ${path} ${rule}`);
  throw new Error(`The catalogue is not valid:${problems.join('')}`);
}

/**
 * Checks the options of a function.
 *
 * @throws TypeError for an unknown option or an invalid value, and Error for an invalid catalogue or dialect; the message names every
 * problem.
 */
export function parseOptions(options: MockOptions, of: string): MockConfig {
  checkNames(of, options, optionNames);
  const {
    baseUrl: givenUrl = defaultBaseUrl,
    auth = 'strict',
    locale = 'id',
    latency = 0,
    scenario,
    catalog,
  } = options;
  const { origin, pathname } = parseBaseUrl(givenUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const baseUrl = origin + basePath;
  const paymentUrl = parsePaymentUrl(options.paymentUrl);
  return {
    origin,
    basePath,
    baseUrl,
    ...parseSeed(options.seed),
    auth: oneOf('auth', auth, ['strict', 'off']),
    locale: oneOf('locale', locale, locales),
    catalog: catalog === undefined ? sandboxCatalog(locale) : parseCatalog(catalog),
    dialect: parseDialectOptions(options),
    scenario: scenario === undefined ? undefined : requireScenario(scenario),
    latency: parseLatency(latency),
    paymentUrl: (reference) => new URL(paymentUrl(reference), `${baseUrl}/`).href,
    persist:
      options.persist === undefined ? undefined : oneOf('persist', options.persist, ['session'] as const),
  };
}
