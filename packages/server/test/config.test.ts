import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, settingDefinitions, settingNames, storeName } from '../src/internal.ts';

describe('the settings of a server', () => {
  it('reads settings by their documented names and defaults', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4000,
      mode: 'live',
      gateway: undefined,
      supplier: undefined,
      supplierChoice: 'in-order',
      createGateway: undefined,
      createSupplier: undefined,
      createOtherSuppliers: [],
      acceptedPrevious: [],
      store: { kind: 'file', path: './data/topup.db' },
      publicUrl: undefined,
      basePath: '/api',
      catalog: undefined,
      timezone: 'Asia/Jakarta',
      locale: 'id',
      currency: 'IDR',
      apiKey: undefined,
      trustedProxies: undefined,
      corsOrigins: undefined,
      readsPerMinute: undefined,
      ordersPerMinute: undefined,
      maxQuantity: 100,
      maxBodyBytes: 65_536,
      replayDays: 30,
      balanceAlert: 500_000,
      backupAlertHours: 26,
      promoMaxLoss: 0,
      checkAccounts: 'false',
      syncMinutes: undefined,
      console: undefined,
      consolePort: undefined,
      logLevel: undefined,
      logFormat: undefined,
      metricsToken: undefined,
      secretKey: undefined,
      secretKeyPrevious: undefined,
      secrets: expect.any(Function),
    });
  });

  it('uses sockets that systemd opened for this process, but not for another process', () => {
    const environment = { LISTEN_PID: String(process.pid), LISTEN_FDS: '2' };
    expect(readConfig(environment).sockets).toEqual([3, 4]);
    expect(readConfig({ ...environment, LISTEN_PID: '1' }).sockets).toBeUndefined();
    expect(readConfig({ ...environment, LISTEN_FDS: '0' }).sockets).toBeUndefined();
    expect(readConfig({ LISTEN_FDS: '2' }).sockets).toBeUndefined();
  });

  it('reads settings from the environment, and prefers flags', () => {
    const environment = { PORT: '4100', TOPUP_MODE: 'live', TOPUP_LOCALE: 'en', TOPUP_BASE_PATH: '/v1/' };
    const config = readConfig(environment, { mode: 'sandbox', port: '4200' });
    expect(config).toMatchObject({ port: 4200, mode: 'sandbox', locale: 'en', basePath: '/v1' });
  });

  it('treats an empty setting as not set', () => {
    expect(readConfig({ PORT: '', TOPUP_STORE: '' })).toMatchObject({ port: 4000, store: { kind: 'file' } });
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['TOPUP_MODE', 'test'],
    ['TOPUP_GATEWAY', 'xendit'],
    ['TOPUP_SUPPLIER', 'apigames'],
    ['TOPUP_STORE', 'postgres://localhost'],
    ['TOPUP_STORE', 'file:'],
    ['TOPUP_PUBLIC_URL', 'shop.example'],
    ['TOPUP_PUBLIC_URL', 'ftp://shop.example'],
    ['TOPUP_BASE_PATH', 'api'],
    ['TOPUP_BASE_PATH', '/a/../b'],
    ['TOPUP_CONSOLE', 'on'],
    ['TOPUP_CONSOLE_PORT', '70000'],
    ['TOPUP_TIMEZONE', 'Asia/Nowhere'],
    ['TOPUP_LOCALE', 'fr'],
    ['TOPUP_CURRENCY', 'rupiah'],
    ['TOPUP_TRUSTED_PROXIES', 'localhost'],
    ['TOPUP_CORS_ORIGINS', '*'],
    ['TOPUP_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TOPUP_TRUSTED_PROXIES', '10.0.0.1,'],
    ['TOPUP_READS_PER_MINUTE', '-1'],
    ['TOPUP_ORDERS_PER_MINUTE', '1.5'],
    ['TOPUP_MAX_QUANTITY', '0'],
    ['TOPUP_MAX_BODY_BYTES', '12'],
    ['TOPUP_LOG_LEVEL', 'loud'],
  ])('rejects %s=%s in one line with the setting and its accepted values', (name, value) => {
    const variable = settingNames
      .map((setting) => settingDefinitions[setting])
      .find((one) => one.name === name);
    expect(() => readConfig({ [name]: value })).toThrow(
      new ConfigError(`${name} takes ${variable?.takes}, not ${JSON.stringify(value)}.`, { setting: name }),
    );
  });

  it('hides a rejected secret', () => {
    expect(() => readConfig({ TOPUP_API_KEY: 'two words' })).toThrow(
      new ConfigError('TOPUP_API_KEY takes text without spaces.', { setting: 'TOPUP_API_KEY' }),
    );
  });

  it.each(['TOPUP_SECRET_KEY', 'TOPUP_SECRET_KEY_PREVIOUS'])(
    'accepts %s only with 32 bytes, and neither shows nor logs the key',
    (name) => {
      const key = Buffer.alloc(32, 0xfe);
      for (const text of [key.toString('base64'), key.toString('base64url'), key.toString('hex')])
        expect(readConfig({ [name]: text }).secrets()).toContain(text);
      for (const text of ['short', key.toString('hex').slice(1), key.toString('base64').slice(2)])
        expect(() => readConfig({ [name]: text })).toThrow(
          new RegExp(`^${name} takes 32 bytes as base64 or hex, [^,]*\\.$`),
        );
    },
  );

  it.each(['postgres://shop:p%ss@db/shop', 'postgres://shop:pa/ss@db/shop', 'postgres://shop:pa@ss@db'])(
    'hides the password of a rejected database address',
    (value) => {
      const rejected = () => readConfig({ TOPUP_STORE: value });
      expect(rejected).toThrow(/^TOPUP_STORE takes .*, not "postgres:\/\/\*\*\*\*@db(\/shop)?"\.$/);
    },
  );

  it.each([
    'postgres://shop:se@cret/x@db:5433/shop',
    'postgres://shop:1234/secret@db/shop',
    'postgres://shop:pass#secret@db/shop',
    'postgres://shop:pass?secret@db/shop',
    'postgres://db/shop?user=shop&password=secret',
    'postgres://shop:secret',
    'postgres//shop:secret@db/shop',
    'shop:secret@db/shop',
  ])('hides a misplaced password in a rejected address: %s', (value) => {
    const rejected = () => readConfig({ TOPUP_STORE: value });
    expect(rejected).toThrow(ConfigError);
    expect(rejected).not.toThrow(/cret|1234|pass[#?]/);
  });

  it("accepts a database's address, and keeps its password secret", () => {
    const { store, secrets } = readConfig({ TOPUP_STORE: 'postgres://shop:p%40ss-word@db:5433/shop' });
    expect(store).toEqual({ kind: 'postgres', url: 'postgres://shop:p%40ss-word@db:5433/shop' });
    expect(storeName(store)).toBe('postgres://db:5433/shop');
    expect(secrets()).toEqual(expect.arrayContaining(['p@ss-word', 'p%40ss-word']));
  });

  it('rejects a retention that is shorter than the replays, or shorter than 30 days', () => {
    const read = (days: string, replays?: string) =>
      readConfig({ TOPUP_RETENTION_DAYS: days, ...(replays && { TOPUP_REPLAY_DAYS: replays }) })
        .retentionDays;
    expect([read(''), read('30'), read('90', '90'), read('365')]).toEqual([undefined, 30, 90, 365]);
    expect(() => read('29', '10')).toThrow(
      'TOPUP_RETENTION_DAYS takes a whole number of days from 30 to 36500, and not less than TOPUP_REPLAY_DAYS, not "29".',
    );
    expect(() => read('89', '90')).toThrow(
      'TOPUP_RETENTION_DAYS is 89, but responses to orders are replayed for 90 days: make it at least 90, or TOPUP_REPLAY_DAYS shorter.',
    );
  });

  it('names the flag when its value is invalid', () => {
    expect(() => readConfig({ PORT: '4000' }, { port: 'x' })).toThrow(
      '--port takes a whole number from 0 to 65535, not "x".',
    );
  });
});
