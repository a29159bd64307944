import { openConsoleSession } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { lockForServer, sha256Hex } from '@topup-kit/server/internal';
import { describe, expect, it } from 'vitest';
import { steady } from './helpers/order.ts';
import { inStore, ownStore } from './helpers/own-store.ts';
import { type RunOptions, run } from './helpers/run.ts';

const own = ownStore((path) => inStore(path, (store) => store.claimMode('live')));

const command = (args: string[], { environment = {}, ...options }: RunOptions = {}) =>
  run(['console', ...args], {
    ...options,
    environment: { TOPUP_STORE: own.url, TOPUP_CONSOLE: 'act', ...environment },
  });
const json = async (args: string[], options?: RunOptions) =>
  JSON.parse((await command([...args, '--json'], options)).stdout);

const secretOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

const logIn = (url: string) =>
  own.inStore((store) =>
    openConsoleSession(
      { store, hash: sha256Hex, random: secureRandom, realClock: Date.now },
      secretOf(url.trim()),
    ),
  );

/** Logs somebody in, and returns the id of the session. */
async function session(operator: string): Promise<string> {
  const opened = await logIn((await json(['link', '--operator', operator])).url);
  if ('conflict' in opened) throw new Error(opened.conflict);
  return opened.session.sessionId;
}

const plain = (text: string): string =>
  steady(text)
    .replaceAll(/cs_[a-z2-9]{8}/g, '<session>')
    .replaceAll(own.path, '<path>');

describe('console link', () => {
  it('prints only a link on stdout, which logs in its operator once', async () => {
    const { code, stdout, stderr } = await command(['link', '--operator', 'Dewi']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:4000\/console\/login\/[\w-]{43}\n$/);
    expect(plain(stderr)).toMatchInlineSnapshot(`
      "It logs Dewi in once, until <time>. The first person who opens it gets that name, so don't share it.
      No server runs on this store: start it first.
      "
    `);
    expect(await logIn(stdout)).toMatchObject({ session: { operator: 'Dewi' } });
    expect(await logIn(stdout)).toEqual({ conflict: 'link_used' });
  });

  it('uses the port of the server that runs on the store, unless a public URL is set', async () => {
    const lock = lockForServer(own.path, { pid: process.pid, address: '127.0.0.1:4017' });
    try {
      expect((await command(['link'])).stdout).toContain('http://127.0.0.1:4017/console/login/');
      const environment = { TOPUP_PUBLIC_URL: 'https://shop.example' };
      expect((await command(['link'], { environment })).stdout).toContain('https://shop.example/console/');
    } finally {
      lock.release();
    }
  });

  it('stores no secret of a login link', async () => {
    const { url } = await json(['link']);
    const link = await own.inStore((store) => store.findConsoleLink(sha256Hex(secretOf(url))));
    expect(link).toMatchObject({ usedAt: null });
    expect(JSON.stringify(link)).not.toContain(secretOf(url));
  });

  it('prints the operator and the last characters of a link under --json', async () => {
    const before = Date.now();
    const { url, operator, expires_at } = await json(['link'], { environment: { TOPUP_OPERATOR: 'Ayu' } });
    expect({ url, operator }).toEqual({ url: expect.stringContaining('/console/login/'), operator: 'Ayu' });
    expect(Date.parse(expires_at) - before).toBeGreaterThanOrEqual(600_000);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(600_000);
  });

  it.each<[address: string, environment: Record<string, string>, args: string[]]>([
    ['https://shop.example/console', { TOPUP_PUBLIC_URL: 'https://shop.example' }, []],
    ['http://127.0.0.1:4100/console', { HOST: '0.0.0.0', PORT: '4100' }, []],
    [
      'http://10.0.0.5:4101/console',
      { HOST: '10.0.0.5', TOPUP_CONSOLE_PORT: '4101', TOPUP_PUBLIC_URL: 'https://shop.example' },
      [],
    ],
    ['https://shop.test/kit/console', {}, ['--url', 'https://shop.test/kit/']],
    ['https://shop.test/console', {}, ['--url', 'https://shop.test/console']],
  ])('prints a link to %s with %j and %j', async (address, environment, args) => {
    const { url } = await json(['link', ...args], { environment });
    expect(url.slice(0, url.lastIndexOf('/'))).toBe(`${address}/login`);
  });

  it.each<[problem: string, args: string[], environment: Record<string, string>]>([
    ['--url takes the http(s) URL', ['--url', 'shop.example'], {}],
    ['--url takes the http(s) URL', ['--url', 'https://shop.example/?a=b'], {}],
    ['chose a free port', [], { PORT: '0' }],
    ['chose a free port', [], { TOPUP_CONSOLE_PORT: '0', TOPUP_PUBLIC_URL: 'https://shop.example' }],
    ['--operator takes a name', ['--operator', ' '], {}],
    ['TOPUP_CONSOLE takes off, read or act', [], { TOPUP_CONSOLE: 'on' }],
    ['memory: exists only inside the server', [], { TOPUP_STORE: 'memory:' }],
  ])('fails with "%s" for %j and %j', async (problem, args, environment) => {
    const { code, stdout, stderr } = await command(['link', ...args], { environment });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
  });

  it.each([
    ['off', 'TOPUP_CONSOLE is off here'],
    ['', 'TOPUP_CONSOLE is not set here'],
    ['read', null],
  ])("explains the server's required settings with TOPUP_CONSOLE=%j", async (value, words) => {
    const { stderr } = await command(['link'], { environment: { TOPUP_CONSOLE: value } });
    expect(/TOPUP_CONSOLE is [a-z ]+/.exec(stderr)?.[0] ?? null).toBe(words);
  });
});

