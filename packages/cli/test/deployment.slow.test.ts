import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSimulators } from '@topup-kit/simulators';
import { expect, it, onTestFinished } from 'vitest';
import { blocksOf } from '../../../test/docs/blocks.ts';
import { freePort } from '../../../test/free-port.ts';
import { topup } from './helpers/child.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { until } from './helpers/run.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const [
  install = '',
  secrets = '',
  timers = '',
  backUp = '',
  rehearse = '',
  upgrade = '',
  rollBack = '',
  restore = '',
] = blocksOf('docs/deployment.md', 'sh', 8);

/** The catalogue of the rehearsal, whose codes the simulated providers know. */
const [, catalog = ''] =
  /cat > shop\.json <<'END'\n([\s\S]*?)\nEND\n/.exec(
    readFileSync(join(repository, 'docs/going-live.md'), 'utf8'),
  ) ?? [];

/** Makes a program, which is in a folder, its next version, if that changes the format of the store. */
function changeFormat(folder: string): void {
  // Beside the program may be the folder with what Node has compiled of it.
  const programs = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
  const changed = programs.filter((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const next = text.replace(
      // Those of the file store; PostgreSQL has its own.
      /(var migrations\d* = \[[^\]]*promoOrigin[^\]]*?),?\s*\]/,
      '$1, "CREATE TABLE of_the_next_version (x TEXT) STRICT"]',
    );
    writeFileSync(join(folder, name), next);
    return next !== text;
  });
  expect(changed).not.toEqual([]);
}

