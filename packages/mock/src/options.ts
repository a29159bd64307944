import { paymentPath } from '@topup-kit/core/app';
import {
  completeDialect,
  type Dialect,
  type DialectChanges,
  interfaceOnly,
  kitDialect,
  parseDialect,
} from '@topup-kit/core/contract';
import { type CatalogFile, readCatalogFile } from '@topup-kit/core/engine';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Catalog } from '@topup-kit/core/store';
import { checkNames } from './known-names.ts';
import { requireScenario, type ScenarioName } from './scenarios.ts';

/** Options of a mock; each is optional. */
export interface MockOptions {
  /**
   * Where the interface seems to be: absolute, or relative to the page in a browser.
   * `http://127.0.0.1:4000/api` when left out, as the sandbox server has it.
   */
  baseUrl?: string;
  /**
   * A whole number that all chance follows from: letters of order ids, payment codes and references, latencies, which
   * calls a flaky service fails. Drawn when left out; `mock.seed` tells it.
   */
  seed?: number;
  /** `strict`, the default: keys as the real thing has them. `off`: any key or none, for pages behind a proxy of yours. */
  auth?: 'strict' | 'off';
  /** What is for sale: what `topup catalog import` takes. The sandbox's catalogue when left out. */
  catalog?: CatalogFile;
  /** `interface-only` offers nothing but what the interface document states. `kit` when left out. */
  profile?: 'kit' | 'interface-only';
  /** What this service reads differently into the interface's silence than the profile does. */
  dialect?: DialectChanges;
  /** A scenario that is on from the start. */
  scenario?: ScenarioName;
  /** How long each response takes, in milliseconds, or the least and the most of it; 0 when left out. */
  latency?: number | readonly [least: number, most: number];
  /**
   * The `payment_url` of orders: a page of your app. Relative to the address of the interface, and
   * `/pay/{reference}` there, when left out.
   */
  paymentUrl?: (reference: string) => string;
}

/** Checked options, with the defaults of what they leave out. */
export interface MockConfig {
  origin: string;
  /** `/api`, or empty. */
  basePath: string;
  /** Without a slash at its end. */
  baseUrl: string;
  seed: number;
  /** Whether the seed was drawn: then a call that fails by chance must name it. */
  seedIsDrawn: boolean;
  auth: 'strict' | 'off';
  catalog: Catalog;
  dialect: Dialect;
  scenario: ScenarioName | undefined;
  latency: readonly [least: number, most: number];
  /** Absolute. */
  paymentUrl: (reference: string) => string;
}

const defaultBaseUrl = 'http://127.0.0.1:4000/api';

const optionNames: Record<keyof Required<MockOptions>, true> = {
  baseUrl: true,
  seed: true,
  auth: true,
  catalog: true,
  profile: true,
  dialect: true,
  scenario: true,
  latency: true,
  paymentUrl: true,
};

/** Milliseconds. */
const longestLatency = 60_000;

const quoted = (value: unknown): string => JSON.stringify(value) ?? String(value);

/** In a browser an address may be relative to the page; elsewhere there is no page. */
const pageAddress = (): string | undefined =>
  'location' in globalThis ? globalThis.location?.href : undefined;

function parseBaseUrl(baseUrl: string): URL {
  const url = typeof baseUrl === 'string' ? URL.parse(baseUrl, pageAddress()) : null;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new TypeError(
    `baseUrl must be an absolute URL of http or https, such as ${defaultBaseUrl} (or, in a browser, a path), got ${quoted(baseUrl)}`,
  );
}

function parseSeed(seed: number | undefined): Pick<MockConfig, 'seed' | 'seedIsDrawn'> {
  if (seed === undefined) {
    const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
    return { seed: drawn, seedIsDrawn: true };
  }
  if (Number.isSafeInteger(seed)) return { seed, seedIsDrawn: false };
  throw new TypeError(`seed must be a whole number, got ${quoted(seed)}`);
}

function parseLatency(latency: NonNullable<MockOptions['latency']>): MockConfig['latency'] {
  const range: readonly number[] =
    typeof latency === 'object' && latency !== null ? [...latency] : [latency, latency];
  const [least = -1, most = -1] = range;
  const isTime = (time: number): boolean => Number.isInteger(time) && time >= 0 && time <= longestLatency;
  if (range.length === 2 && range.every(isTime) && least <= most) return [least, most];
  throw new TypeError(
    `latency must be whole milliseconds up to ${longestLatency}, or [least, most] of them, got ${quoted(latency)}`,
  );
}

function parsePaymentUrl(paymentUrl: MockOptions['paymentUrl']): (reference: string) => string {
  if (paymentUrl === undefined) return paymentPath;
  if (typeof paymentUrl === 'function') return paymentUrl;
  throw new TypeError(
    `paymentUrl must be a function of the payment reference that returns an address, got ${quoted(paymentUrl)}`,
  );
}

function oneOf<Value extends string>(name: string, value: Value, values: readonly Value[]): Value {
  if (values.includes(value)) return value;
  throw new TypeError(`${name} must be one of ${values.join(', ')}, got ${quoted(value)}`);
}

function parseDialectOptions({ profile = 'kit', dialect }: MockOptions): Dialect {
  const base = oneOf('profile', profile, ['kit', 'interface-only']) === 'kit' ? kitDialect : interfaceOnly;
  if (dialect === undefined) return base;
  parseDialect(dialect);
  return completeDialect(dialect, base);
}

/**
 * Reads a catalogue document.
 *
 * @throws Error that names every rule the document breaks, and where.
 */
export function parseCatalog(document: CatalogFile): Catalog {
  const read = readCatalogFile(document);
  if ('catalog' in read) return read.catalog;
  const problems = read.problems.map(({ path, rule }) => `\n  ${path} ${rule}`);
  throw new Error(`The catalogue is not valid:${problems.join('')}`);
}

/**
 * Checks options.
 *
 * @throws TypeError for an unknown option or a value that an option doesn't take, and Error for a catalogue or a
 * dialect that breaks its rules; the message names them.
 */
export function parseOptions(options: MockOptions): MockConfig {
  checkNames('the options of a mock', options, optionNames);
  const { baseUrl: address = defaultBaseUrl, auth = 'strict', latency = 0, scenario, catalog } = options;
  const { origin, pathname } = parseBaseUrl(address);
  const basePath = pathname.replace(/\/+$/, '');
  const baseUrl = origin + basePath;
  const paymentUrl = parsePaymentUrl(options.paymentUrl);
  return {
    origin,
    basePath,
    baseUrl,
    ...parseSeed(options.seed),
    auth: oneOf('auth', auth, ['strict', 'off']),
    catalog: catalog === undefined ? sandboxCatalog() : parseCatalog(catalog),
    dialect: parseDialectOptions(options),
    scenario: scenario === undefined ? undefined : requireScenario(scenario),
    latency: parseLatency(latency),
    paymentUrl: (reference) => new URL(paymentUrl(reference), `${baseUrl}/`).href,
  };
}
