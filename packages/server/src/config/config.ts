import { defaultLimits, shopRates } from '@topup-kit/core/app';
import { locales } from '@topup-kit/core/contract';
import { defaultReplayDays } from '@topup-kit/core/engine';
import type { RemoteGateway } from '@topup-kit/core/gateway';
import { maskCredentials } from '@topup-kit/core/http';
import type { Supplier } from '@topup-kit/core/supplier';
import { gatewayNames, type SupplierName, supplierNames } from '@topup-kit/providers/registry';
import { addressList } from './address-list.ts';
import { type ConfiguredParts, type EnvironmentVariables, readParts, readSecret } from './providers.ts';
import {
  anyOf,
  anyText,
  ConfigError,
  currency,
  filePath,
  flagOf,
  keyBytes,
  oneOf,
  type StoreAddress,
  severalOf,
  storeAddress,
  timezone,
  urlPath,
  type Variable,
  webAddress,
  webOrigins,
  wholeNumber,
} from './variable.ts';

const secretKeyText = (text: string): string | undefined => (keyBytes(text) ? text : undefined);
const count = wholeNumber(0, 1_000_000_000);
const define = <Value, Default extends Variable<Value>['default']>(
  variable: Omit<Variable<Value>, 'flag'> & { default: Default },
): Variable<Value> & { default: Default } => ({ ...variable, flag: flagOf(variable.name) });

