import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxCatalog, sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { gatewayNames, providers, supplierNames } from '@topup-kit/providers/registry';
import { startSimulators } from '@topup-kit/simulators';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keepCompiled } from '../../../test/compiled.ts';
import { bundled } from '../../../test/shared.ts';
import { another, change, unit } from '../../suites/src/store/fixtures.ts';
import { createSqliteStore, type EnvironmentVariables, readConfig, startServer } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

const oneOf = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);

const tripay = {
  TOPUP_GATEWAY: 'tripay',
  TRIPAY_API_KEY: 'secret-api-key',
  TRIPAY_PRIVATE_KEY: 'secret-private-key',
  TRIPAY_MERCHANT_CODE: 'T0001',
};
const midtrans = { TOPUP_GATEWAY: 'midtrans', MIDTRANS_SERVER_KEY: 'secret-server-key' };
const digiflazz = {
  TOPUP_SUPPLIER: 'digiflazz',
  DIGIFLAZZ_USERNAME: 'username',
  DIGIFLAZZ_API_KEY: 'secret-digiflazz-key',
  DIGIFLAZZ_WEBHOOK_SECRET: 'secret-webhook',
};
const vipReseller = {
  TOPUP_SUPPLIER: 'vip-reseller',
  VIP_RESELLER_API_ID: 'secret-id',
  VIP_RESELLER_API_KEY: 'secret-vip-key',
};

const duitku = {
  TOPUP_GATEWAY: 'duitku',
  DUITKU_MERCHANT_CODE: 'D0001',
  DUITKU_API_KEY: 'secret-duitku-key',
};
const tokovoucher = {
  TOPUP_SUPPLIER: 'tokovoucher',
  TOKOVOUCHER_MEMBER_CODE: 'MEM1',
  TOKOVOUCHER_SECRET: 'secret-of-purchases',
  TOKOVOUCHER_SIGNATURE: 'secret-signature',
};

const host = { clock: Date.now, publicUrl: undefined };

/** The message with which settings are rejected. */
function rejection(environment: EnvironmentVariables): string {
  try {
    readConfig(environment);
  } catch (error) {
    return String(error);
  }
  throw new Error('the settings were accepted');
}

describe('the secrets of the simulators, which are public,', () => {
  const published = providers.flatMap(({ name, kind, settings }) => {
    const url = settings.find((setting) => setting.kind === 'url')?.name ?? '';
    const values = settings.flatMap((setting) => setting.published ?? []);
    const own = Object.fromEntries(
      settings.flatMap((setting) =>
        setting.default === null ? [[setting.name, `own-${setting.name}`]] : [],
      ),
    );
    const chosen = { ...own, [`TOPUP_${kind.toUpperCase()}`]: name };
    return settings
      .filter(({ secret }) => secret)
      .flatMap((setting) => values.map((value) => ({ setting: setting.name, value, url, chosen })));
  });

  it("knows the simulator's secrets of every provider", async () => {
    await using simulators = await startSimulators({ port: 0 });
    for (const { settings, name } of providers) {
      const credentials = simulators.providers.find((one) => one.name === name)?.credentials ?? {};
      const secrets = settings.filter(({ secret }) => secret).map((setting) => setting.name);
      const values = Object.entries(credentials).filter(([setting]) => secrets.includes(setting));
      expect([name, values.length > 0]).toEqual([name, true]);
      for (const [setting, value] of values)
        expect(settings.find((one) => one.name === setting)?.published).toBe(value);
    }
  });

  it.each(published)('rejects the published secret $value as $setting', ({ setting, value, url, chosen }) => {
    const environment = { ...chosen, [setting]: value };
    const message = rejection(environment);
    expect(message).toContain(`${setting} has the value of the simulator`);
    expect(message).not.toContain(value === 'key' || value === 'secret' ? `"${value}"` : value);
    expect(rejection({ ...environment, [url]: 'https://provider.example/api' })).toBe(message);
    const local = { ...environment, [url]: 'http://127.0.0.1:4300/api' };
    expect(() => readConfig(local)).not.toThrow();
    expect(() => readConfig({ ...environment, TOPUP_MODE: 'sandbox' })).not.toThrow();
  });
});