describe('console sessions', () => {
  it('lists sessions, oldest first', async () => {
    const [first] = [await session('Dewi'), await session('Made')];
    const { stdout, stderr } = await command(['sessions'], { columns: 120 });
    expect(plain(stdout)).toMatchInlineSnapshot(`
      "SESSION      OPERATOR  SINCE                     LAST SEEN                 ENDS
      <session>  Dewi      <time>  <time>  <time>
      <session>  Made      <time>  <time>  <time>
      "
    `);
    expect(stderr).toBe('');
    const { sessions } = await json(['sessions']);
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toEqual({
      session_id: first,
      operator: 'Dewi',
      created_at: expect.any(String),
      last_seen_at: sessions[0].created_at,
      expires_at: new Date(Date.parse(sessions[0].created_at) + 12 * 3_600_000).toISOString(),
    });
  });

  it('says when there are no console sessions', async () => {
    expect(plain((await command(['sessions'])).stderr)).toBe(
      'Nobody is logged in to the console of <path>.\n',
    );
  });

  it('ends one console session', async () => {
    const [first, second] = [await session('Dewi'), await session('Made')];
    const { stdout } = await command(['sessions', '--end', first]);
    expect(stdout).toBe(`${first} of Dewi has ended.\n`);
    const { sessions } = await json(['sessions']);
    expect(sessions).toEqual([expect.objectContaining({ session_id: second })]);
    const again = await command(['sessions', '--end', first]);
    expect(again.code).toBe(3);
    expect(again.stderr).toContain(`There is no open session ${first}`);
  });

  it('ends all sessions and unused links', async () => {
    const ids = [await session('Dewi'), await session('Made')];
    const { url } = await json(['link']);
    const { ended } = await json(['sessions', '--end-all']);
    expect(ended.map((one: { session_id: string }) => one.session_id)).toEqual(ids);
    expect(await json(['sessions'])).toEqual({ sessions: [] });
    expect(await logIn(url)).toEqual({ conflict: 'link_missing' });
  });

  it('rejects --end together with --end-all', async () => {
    expect((await command(['sessions', '--end', 'cs_1', '--end-all'])).code).toBe(2);
  });
});