/** All settings of the server. Help, documentation and errors are generated from this table. */
export const settingDefinitions = {
  host: define({
    name: 'HOST',
    purpose: 'address to listen on',
    takes: 'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
    read: anyText,
    default: { text: '127.0.0.1' },
  }),
  port: define({
    name: 'PORT',
    purpose: 'port to listen on; 0 takes any free one',
    takes: 'a whole number from 0 to 65535',
    read: wholeNumber(0, 65_535),
    default: { text: '4000' },
  }),
  mode: define({
    name: 'TOPUP_MODE',
    purpose: 'live takes real money, sandbox simulates it',
    takes: 'live or sandbox',
    read: oneOf(['live', 'sandbox']),
    default: { text: 'live' },
  }),
  gateway: define({
    name: 'TOPUP_GATEWAY',
    purpose: 'payment gateway of a live server',
    takes: anyOf(gatewayNames),
    read: oneOf(gatewayNames),
    default: { description: 'none; required in live mode' },
  }),
  supplier: define({
    name: 'TOPUP_SUPPLIER',
    purpose: 'supplier of a live server, or several of them',
    takes: `${anyOf(supplierNames)}, or several separated by commas; the first one buys products that name no supplier`,
    read: severalOf(supplierNames),
    default: { description: 'none; required in live mode' },
  }),
  supplierChoice: define({
    name: 'TOPUP_SUPPLIER_CHOICE',
    purpose: 'choice of the first supplier for a product with several',
    takes: 'in-order or cheapest',
    read: oneOf(['in-order', 'cheapest']),
    default: { text: 'in-order' },
  }),
  store: define({
    name: 'TOPUP_STORE',
    holdsPassword: true,
    purpose: 'where orders are stored',
    takes:
      'file:PATH (such as file:./data/topup.db; ~ is not expanded), postgres://USER:PASSWORD@HOST/DATABASE (each part percent-encoded) or memory:',
    read: storeAddress,
    default: { text: 'file:./data/topup.db' },
  }),
  publicUrl: define({
    name: 'TOPUP_PUBLIC_URL',
    purpose: 'URL of the server for clients',
    takes: 'an http(s) URL without query, such as https://shop.example',
    read: webAddress,
    default: { description: 'the address that the server listens on' },
  }),
  basePath: define({
    name: 'TOPUP_BASE_PATH',
    purpose: 'path of the API',
    takes: 'a path such as /api, or / for the root',
    read: urlPath,
    default: { text: '/api' },
  }),
  shopName: define({
    name: 'TOPUP_SHOP_NAME',
    purpose: 'name of the shop, for its customers',
    takes: 'a text, such as Toko Rina',
    read: anyText,
    default: { description: 'the host of TOPUP_SHOP_URL or TOPUP_PUBLIC_URL' },
  }),
  shopUrl: define({
    name: 'TOPUP_SHOP_URL',
    purpose: 'URL of the storefront, for links back',
    takes: 'an http(s) URL without query, such as https://shop.example',
    read: webAddress,
    default: { description: 'none' },
  }),
  catalog: define({
    name: 'TOPUP_CATALOG',
    purpose: 'catalogue file that seeds an empty store',
    takes: 'the path of a catalogue file; ~ is not expanded',
    read: filePath,
    default: { description: 'the sandbox catalogue in a sandbox' },
  }),
  timezone: define({
    name: 'TOPUP_TIMEZONE',
    purpose: 'time zone of order ids and displayed times',
    takes: 'an IANA time zone, such as Asia/Jakarta',
    read: timezone,
    default: { text: 'Asia/Jakarta' },
  }),
  locale: define({
    name: 'TOPUP_LOCALE',
    purpose: 'language of messages and pages',
    takes: 'id or en',
    read: oneOf(locales),
    default: { text: 'id' },
  }),
  currency: define({
    name: 'TOPUP_CURRENCY',
    purpose: 'currency of all amounts, for display only',
    takes: 'an ISO 4217 currency code, such as IDR',
    read: currency,
    default: { text: 'IDR' },
  }),
  apiKey: define({
    name: 'TOPUP_API_KEY',
    purpose: 'your own API key for a sandbox, valid from any address',
    secret: true,
    takes: 'text without spaces',
    read: (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
    default: { description: 'none' },
  }),
  trustedProxies: define({
    name: 'TOPUP_TRUSTED_PROXIES',
    purpose: 'reverse proxies whose X-Forwarded-For is trusted',
    takes: 'IP addresses and CIDR ranges separated by commas, such as 127.0.0.1,10.0.0.0/8',
    read: addressList,
    default: { description: 'none' },
  }),
  corsOrigins: define({
    name: 'TOPUP_CORS_ORIGINS',
    purpose: 'origins of web pages that may call the API directly (CORS)',
    takes: 'origins separated by commas, such as https://shop.example,http://localhost:5173',
    read: webOrigins,
    default: { description: 'none' },
  }),
  returnOrigins: define({
    name: 'TOPUP_RETURN_ORIGINS',
    purpose: "allowed origins of an order's return_url",
    takes: 'origins separated by commas, such as https://shop.example',
    read: webOrigins,
    default: { description: 'none in live mode, any in a sandbox' },
  }),
  readsPerMinute: define({
    name: 'TOPUP_READS_PER_MINUTE',
    purpose: 'maximum reads per minute, key and address; 0 for no limit',
    takes: 'a whole number from 0 up',
    read: count,
    default: { description: `${shopRates.readsPerMinute} in live mode, 0 in a sandbox` },
  }),
  ordersPerMinute: define({
    name: 'TOPUP_ORDERS_PER_MINUTE',
    purpose: 'maximum orders per minute, key and address; 0 for no limit',
    takes: 'a whole number from 0 up',
    read: count,
    default: { description: `${shopRates.ordersPerMinute} in live mode, 0 in a sandbox` },
  }),
  customerReadsPerMinute: define({
    name: 'TOPUP_CUSTOMER_READS',
    purpose: 'maximum reads per minute of one customer or visitor; 0 for no limit',
    takes: 'a whole number from 0 up',
    read: count,
    default: {
      description: `TOPUP_READS_PER_MINUTE if that is set; otherwise ${defaultLimits.readsPerMinute} in live mode, 0 in a sandbox`,
    },
  }),
  customerOrdersPerMinute: define({
    name: 'TOPUP_CUSTOMER_ORDERS',
    purpose: 'maximum orders per minute of one customer; 0 for no limit',
    takes: 'a whole number from 0 up',
    read: count,
    default: {
      description: `TOPUP_ORDERS_PER_MINUTE if that is set; otherwise ${defaultLimits.ordersPerMinute} in live mode, 0 in a sandbox`,
    },
  }),
  maxQuantity: define({
    name: 'TOPUP_MAX_QUANTITY',
    purpose: 'maximum quantity of an order',
    takes: 'a whole number from 1 to 1000',
    read: wholeNumber(1, 1000),
    default: { text: String(defaultLimits.quantity) },
  }),
  maxBodyBytes: define({
    name: 'TOPUP_MAX_BODY_BYTES',
    purpose: 'maximum size of a request body, in bytes',
    takes: 'a whole number of bytes from 1024 up',
    read: wholeNumber(1024, 1_000_000_000),
    default: { text: String(defaultLimits.bodyBytes) },
  }),
  replayDays: define({
    name: 'TOPUP_REPLAY_DAYS',
    purpose: 'days for which a repeated order gets the first response',
    takes: 'a whole number of days from 1 to 3650',
    read: wholeNumber(1, 3650),
    default: { text: String(defaultReplayDays) },
  }),
  retentionDays: define({
    name: 'TOPUP_RETENTION_DAYS',
    purpose: 'age at which the personal data of finished orders is erased, in days',
    takes: 'a whole number of days from 30 to 36500, and not less than TOPUP_REPLAY_DAYS',
    read: wholeNumber(30, 36_500),
    default: { description: 'none: it stays until an operator erases it' },
  }),
  balanceAlert: define({
    name: 'TOPUP_BALANCE_ALERT',
    purpose: "alert when the supplier's balance is lower; 0 for never",
    takes: 'a whole number in the smallest unit of the currency, such as 500000',
    read: count,
    default: { text: '500000' },
  }),
  backupAlertHours: define({
    name: 'TOPUP_BACKUP_ALERT_HOURS',
    purpose: 'alert when the last backup of a store file is older, in hours; 0 for never',
    takes: 'a whole number of hours from 0 to 8760',
    read: wholeNumber(0, 8_760),
    default: { text: '26' },
  }),
  promoMaxLoss: define({
    name: 'TOPUP_PROMO_MAX_LOSS',
    purpose: 'maximum loss on an item with a promo code, compared with its cost at the supplier',
    takes: 'a whole number in the smallest unit of the currency, such as 500',
    read: count,
    default: { text: '0' },
  }),
  syncMinutes: define({
    name: 'TOPUP_SYNC_MINUTES',
    purpose: "minutes between two syncs of prices with the supplier's list; 0 for none",
    takes: 'a whole number of minutes from 0 to 1440',
    read: wholeNumber(0, 1440),
    default: { description: '1; 0 for a store of an earlier version' },
  }),
  checkAccounts: define({
    name: 'TOPUP_CHECK_ACCOUNTS',
    purpose: 'reject orders for players that certainly do not exist before payment',
    takes: 'true or false',
    read: oneOf(['true', 'false']),
    default: { text: 'false' },
  }),
  callbackAddresses: define({
    name: 'TOPUP_CALLBACK_ADDRESSES',
    purpose: 'addresses that may send callbacks',
    takes: 'IP addresses and CIDR ranges separated by commas, such as 95.111.200.230,103.208.23.0/24',
    read: addressList,
    default: { description: 'any; the server verifies every callback' },
  }),
  console: define({
    name: 'TOPUP_CONSOLE',
    purpose: "permissions of the operators' pages at /console",
    takes: 'off, read or act',
    read: oneOf(['off', 'read', 'act']),
    default: { description: 'act in a sandbox, for direct requests only; off in live mode' },
  }),
  consolePort: define({
    name: 'TOPUP_CONSOLE_PORT',
    purpose: 'separate port for the console; 0 takes any free one',
    takes: 'a whole number from 0 to 65535',
    read: wholeNumber(0, 65_535),
    default: { description: 'none: the console is on PORT' },
  }),
  logLevel: define({
    name: 'TOPUP_LOG_LEVEL',
    purpose: 'lowest level that is logged to stderr',
    takes: 'debug, info, warn, error or silent',
    read: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    default: { description: 'info in live mode, warn in a sandbox' },
  }),
  logFormat: define({
    name: 'TOPUP_LOG_FORMAT',
    purpose: 'format of the log: one JSON object per line, or readable text',
    takes: 'json or pretty',
    read: oneOf(['json', 'pretty']),
    default: { description: 'pretty in a terminal, otherwise json' },
  }),
  metricsToken: define({
    name: 'TOPUP_METRICS_TOKEN',
    purpose: 'token that gives access to GET /metrics',
    secret: true,
    takes: 'at least 16 characters without spaces',
    read: (text) => (/^[\x21-\x7e]{16,}$/.test(text) ? text : undefined),
    default: { description: 'none; only direct requests to a sandbox can read the metrics' },
  }),
  secretKey: define({
    name: 'TOPUP_SECRET_KEY',
    purpose: 'key that encrypts the stored secrets of webhooks and erased customers',
    secret: true,
    takes: '32 bytes as base64 or hex, such as `openssl rand -base64 32` prints',
    read: secretKeyText,
    default: { description: 'none: the secrets are stored unencrypted' },
  }),
  secretKeyPrevious: define({
    name: 'TOPUP_SECRET_KEY_PREVIOUS',
    purpose: 'previous TOPUP_SECRET_KEY, which can still decrypt',
    secret: true,
    takes: '32 bytes as base64 or hex, as TOPUP_SECRET_KEY does',
    read: secretKeyText,
    default: { description: 'none' },
  }),
};

type Variables = typeof settingDefinitions;
export type Setting = keyof Variables;
export const settingNames = Object.keys(settingDefinitions) as Setting[]; // Safe: the table is constant.
type ValueOf<Of> = Of extends Variable<infer Value> ? Value : never;

type Values = {
  [Name in Setting]: Variables[Name] extends { default: { text: string } }
    ? ValueOf<Variables[Name]>
    : ValueOf<Variables[Name]> | undefined;
};

/**
 * Values of all settings; undefined for a setting that has neither a value nor a default. Provider settings are used only by
 * `createGateway`, `createSupplier` and `createOtherSuppliers`, which a sandbox doesn't have.
 */
export type ServerConfig = Omit<Values, 'supplier'> &
  ConfiguredParts & {
    /** First supplier named in the setting. */
    supplier: SupplierName | undefined;
    /** File descriptors of sockets that systemd opened for this process; they replace `host` and `port`. */
    sockets?: readonly number[];
  };

export type SettingFlags = Partial<Record<Setting, string>>;

/** The first file descriptor that systemd passes. */
const firstSocket = 3;

/** Returns the sockets that systemd opened for this process, not for its parent (sd_listen_fds(3)). */
function socketsOf({ LISTEN_PID, LISTEN_FDS }: EnvironmentVariables): Pick<ServerConfig, 'sockets'> {
  const count = LISTEN_PID === String(process.pid) ? Number(LISTEN_FDS) || 0 : 0;
  return count === 0 ? {} : { sockets: Array.from({ length: count }, (_, index) => firstSocket + index) };
}

/** Returns a database password in both forms: plain, and as written in the URL. */
function passwordsOf(store: StoreAddress): string[] {
  if (store.kind !== 'postgres') return [];
  const { password } = new URL(store.url);
  return password === '' ? [] : [decodeURIComponent(password), password];
}

function readSetting(
  variable: Variable<unknown>,
  environment: EnvironmentVariables,
  flag: string | undefined,
): unknown {
  const mayBeInFile = variable.secret ?? variable.holdsPassword;
  const set = mayBeInFile ? readSecret(environment, variable.name) : environment[variable.name];
  const text = flag ?? set ?? '';
  if (text === '') return 'text' in variable.default ? variable.read(variable.default.text) : undefined;
  const value = variable.read(text);
  if (value !== undefined) return value;
  const given = flag === undefined ? variable.name : variable.flag;
  const shown = variable.secret ? '' : `, not ${JSON.stringify(maskCredentials(text))}`;
  throw new ConfigError(`${given} takes ${variable.takes}${shown}.`, { setting: given });
}

/** Rejects a retention shorter than the replay time: a repeated order must get its first response, but an erased order lacks its data. */
function rejectShortRetention({ retentionDays, replayDays }: Values): void {
  if (retentionDays === undefined || retentionDays >= replayDays) return;
  const { name } = settingDefinitions.retentionDays;
  throw new ConfigError(
    `${name} is ${retentionDays}, but responses to orders are replayed for ${replayDays} days: make it at least ${replayDays}, or ${settingDefinitions.replayDays.name} shorter.`,
    { setting: name },
  );
}

/**
 * Reads the server's settings. A flag takes precedence over its environment variable; empty text counts as not set. It also reads the
 * files that contain secrets.
 *
 * @throws ConfigError if a value is invalid, or the chosen gateway or supplier lacks a setting.
 * @example
 * const config = readConfig(process.env, { port: '4100', mode: 'sandbox' });
 */
export function readConfig(environment: EnvironmentVariables = {}, flags: SettingFlags = {}): ServerConfig {
  const entries = settingNames.map((setting) => [
    setting,
    readSetting(settingDefinitions[setting], environment, flags[setting]),
  ]);
  // Safe: each setting was read by its own reader, and is undefined only if it has no default text.
  const values = Object.fromEntries(entries) as Values;
  rejectShortRetention(values);
  const isSandbox = values.mode === 'sandbox';
  const { supplier: suppliers = [], gateway } = values;
  const parts = readParts(environment, isSandbox ? {} : { gateway, suppliers });
  const own = [values.apiKey, values.metricsToken, values.secretKey, values.secretKeyPrevious].filter(
    (secret) => secret !== undefined,
  );
  const passwords = passwordsOf(values.store);
  return {
    ...values,
    supplier: suppliers[0],
    ...parts,
    secrets: () => [...parts.secrets(), ...own, ...passwords],
    ...socketsOf(environment),
  };
}

/**
 * Creates the configured suppliers in the order of the setting, and reads no other settings. Returns an empty list if none is configured.
 *
 * @param warn called with a sentence for each row of a list that is skipped because it can't be read
 * @throws ConfigError if a supplier's setting is missing or invalid.
 * @example
 * const [supplier, ...others] = readSuppliers(process.env);
 */
export function readSuppliers(
  environment: EnvironmentVariables = {},
  warn?: (text: string) => void,
): Supplier[] {
  const chosen = readSetting(settingDefinitions.supplier, environment, undefined);
  const suppliers = (Array.isArray(chosen) ? chosen : []).flatMap(
    (chosen) => supplierNames.find((name) => name === chosen) ?? [],
  );
  const { createSupplier, createOtherSuppliers } = readParts(environment, { suppliers });
  const host = { clock: Date.now, publicUrl: undefined, warn };
  return [...(createSupplier ? [createSupplier] : []), ...createOtherSuppliers].map((create) => create(host));
}

/**
 * Creates the configured gateway, and reads no other settings. Returns undefined if none is configured.
 *
 * @param warn as in {@link readSuppliers}
 * @throws ConfigError if a gateway's setting is missing or invalid.
 * @example
 * const gateway = readGateway(process.env);
 */
export function readGateway(
  environment: EnvironmentVariables = {},
  warn?: (text: string) => void,
): RemoteGateway | undefined {
  const chosen = readSetting(settingDefinitions.gateway, environment, undefined);
  const gateway = gatewayNames.find((name) => name === chosen);
  const publicUrl = webAddress(environment[settingDefinitions.publicUrl.name] ?? '');
  return readParts(environment, { gateway }).createGateway?.({ clock: Date.now, publicUrl, warn });
}

/** Settings with the keys that encrypt secrets in the store, as written. */
export type SecretKeys = Pick<ServerConfig, 'secretKey' | 'secretKeyPrevious'>;

/**
 * Reads only the keys that encrypt secrets in the store.
 *
 * @throws ConfigError if a key is not 32 bytes, or its file can't be read.
 */
export function readSecretKeys(environment: EnvironmentVariables = {}): SecretKeys {
  const read = (variable: Variable<string>): string | undefined => {
    const text = readSetting(variable, environment, undefined);
    return typeof text === 'string' ? text : undefined;
  };
  return {
    secretKey: read(settingDefinitions.secretKey),
    secretKeyPrevious: read(settingDefinitions.secretKeyPrevious),
  };
}

export type ConsoleSettings = Pick<ServerConfig, 'host' | 'port' | 'publicUrl' | 'console' | 'consolePort'>;

/**
 * Reads only the console's settings.
 *
 * @throws ConfigError if a setting is invalid.
 */
export function readConsoleSettings(environment: EnvironmentVariables = {}): ConsoleSettings {
  const { host, port, publicUrl, console, consolePort } = settingDefinitions;
  const names = [host, port, publicUrl, console, consolePort].map(({ name }) => name);
  return readConfig(Object.fromEntries(names.map((name) => [name, environment[name]])));
}