async function folder() {
  const created = await temporaryFolder();
  onTestFinished(() => created[Symbol.asyncDispose]());
  return created.path;
}

describe('the settings of a live server', () => {
  it.each([
    [tripay, digiflazz, 'tripay', 'digiflazz'],
    [midtrans, vipReseller, 'midtrans', 'vip-reseller'],
    [duitku, tokovoucher, 'duitku', 'tokovoucher'],
  ])('chooses a gateway and a supplier', (ofGateway, ofSupplier, gateway, supplier) => {
    const config = readConfig({ ...ofGateway, ...ofSupplier });
    expect(config).toMatchObject({ gateway, supplier });
    expect(config.createGateway?.(host)).toMatchObject({ name: gateway, sandbox: false, kind: 'remote' });
    expect(config.createSupplier?.(host)).toMatchObject({ name: supplier, sandbox: false });
  });

  it.each(['digiflazz,vip-reseller', 'digiflazz, vip-reseller'])(
    'chooses several suppliers in sequence: %s',
    (TOPUP_SUPPLIER) => {
      const config = readConfig({ ...digiflazz, ...vipReseller, TOPUP_SUPPLIER });
      expect(config.supplier).toBe('digiflazz');
      expect(config.createSupplier?.(host)).toMatchObject({ name: 'digiflazz' });
      expect(config.createOtherSuppliers.map((create) => create(host).name)).toEqual(['vip-reseller']);
      expect(config.secrets()).toEqual(
        expect.arrayContaining(['secret-digiflazz-key', 'secret-webhook', 'secret-vip-key']),
      );
    },
  );

  it.each(['digiflazz,digiflazz', 'digiflazz,', 'digiflazz,apigames', ','])(
    'rejects a supplier that is named twice: %s',
    (TOPUP_SUPPLIER) => {
      expect(rejection({ ...digiflazz, TOPUP_SUPPLIER })).toContain(
        'TOPUP_SUPPLIER takes digiflazz, vip-reseller or tokovoucher, or several separated by commas; the first one buys products that name no supplier, not',
      );
    },
  );

  it('requires the settings of each supplier', () => {
    expect(rejection({ ...digiflazz, TOPUP_SUPPLIER: 'digiflazz,vip-reseller' })).toContain(
      'TOPUP_SUPPLIER=vip-reseller needs VIP_RESELLER_API_ID and VIP_RESELLER_API_KEY.',
    );
  });

  it('hides settings in a logged configuration', () => {
    const config = readConfig({ ...tripay, ...digiflazz });
    expect(JSON.stringify(config)).not.toContain('secret');
  });

  it.each([
    [
      'tripay',
      'gateway',
      'TOPUP_GATEWAY=tripay needs TRIPAY_API_KEY, TRIPAY_PRIVATE_KEY, and TRIPAY_MERCHANT_CODE.',
    ],
    ['midtrans', 'gateway', 'TOPUP_GATEWAY=midtrans needs MIDTRANS_SERVER_KEY.'],
    ['duitku', 'gateway', 'TOPUP_GATEWAY=duitku needs DUITKU_API_KEY and DUITKU_MERCHANT_CODE.'],
    [
      'digiflazz',
      'supplier',
      'TOPUP_SUPPLIER=digiflazz needs DIGIFLAZZ_USERNAME, DIGIFLAZZ_API_KEY, and DIGIFLAZZ_WEBHOOK_SECRET.',
    ],
    [
      'vip-reseller',
      'supplier',
      'TOPUP_SUPPLIER=vip-reseller needs VIP_RESELLER_API_ID and VIP_RESELLER_API_KEY.',
    ],
    [
      'tokovoucher',
      'supplier',
      'TOPUP_SUPPLIER=tokovoucher needs TOKOVOUCHER_MEMBER_CODE, TOKOVOUCHER_SECRET, and TOKOVOUCHER_SIGNATURE.',
    ],
  ])('lists all missing settings of %s in one line', (name, kind, sentence) => {
    const message = rejection({ [`TOPUP_${kind.toUpperCase()}`]: name });
    expect(message).toContain(sentence);
    expect(message).not.toContain('\n');
  });

  it('lists the missing settings of the gateway and the supplier in one error', () => {
    expect(rejection({ TOPUP_GATEWAY: 'midtrans', TOPUP_SUPPLIER: 'vip-reseller' })).toBe(
      'ConfigError: TOPUP_GATEWAY=midtrans needs MIDTRANS_SERVER_KEY. TOPUP_SUPPLIER=vip-reseller needs VIP_RESELLER_API_ID and VIP_RESELLER_API_KEY. You can put a secret into a file and set, for example, MIDTRANS_SERVER_KEY_FILE to its path.',
    );
  });

  it('lists only missing settings', () => {
    const message = rejection({ ...tripay, TRIPAY_PRIVATE_KEY: '' });
    expect(message).toContain('TOPUP_GATEWAY=tripay needs TRIPAY_PRIVATE_KEY.');
    expect(message).toContain('TRIPAY_PRIVATE_KEY_FILE');
  });

  it('ignores the settings of a provider that is not chosen', () => {
    const wrong = { MIDTRANS_BASE_URL: 'nonsense', DIGIFLAZZ_API_KEY: 'x', DIGIFLAZZ_API_KEY_FILE: '/none' };
    expect(readConfig({ ...tripay, ...wrong }).createGateway?.(host).name).toBe('tripay');
    expect(readConfig(wrong)).toMatchObject({ gateway: undefined, createGateway: undefined });
  });

  it('accepts only certain words for some settings', () => {
    const vip = { TOPUP_SUPPLIER: 'vip-reseller', VIP_RESELLER_API_ID: 'a', VIP_RESELLER_API_KEY: 'b' };
    for (const VIP_RESELLER_LEVEL of ['', 'basic', 'premium', 'special'])
      expect(readConfig({ ...vip, VIP_RESELLER_LEVEL }).createSupplier?.(host).name).toBe('vip-reseller');
    expect(rejection({ ...vip, VIP_RESELLER_LEVEL: 'gold' })).toContain(
      'VIP_RESELLER_LEVEL takes basic, premium, or special.',
    );
  });

  it('rejects an unknown provider', () => {
    expect(rejection({ TOPUP_GATEWAY: 'xendit' })).toContain(
      `TOPUP_GATEWAY takes ${oneOf(gatewayNames)}, not "xendit".`,
    );
  });

  it.each([
    'http://tripay.co.id/api',
    'http://127.0.0.1.example/api',
    'http://10.0.0.1/api',
    'ftp://tripay.co.id',
    'tripay.co.id',
    'https://tripay.co.id/api?key=1',
    'https://user:secret@tripay.co.id/api',
    'https://:secret@tripay.co.id/api',
  ])('rejects the base URL %s, because keys are sent to it, and does not show it', (url) => {
    const message = rejection({ ...tripay, TRIPAY_BASE_URL: url });
    expect(message).toContain('TRIPAY_BASE_URL takes an https:// URL');
    expect(message).not.toContain(url);
  });

  it.each([
    'http://127.0.0.1:4300/tripay/api',
    'http://localhost:4300/x',
    'http://[::1]/x',
    'https://a.b/c/',
  ])('accepts the base URL %s', (url) => {
    expect(readConfig({ ...tripay, TRIPAY_BASE_URL: url }).createGateway).toBeDefined();
  });

  it.each(['two\nlines', ' hidden', 'hidden ', 'käse'])(
    'rejects the secret %j without showing it',
    (secret) => {
      const message = rejection({ ...tripay, TRIPAY_API_KEY: secret });
      expect(message).toContain('TRIPAY_API_KEY takes printable ASCII');
      expect(message).not.toContain(secret.trim());
    },
  );
});