/** A machine as the page expects it: its `/` is a folder, its systemd a script, and its only user this one. */
async function createMachine() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const root = folder.path;
  const port = await freePort();
  const script = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `#!/bin/bash\n${text}\n`);
    chmodSync(join(root, path), 0o755);
  };
  /** Makes this program, as it is or changed, what the clone has built. */
  const build = (version: string, change: (folder: string) => void = () => {}): void => {
    cpSync(dirname(topup), join(root, version), { recursive: true });
    change(join(root, version));
    script(
      'clone/dist/topup-linux-x64',
      `exec '${process.execPath}' '${root}/${version}/${basename(topup)}' "$@"`,
    );
  };
  script(
    'bin/systemctl',
    `exec '${process.execPath}' '${fileURLToPath(new URL('helpers/systemctl.ts', import.meta.url))}' "$@"`,
  );
  script('bin/useradd', 'exit 0');
  script('bin/runuser', '[ "$1 $2 $3" = "-u topup --" ] && shift 3 && exec "$@"');
  // Only root can give files to others.
  script('bin/install', `exec /usr/bin/install $(echo "$@" | sed 's/-o topup -g topup//')`);
  for (const path of ['usr/local/bin', 'etc/systemd/system', 'var/lib/topup', 'run'])
    mkdirSync(join(root, path), { recursive: true });
  cpSync(join(repository, 'examples/deployment'), join(root, 'clone/examples/deployment'), {
    recursive: true,
  });
  writeFileSync(join(root, 'clone/shop.json'), catalog);
  const env = {
    ROOT: root,
    PATH: [join(root, 'bin'), join(root, 'usr/local/bin'), process.env.PATH].join(delimiter),
    HOME: root,
    NO_COLOR: '1',
  };
  const shell = async (text: string): Promise<{ code: number; printed: string }> => {
    const moved = text
      .replaceAll(/(?<![\w.])\/(etc|opt|usr\/local|var)\//g, `${root}/$1/`)
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`);
    try {
      const options = { cwd: join(root, 'clone'), env, timeout: 60_000 };
      const { stdout, stderr } = await promisify(execFile)(
        'bash',
        ['--norc', '-euo', 'pipefail', '-c', moved],
        options,
      );
      return { code: 0, printed: stdout + stderr };
    } catch (error) {
      // Safe: the error of `execFile` has the output and the exit code.
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, printed: stdout + stderr };
    }
  };
  onTestFinished(async () => void (await shell('systemctl stop topup || true')));
  return {
    ...{ root, port, shell, build },
    /** Runs commands that must succeed; returns what they print. */
    async run(text: string): Promise<string> {
      const { code, printed } = await shell(text);
      expect({
        code,
        printed: code === 0 ? '' : printed,
        log: code === 0 ? '' : readFileSync(join(root, 'log'), 'utf8'),
      }).toEqual({ code: 0, printed: '', log: '' });
      return printed;
    },
    read: (path: string): string => readFileSync(join(root, path), 'utf8'),
  };
}

it('installs, backs up, upgrades and rolls back a shop with the commands of docs/deployment.md', {
  timeout: 120_000,
}, async () => {
  const { root, port, run, shell, build, read } = await createMachine();
  const url = `http://127.0.0.1:${port}`;
  await using simulators = await startSimulators({
    port: 0,
    callbackUrls: { tripay: `${url}/callback/tripay`, digiflazz: `${url}/digiflazz/webhook` },
  });
  const store = `--store file:${root}/var/lib/topup/topup.db`;
  build('0.1.0');

  const ready = () =>
    until(
      () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      15_000,
    ).catch((error) => {
      throw new Error(read('log'), { cause: error });
    });

  await run(install);
  const chosen = simulators.providers.filter(({ name }) => ['tripay', 'digiflazz'].includes(name));
  for (const { name, baseUrl, credentials } of chosen) {
    appendFileSync(join(root, 'etc/topup/shop.env'), `${name.toUpperCase()}_BASE_URL=${baseUrl}\n`);
    for (const [variable, value] of Object.entries(credentials))
      writeFileSync(
        join(root, 'etc/topup/secrets', variable.toLowerCase().replaceAll('_', '-')),
        `${value}\n`,
      );
  }
  appendFileSync(join(root, 'etc/topup/shop.env'), `PORT=${port}\n`);
  // What the proxy would pass on.
  const check = join(root, 'etc/systemd/system/topup-check.service');
  writeFileSync(check, read('etc/systemd/system/topup-check.service').replace('https://shop.example', url));
  await run(secrets);
  await ready();
  await run(timers);
  expect(read('etc/topup/secrets/doctor-key')).toMatch(/^tk_live_\w{36}\n$/);
  await run('systemctl start topup-check.service');

  const key = (await run(`topup keys create --name shop --quiet ${store}`)).trim();
  const place = async (): Promise<string> => {
    const response = await fetch(`${url}/api/order`, {
      method: 'POST',
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 22 },
        whatsapp: '081234567890',
      }),
    });
    const placed = await response.json();
    expect({ status: response.status, placed }).toMatchObject({ status: 201 });
    return placed.orderId;
  };
  const invoice = async (id: string) => {
    const response = await fetch(`${url}/api/invoice/${id}`, { headers: { 'X-API-KEY': key } });
    return response.status === 200 ? (await response.json()).order : response.status;
  };
  const [paid, open] = [await place(), await place()];
  const [, reference] = /(DEV-T0001\d+)/.exec(JSON.stringify(await invoice(paid))) ?? [];
  const control = (path: string, body: object) =>
    fetch(`${simulators.url}/control/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await control('tripay/pay', { reference })).status).toBe(200);
  // Not by the invoice: a live server limits how often it can be read.
  await until(async () => {
    // The supplier takes five seconds of its own time.
    await control('advance', { seconds: 1 });
    return read('log').includes('"outcome":"delivered"');
  }, 20_000);
  expect(await invoice(paid)).toMatchObject({ payment_status: 'PAID', buy_status: 'Sukses' });
  const before = { paid: await invoice(paid), open: await invoice(open) };
  const served = async () => ({ paid: await invoice(paid), open: await invoice(open) });

  expect(await run(backUp)).toContain('/var/backups/topup/topup-');
  expect(await run(rehearse)).toContain(open);
  await run('systemctl start topup-check.service');
  for (const [change, found] of [
    ["touch -d '27 hours ago' /var/backups/topup/*.db", 'The newest backup is older than 26 hours.'],
    ['rm /var/backups/topup/*.db', 'There is no backup yet.'],
  ] as const) {
    await run(change);
    const { code, printed } = await shell('systemctl start topup-check.service');
    expect(code).toBe(1);
    expect(printed).toContain(found);
  }

  build('0.2.0', changeFormat);
  expect(await run(upgrade)).toMatch(/Format +(\d+), the newest/);
  expect(await served()).toEqual(before);
  const late = await place();

  const refused = await shell(rollBack);
  expect(refused.code).toBe(1);
  expect(refused.printed).toMatch(
    /was written by a newer version of the kit \(format \d+; this version supports up to \d+\)/,
  );
  // The old server does not start on it, and changes nothing.
  await run('systemctl start topup');
  await until(() => read('log').includes('was written by a newer version'));
  await run(restore);
  await ready();
  expect(await served()).toEqual(before);
  expect(await invoice(late)).toBe(404);
  // The store of the new version is still there.
  const [kept = ''] = readdirSync(join(root, 'var/lib/topup')).filter((name) => name.includes('.before-'));
  using db = new DatabaseSync(join(root, 'var/lib/topup', kept), { readOnly: true });
  expect(db.prepare('SELECT count(*) AS count FROM orders WHERE order_id = ?').get(late)).toEqual({
    count: 1,
  });
});
