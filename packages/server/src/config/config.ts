import { defaultLimits } from '@topup-kit/core/app';
import { locales } from '@topup-kit/core/contract';
import {
  anyText,
  ConfigError,
  currency,
  oneOf,
  storeAddress,
  timezone,
  urlPath,
  type Variable,
  webAddress,
  wholeNumber,
} from './variable.ts';

const count = wholeNumber(0, 1_000_000_000);
const define = <Value, Otherwise extends Variable<Value>['otherwise']>(
  variable: Variable<Value> & { otherwise: Otherwise },
): Variable<Value> & { otherwise: Otherwise } => variable;

/** Every setting of the server; its help, its documentation and its errors come from here. */
export const variables = {
  host: define({
    name: 'HOST',
    flag: '--host',
    purpose: 'address to listen on',
    takes: 'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
    read: anyText,
    otherwise: { text: '127.0.0.1' },
  }),
  port: define({
    name: 'PORT',
    flag: '--port',
    purpose: 'port to listen on; 0 takes any free one',
    takes: 'a whole number from 0 to 65535',
    read: wholeNumber(0, 65_535),
    otherwise: { text: '4000' },
  }),
  mode: define({
    name: 'TOPUP_MODE',
    flag: '--mode',
    purpose: 'live takes real money; sandbox plays',
    takes: 'live or sandbox',
    read: oneOf(['live', 'sandbox']),
    otherwise: { text: 'live' },
  }),
  store: define({
    name: 'TOPUP_STORE',
    flag: '--store',
    purpose: 'where orders are kept',
    takes: 'file:PATH (such as file:./data/topup.db) or memory:',
    read: storeAddress,
    otherwise: { text: 'file:./data/topup.db' },
  }),
  publicUrl: define({
    name: 'TOPUP_PUBLIC_URL',
    flag: '--public-url',
    purpose: 'where clients reach the server',
    takes: 'an http(s) address without query, such as https://shop.example',
    read: webAddress,
    otherwise: { words: 'the address listened on' },
  }),
  basePath: define({
    name: 'TOPUP_BASE_PATH',
    flag: '--base-path',
    purpose: 'path that the interface is mounted at',
    takes: 'a path such as /api, or / for the root',
    read: urlPath,
    otherwise: { text: '/api' },
  }),
  catalog: define({
    name: 'TOPUP_CATALOG',
    flag: '--catalog',
    purpose: 'catalogue file that seeds an empty store',
    takes: 'the path of a catalogue file',
    read: anyText,
    otherwise: { words: 'in sandbox mode the sandbox catalogue' },
  }),
  timezone: define({
    name: 'TOPUP_TIMEZONE',
    flag: '--timezone',
    purpose: 'time zone of order ids and times',
    takes: 'an IANA time zone, such as Asia/Jakarta',
    read: timezone,
    otherwise: { text: 'Asia/Jakarta' },
  }),
  locale: define({
    name: 'TOPUP_LOCALE',
    flag: '--locale',
    purpose: 'language of messages and pages',
    takes: 'id or en',
    read: oneOf(locales),
    otherwise: { text: 'id' },
  }),
  currency: define({
    name: 'TOPUP_CURRENCY',
    flag: '--currency',
    purpose: 'currency of all amounts, for display alone',
    takes: 'a currency code of ISO 4217, such as IDR',
    read: currency,
    otherwise: { text: 'IDR' },
  }),
  apiKey: define({
    name: 'TOPUP_API_KEY',
    flag: '--api-key',
    purpose: 'a key of your own that a sandbox takes, from any address',
    takes: 'a text without spaces',
    read: (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
    otherwise: { words: 'none' },
  }),
  readsPerMinute: define({
    name: 'TOPUP_READS_PER_MINUTE',
    flag: '--reads-per-minute',
    purpose: 'reads a minute for each key and address; 0 for no limit',
    takes: 'a whole number from 0 up',
    read: count,
    otherwise: { words: `${defaultLimits.readsPerMinute} in live mode, 0 in a sandbox` },
  }),
  ordersPerMinute: define({
    name: 'TOPUP_ORDERS_PER_MINUTE',
    flag: '--orders-per-minute',
    purpose: 'orders a minute for each key and address; 0 for no limit',
    takes: 'a whole number from 0 up',
    read: count,
    otherwise: { words: `${defaultLimits.ordersPerMinute} in live mode, 0 in a sandbox` },
  }),
  maxQuantity: define({
    name: 'TOPUP_MAX_QUANTITY',
    flag: '--max-quantity',
    purpose: 'highest quantity of an order',
    takes: 'a whole number from 1 to 1000',
    read: wholeNumber(1, 1000),
    otherwise: { text: String(defaultLimits.quantity) },
  }),
  maxBodyBytes: define({
    name: 'TOPUP_MAX_BODY_BYTES',
    flag: '--max-body-bytes',
    purpose: 'largest request body',
    takes: 'a whole number of bytes from 1024 up',
    read: wholeNumber(1024, 1_000_000_000),
    otherwise: { text: String(defaultLimits.bodyBytes) },
  }),
  logLevel: define({
    name: 'TOPUP_LOG_LEVEL',
    flag: '--log-level',
    purpose: 'least weight of what is logged to stderr',
    takes: 'debug, info, warn, error or silent',
    read: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    otherwise: { words: 'info in live mode, warn in a sandbox' },
  }),
};

type Variables = typeof variables;
export type Setting = keyof Variables;
export const settings = Object.keys(variables) as Setting[]; // safe: the keys of a const table
type ValueOf<Of> = Of extends Variable<infer Value> ? Value : never;

/** What the server runs with; undefined where nothing is set and no text stands for it. */
export type ServerConfig = {
  [Name in Setting]: Variables[Name] extends { otherwise: { text: string } }
    ? ValueOf<Variables[Name]>
    : ValueOf<Variables[Name]> | undefined;
};

/** Texts of settings: of the environment by variable, of the command line by setting. */
export type Environment = Readonly<Record<string, string | undefined>>;
export type Flags = Partial<Record<Setting, string>>;

function readSetting(
  variable: Variable<unknown>,
  environment: Environment,
  flag: string | undefined,
): unknown {
  const text = flag ?? environment[variable.name] ?? '';
  if (text === '') return 'text' in variable.otherwise ? variable.read(variable.otherwise.text) : undefined;
  const value = variable.read(text);
  if (value !== undefined) return value;
  const given = flag === undefined ? variable.name : variable.flag;
  throw new ConfigError(`${given} takes ${variable.takes}, not ${JSON.stringify(text)}.`, { setting: given });
}

/**
 * Reads the server's settings: flags win over the environment, an empty text is as good as none.
 *
 * @throws ConfigError for a value that a setting doesn't take.
 * @example
 * const config = readConfig(process.env, { port: '4100', mode: 'sandbox' });
 */
export function readConfig(environment: Environment = {}, flags: Flags = {}): ServerConfig {
  const values = settings.map((setting) => [
    setting,
    readSetting(variables[setting], environment, flags[setting]),
  ]);
  // Safe: each setting was read by its own reader, and is undefined only where no text stands for it.
  return Object.fromEntries(values) as ServerConfig;
}