describe('the previous value of a secret', () => {
  it("logs the name of a previous secret at the start, hides its value, and doesn't require it", async () => {
    const previous = { TRIPAY_PRIVATE_KEY_PREVIOUS: 'old-private-key' };
    const config = readConfig({ ...tripay, ...digiflazz, ...previous });
    expect(config.acceptedPrevious).toEqual(['TRIPAY_PRIVATE_KEY_PREVIOUS']);
    expect(config.secrets()).toContain('old-private-key');
    expect(readConfig({ ...tripay, ...digiflazz }).acceptedPrevious).toEqual([]);
    const path = join(await folder(), 'previous');
    await writeFile(path, 'old-webhook-secret\n');
    const inFile = readConfig({ ...tripay, ...digiflazz, DIGIFLAZZ_WEBHOOK_SECRET_PREVIOUS_FILE: path });
    expect(inFile.acceptedPrevious).toEqual(['DIGIFLAZZ_WEBHOOK_SECRET_PREVIOUS']);
  });
});

describe('a secret in a file', () => {
  it('reads a secret from a file, without the final newline', async () => {
    const path = join(await folder(), 'key');
    const environment = { ...tripay, TRIPAY_API_KEY: '', TRIPAY_API_KEY_FILE: path };
    for (const text of ['key', 'key\n', 'key\r\n']) {
      await writeFile(path, text);
      expect(readConfig(environment).createGateway).toBeDefined();
    }
    await writeFile(path, 'key\n\n');
    expect(rejection(environment)).toContain('TRIPAY_API_KEY takes printable ASCII');
  });

  it("reads a sandbox's key from a file", async () => {
    const path = join(await folder(), 'key');
    await writeFile(path, 'tk_test_from_a_file\n');
    expect(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_API_KEY_FILE: path }).apiKey).toBe(
      'tk_test_from_a_file',
    );
  });

  it('reports in one line a secret file that is missing, empty, a folder, or given twice', async () => {
    const path = await folder();
    const environment = { ...tripay, TRIPAY_API_KEY: '' };
    const missing = join(path, 'missing');
    expect(rejection({ ...environment, TRIPAY_API_KEY_FILE: missing })).toContain(
      `TRIPAY_API_KEY_FILE names the file ${missing}, which can't be read (ENOENT).`,
    );
    await mkdir(join(path, 'empty'));
    expect(rejection({ ...environment, TRIPAY_API_KEY_FILE: join(path, 'empty') })).toContain('(EISDIR)');
    await writeFile(join(path, 'blank'), '\n');
    expect(rejection({ ...environment, TRIPAY_API_KEY_FILE: join(path, 'blank') })).toContain(
      `TRIPAY_API_KEY_FILE names the file ${join(path, 'blank')}, which is empty.`,
    );
    expect(rejection({ ...tripay, TRIPAY_API_KEY_FILE: missing })).toContain(
      'Set TRIPAY_API_KEY or TRIPAY_API_KEY_FILE, not both.',
    );
  });
});

describe('a secret in a pipe or a device', () => {
  const environment = { ...tripay, TRIPAY_API_KEY: '' };

  it('reads a secret as soon as a program writes it to a pipe, and rejects a pipe without a writer', async () => {
    const pipe = join(await folder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(rejection({ ...environment, TRIPAY_API_KEY_FILE: pipe })).toBe(
      `ConfigError: TRIPAY_API_KEY_FILE names the file ${pipe}, which is a pipe that no program writes to.`,
    );
    const writer = spawn('sh', ['-c', 'exec > "$0"; sleep 0.1; printf ke; sleep 0.1; echo y', pipe]);
    const ended = once(writer, 'close');
    expect(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_API_KEY_FILE: pipe }).apiKey).toBe('key');
    await ended;
  });

  it('rejects an endless secret', () => {
    expect(rejection({ ...environment, TRIPAY_API_KEY_FILE: '/dev/zero' })).toBe(
      'ConfigError: TRIPAY_API_KEY_FILE names the file /dev/zero, which is longer than 65536 bytes.',
    );
  });
});

describe('a sandbox', () => {
  it('ignores the gateway and the supplier in a sandbox, even if their settings are missing', () => {
    const config = readConfig({
      TOPUP_MODE: 'sandbox',
      TOPUP_GATEWAY: 'tripay',
      TOPUP_SUPPLIER: 'digiflazz',
    });
    expect(config.createGateway).toBeUndefined();
    expect(config.createSupplier).toBeUndefined();
  });
});

/** Starts a server in a process of its own, stops it when it is ready, and returns all that it printed. */
async function printedBy(environment: Record<string, string>): Promise<string> {
  const program = await bundled(new URL('helpers/serve.ts', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, PORT: '0', ...keepCompiled(program), ...environment },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  child.stdout.once('data', () => child.kill('SIGTERM'));
  await once(child, 'close');
  return printed;
}

describe('the log', () => {
  it('logs that a sandbox ignores a gateway and a supplier', async () => {
    const printed = await printedBy({
      TOPUP_MODE: 'sandbox',
      TOPUP_STORE: 'memory:',
      TOPUP_GATEWAY: 'tripay',
      TOPUP_SUPPLIER: 'digiflazz',
    });
    expect(printed).toContain('a sandbox calls no real gateway, so TOPUP_GATEWAY is ignored');
    expect(printed).toContain('a sandbox calls no real supplier, so TOPUP_SUPPLIER is ignored');
  });

  it('logs methods that the gateway lacks, and previous secrets that are accepted, but no secret', async () => {
    const path = await folder();
    const catalog = join(path, 'catalog.json');
    await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
    const printed = await printedBy({
      ...tripay,
      ...digiflazz,
      DIGIFLAZZ_WEBHOOK_SECRET_PREVIOUS: 'secret-of-last-year',
      TOPUP_STORE: `file:${join(path, 'topup.db')}`,
      TOPUP_CATALOG: catalog,
      TOPUP_LOG_LEVEL: 'debug',
      // Nobody listens there.
      TRIPAY_BASE_URL: 'http://127.0.0.1:9/tripay/api',
      DIGIFLAZZ_BASE_URL: 'http://127.0.0.1:9/digiflazz/v1',
    });
    // Tripay has no bank transfers with a unique code.
    expect(printed).toMatch(/"methods":\[[^\]]*"BANK_TRANSFER"[^\]]*\].*are closed/);
    expect(printed.match(/callbacks signed with \w+ are still accepted/g)).toEqual([
      'callbacks signed with DIGIFLAZZ_WEBHOOK_SECRET_PREVIOUS are still accepted',
    ]);
    expect(printed).toContain('"gateway":"tripay","supplier":"digiflazz"');
    expect(printed).not.toContain('secret-');
  });
});

describe('the log of a live server whose gateway and supplier were changed', () => {
  it('logs pending work at former providers, and how to continue', async () => {
    const file = join(await folder(), 'topup.db');
    const store = createSqliteStore({ path: file });
    await store.claimMode('live');
    await store.replaceCatalog(sandboxCatalog());
    const gateways = { A: 'tripay', B: 'midtrans', C: 'midtrans', D: null };
    for (const [letter, gateway] of Object.entries(gateways)) {
      const order = another(letter, { gateway, expiresAt: Date.now() + 3_600_000 });
      await store.placeOrder({ order, promo: null, response: null });
    }
    const asked = { state: 'asked', findBy: 'supplierId', askedAt: Date.now(), nextAt: Date.now() } as const;
    await store.changeOrder(change({ units: [unit(1, { ...asked, supplier: 'vip-reseller' })] }));
    await store.close();
    const printed = await printedBy({
      ...tripay,
      ...digiflazz,
      TOPUP_STORE: `file:${file}`,
      // Nobody listens there.
      TRIPAY_BASE_URL: 'http://127.0.0.1:9/tripay/api',
      DIGIFLAZZ_BASE_URL: 'http://127.0.0.1:9/digiflazz/v1',
    });
    expect(printed).toMatch(/"gateway":"midtrans","payments":2,.*2 open payments of midtrans: .*uses tripay/);
    expect(printed).toMatch(
      /"supplier":"vip-reseller","deliveries":1,.*1 open delivery belongs to vip-reseller/,
    );
    expect(printed).not.toMatch(/"gateway":"tripay","payments"/);
  });
});

describe('a live server without the settings of its gateway', () => {
  it('lists the missing parts, explains how to choose them, and creates no file', async () => {
    const path = await folder();
    const starting = startServer(readConfig({ TOPUP_STORE: `file:${join(path, 'topup.db')}`, PORT: '0' }));
    await expect(starting).rejects.toThrow(
      new RegExp(
        `^.*set TOPUP_GATEWAY \\(or --gateway\\) to ${oneOf(gatewayNames)}, or.*set TOPUP_SUPPLIER \\(or --supplier\\) to ${oneOf(supplierNames)}.*$`,
      ),
    );
    expect(await readdir(path)).toEqual([]);
  });
});
