import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../src/internal.ts';
import { type Answer, type Ask, ask, hiddenFields, sameOrigin, startConsole } from './helpers/console.ts';
import { startSandbox } from './helpers/sandbox.ts';

/** A server for tests that leave nothing behind. */
let shared: Awaited<ReturnType<typeof startConsole>>;
beforeAll(async () => {
  shared = await startConsole();
});
afterAll(() => shared[Symbol.asyncDispose]());

const minute = 60_000;
const hour = 60 * minute;

const tokenOf = ({ text }: Answer): string => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
const headingOf = ({ text }: Answer): string => /<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? '';

describe('a link to the console', () => {
  it('shows who logs in at each visit, and logs in once', async () => {
    const live = shared;
    const link = await live.newLink('Dewi <b>');
    for (const method of ['HEAD', 'GET', 'GET'] as const)
      expect((await live.ask(link, { method })).status).toBe(200);
    const page = await live.ask(link);
    expect(page.text).toContain('Log in as Dewi &lt;b&gt;');
    expect(page.headers).not.toHaveProperty('set-cookie');

    const opened = await live.ask(link, { method: 'POST', headers: sameOrigin });
    expect(opened).toMatchObject({ status: 303, headers: { location: '/console' } });
    const again = await live.ask(link, { method: 'POST', headers: sameOrigin });
    expect([again.status, headingOf(again)]).toEqual([410, 'This link was already used']);
    expect(again.headers).not.toHaveProperty('set-cookie');
    expect(again.text).toContain('topup console link');
    expect(await live.store.listConsoleSessions(live.clock.now)).toHaveLength(1);
  });

  it('accepts a link for ten minutes', async () => {
    await using live = await startConsole();
    const [first, second] = [await live.newLink(), await live.newLink()];
    live.clock.now += 10 * minute - 1;
    expect((await live.ask(first, { method: 'POST', headers: sameOrigin })).status).toBe(303);
    live.clock.now += 1;
    for (const method of ['GET', 'POST'] as const) {
      const late = await live.ask(second, { method, headers: sameOrigin });
      expect([late.status, headingOf(late)]).toEqual([410, 'This link has expired']);
    }
  });

  it.each(['x', 'A'.repeat(43), '%00', 'a%2fb', '-'.repeat(4_000)])(
    'rejects an invalid login link (%#)',
    async (secret) => {
      const live = shared;
      for (const method of ['GET', 'POST'] as const) {
        const answer = await live.ask(`/login/${secret}`, { method, headers: sameOrigin });
        expect([answer.status, headingOf(answer)]).toEqual([404, 'This link is unknown']);
      }
    },
  );

  it.each<[sender: string, headers: Record<string, string>]>([
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of a sibling site', { 'Sec-Fetch-Site': 'same-site' }],
    ['nobody', {}],
    ['another origin', { Origin: 'https://evil.example' }],
    ['a hidden origin', { Origin: 'null' }],
  ])('rejects the form of a link from %s', async (_sender, headers) => {
    const live = shared;
    const link = await live.newLink();
    const rejected = await live.ask(link, { method: 'POST', headers });
    expect(rejected.status).toBe(403);
    expect(rejected.headers).not.toHaveProperty('set-cookie');
    expect((await live.ask(link, { method: 'POST', headers: sameOrigin })).status).toBe(303);
  });

  it('opens only the console with a login link, whatever the request contains', async () => {
    const live = shared;
    const link = await live.newLink();
    const { headers } = await live.ask(`${link}?next=https://evil.example&from=//evil.example`, {
      method: 'POST',
      headers: sameOrigin,
      form: { from: 'https://evil.example', next: '//evil.example' },
    });
    expect(headers.location).toBe('/console');
  });
});

describe('a session of the console', () => {
  it('uses a cookie that no script reads, no other site sends, and no other page gets', async () => {
    const live = shared;
    const { headers } = await live.ask(await live.newLink(), { method: 'POST', headers: sameOrigin });
    const [cookie = '', ...attributes] = headers['set-cookie']?.split('; ') ?? [];
    expect(cookie).toMatch(/^topup_console=[\w-]{43}$/);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/console', 'SameSite=Strict']);
    expect(JSON.stringify(await live.store.listConsoleSessions(live.clock.now))).not.toContain(
      cookie.split('=')[1],
    );
  });

  it.each<
    [what: string, settings: Record<string, string>, headers: Record<string, string>, attributes: string]
  >([
    [
      'a public URL with TLS',
      { TOPUP_PUBLIC_URL: 'https://shop.example' },
      sameOrigin,
      'Path=/console; HttpOnly; Secure',
    ],
    [
      'a public URL with a path',
      { TOPUP_PUBLIC_URL: 'https://shop.example/kit' },
      sameOrigin,
      'Path=/kit/console; HttpOnly; Secure',
    ],
    [
      'a TLS proxy in front of its own port',
      { TOPUP_CONSOLE_PORT: '0' },
      { ...sameOrigin, Origin: 'https://console.example' },
      'Path=/console; HttpOnly; Secure',
    ],
  ])(
    "limits the cookie with %s to TLS and to the console's path",
    async (_what, settings, headers, attributes) => {
      await using live = await startConsole(settings);
      const opened = await live.ask(await live.newLink(), { method: 'POST', headers });
      expect(opened.headers['set-cookie']).toContain(attributes);
      expect(opened.headers.location).toBe(/Path=([^;]+)/.exec(attributes)?.[1]);
    },
  );

  it("keeps the operator's name for twelve hours", async () => {
    await using live = await startConsole();
    const cookie = await live.logIn('Dewi');
    live.clock.now += 12 * hour - 1;
    const page = await live.ask('', { cookie });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Dewi');
    live.clock.now += 1;
    const late = await live.ask('', { cookie });
    expect([late.status, headingOf(late)]).toEqual([401, 'Your session has ended']);
  });

  it('ends a session immediately when an operator ends it', async () => {
    await using live = await startConsole();
    const [first, second] = [await live.logIn('Dewi'), await live.logIn('Made')];
    const [session] = await live.store.listConsoleSessions(live.clock.now);
    await live.store.endConsoleSession(session?.sessionId ?? '');
    const operators = await Promise.all([first, second].map((cookie) => live.ask('', { cookie })));
    expect(operators.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    await live.store.endConsoleSessions();
    for (const cookie of [first, second]) expect((await live.ask('', { cookie })).status).toBe(401);
  });

  it("ends a session on logout, but only with the session's own form", async () => {
    await using live = await startConsole();
    const cookie = await live.logIn();
    const token = tokenOf(await live.ask('', { cookie }));
    for (const [form, headers] of [
      [{ token }, { 'Sec-Fetch-Site': 'cross-site' }],
      [{ token: `${token}x` }, sameOrigin],
      [{}, sameOrigin],
    ] as [Record<string, string>, Record<string, string>][]) // Safe: the value is a list of pairs.
      expect((await live.ask('/logout', { method: 'POST', cookie, form, headers })).status).toBe(403);
    expect((await live.ask('', { cookie })).status).toBe(200);
    const left = await live.ask('/logout', { method: 'POST', cookie, form: { token }, headers: sameOrigin });
    expect(left).toMatchObject({ status: 303, headers: { location: '/console' } });
    expect(left.headers['set-cookie']).toMatch(/^topup_console=; Max-Age=0; Path=\/console/);
    expect((await live.ask('', { cookie })).status).toBe(401);
  });

  it('creates a new secret and token, whatever cookie a browser had before', async () => {
    await using live = await startConsole();
    const planted = `topup_console=${'F'.repeat(43)}`;
    const { headers } = await live.ask(await live.newLink(), {
      method: 'POST',
      cookie: planted,
      headers: sameOrigin,
    });
    const cookie = headers['set-cookie']?.split(';')[0] ?? '';
    expect(cookie).not.toBe(planted);
    expect((await live.ask('', { cookie: planted })).status).toBe(401);
    const other = await live.logIn();
    expect(tokenOf(await live.ask('', { cookie }))).not.toBe(tokenOf(await live.ask('', { cookie: other })));
  });

  it('stores the last use at most once a minute', async () => {
    await using live = await startConsole();
    const cookie = await live.logIn();
    const seen = async (after: number): Promise<number> => {
      live.clock.now += after;
      await live.ask('', { cookie });
      // The next request finds what the one before has noted in the background.
      await live.ask('', { cookie });
      const [session] = await live.store.listConsoleSessions(live.clock.now);
      return (session?.lastSeenAt ?? 0) - (session?.createdAt ?? 0);
    };
    expect(await seen(minute - 1)).toBe(0);
    expect(await seen(1)).toBe(minute);
    expect(await seen(minute - 1)).toBe(minute);
  });

  it.each([
    ['none', undefined],
    ['empty', 'topup_console='],
    ['forged', `topup_console=${'A'.repeat(43)}`],
    ['the hash of a session', 'hash'],
    ['the id of a session', 'id'],
    ['the secret of a link', 'link'],
  ])('explains how to log in when the cookie is %s', async (_what, given) => {
    const live = shared;
    await live.logIn();
    const [session] = await live.store.listConsoleSessions(live.clock.now);
    const link = await live.newLink();
    const secrets: Record<string, string | undefined> = {
      hash: session?.hash,
      id: session?.sessionId,
      link: link.split('/').at(-1),
    };
    const cookie = given !== undefined && given in secrets ? `topup_console=${secrets[given]}` : given;
    for (const path of ['', '/', '/orders', '/live', '/nothing', '/%2e%2e/orders%00']) {
      const answer = await live.ask(path, cookie === undefined ? {} : { cookie });
      expect([path, answer.status]).toEqual([path, path.includes('%2e') ? 400 : 401]);
      expect(answer.text).not.toContain('Overview');
      if (answer.status === 401) expect(answer.text).toContain('topup console link');
    }
  });
});

describe('a form of the console', () => {
  it('keeps the input of a form that arrives after the session ended, and lets the operator send it again', async () => {
    await using live = await startConsole();
    const cookie = await live.logIn();
    await live.store.endConsoleSessions();
    const form = { note: 'He said "yes" & <paid>', token: 'old', step: 'perform' };
    const path = '/orders/INV-1/note';
    const ended = await live.ask(path, { method: 'POST', cookie, form, headers: sameOrigin });
    expect([ended.status, headingOf(ended)]).toEqual([401, 'Your session has ended']);
    expect(hiddenFields(ended)).toEqual(form);
    expect(ended.text).not.toContain('<paid>');
    expect(ended.text).toContain('<form method="post">');
  });

  it('ignores a form from another site', async () => {
    const live = shared;
    const cookie = await live.logIn();
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }, {}]) {
      const rejected = await live.ask('/orders/INV-1/note', {
        method: 'POST',
        cookie,
        form: { note: 'planted' },
        headers,
      });
      expect(rejected.status).toBe(403);
      expect(rejected.text).not.toContain('planted');
    }
  });

  it('accepts a form by its origin if the browser sends nothing else, as over plain HTTP', async () => {
    await using live = await startConsole({ TOPUP_PUBLIC_URL: 'http://console.example' });
    const token = tokenOf(await live.ask('', { cookie: await live.logIn() }));
    expect(token).not.toBe('');
    for (const origin of [live.server.localUrl, 'http://console.example']) {
      const cookie = await live.logIn();
      const form = { token: tokenOf(await live.ask('', { cookie })) };
      const answer = await live.ask('/logout', { method: 'POST', cookie, form, headers: { Origin: origin } });
      expect(answer.status).toBe(303);
    }
  });
});

describe('a page of the console', () => {
  it.each(['', '/login/x', '/nothing'])('forbids frames, foreign content and caching at %j', async (path) => {
    const live = shared;
    const cookie = await live.logIn();
    for (const sent of [{ cookie }, {}]) {
      const { headers } = await live.ask(path, sent);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  it.each(['//console', '/Console', '/console%2forders', '/consoles', '/x/console'])(
    'serves no page of the console at %s',
    async (path) => {
      const live = shared;
      const cookie = await live.logIn();
      const answer = await ask(live.server.localUrl + path, { cookie });
      expect(answer.status).toBe(404);
      expect(answer.headers['content-type']).toBe('application/json');
    },
  );

  it.each(['/console/../metrics', '/console/%2e%2e/api/games', '/console/./', '/console/..\\pay'])(
    'serves no other path on the console: %s',
    async (path) => {
      const live = shared;
      expect((await ask(live.server.localUrl + path)).status).toBe(400);
    },
  );
});

describe('TOPUP_CONSOLE', () => {
  it.each([{}, { TOPUP_CONSOLE: '' }, { TOPUP_CONSOLE: 'off' }])(
    'turns the console of a live server off: %j',
    async (settings) => {
      await using live = await startConsole({ TOPUP_CONSOLE: '', ...settings });
      expect(live.server.consoleUrl).toBeNull();
      const cookie = await live.logIn();
      const unknown = await ask(`${live.server.localUrl}/unknown`, { cookie });
      for (const path of ['', '/orders', await live.newLink()]) {
        const answer = await live.ask(path, { cookie });
        expect(answer.status).toBe(404);
        expect(JSON.parse(answer.text)).toMatchObject({ error_code: JSON.parse(unknown.text).error_code });
      }
    },
  );

  it.each([
    ['read', [403, 403]],
    ['act', [200, 303]],
  ] as const)('responds in a console %s with %j to an action', async (setting, statuses) => {
    await using live = await startConsole({ TOPUP_CONSOLE: setting });
    const cookie = await live.logIn();
    const page = await live.ask('', { cookie });
    expect(page.status).toBe(200);
    expect(page.text.includes('read only')).toBe(setting === 'read');
    const close = '/catalog/games/mobile-legends/close';
    const fields = hiddenFields(await live.ask(close, { cookie }));
    const form = { ...fields, token: tokenOf(page), note: 'sold out', step: 'perform' };
    const isOpen = async (): Promise<boolean | undefined> =>
      (await live.store.readCatalog())?.games.find(({ slug }) => slug === 'mobile-legends')?.status;
    expect(await isOpen()).toBe(true);
    const results = [
      await live.ask(close, { cookie }),
      await live.ask(close, { method: 'POST', cookie, form, headers: sameOrigin }),
    ];
    expect(results.map(({ status }) => status)).toEqual(statuses);
    expect(await isOpen()).toBe(setting === 'read');
  });

  it('admits only direct requests to a sandbox by default', async () => {
    await using sandbox = await startSandbox({ TOPUP_LOCALE: 'en', TOPUP_LOG_LEVEL: 'silent' });
    const at = sandbox.consoleUrl ?? '';
    const page = await ask(at);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('read only');
    for (const headers of [
      { Host: 'shop.example' },
      { 'X-Forwarded-For': '203.0.113.7' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ] as Record<string, string>[]) {
      // Safe: the object has headers by name.
      const rejected = await ask(at, { headers });
      expect(rejected.status).toBe(401);
      expect(rejected.text).toContain('TOPUP_CONSOLE=act');
    }
    const form = { token: tokenOf(page) };
    for (const headers of [{}, { 'Sec-Fetch-Site': 'none' }, { Origin: 'http://localhost:1' }])
      expect((await ask(`${at}/logout`, { method: 'POST', form, headers })).status).toBe(403);
  });

  it.each([
    ['off', 404],
    ['read', 200],
    ['act', 200],
  ] as const)('responds in a console %s with %i to direct requests to a sandbox', async (setting, status) => {
    await using sandbox = await startSandbox({
      TOPUP_CONSOLE: setting,
      TOPUP_LOCALE: 'en',
      TOPUP_LOG_LEVEL: 'silent',
    });
    const page = await ask(`${sandbox.localUrl}/console`);
    expect(page.status).toBe(status);
    expect(page.text.includes('read only')).toBe(setting === 'read');
  });

  it('rejects sessions that began before the setting was removed', async () => {
    await using sandbox = await startConsole({ TOPUP_MODE: 'sandbox', TOPUP_CONSOLE: '' });
    const [link = '', secret] = [(await sandbox.newLink()).split('/').at(-1), 'S'.repeat(43)];
    await sandbox.store.openConsoleSession(sha256Hex(link), {
      ...{ sessionId: 'cs_1', hash: sha256Hex(secret) },
      ...{ createdAt: sandbox.clock.now, expiresAt: sandbox.clock.now + hour },
    });
    const sent = { headers: { Host: 'sandbox.example' }, cookie: `topup_console=${secret}` };
    expect((await sandbox.ask('', sent)).status).toBe(401);
  });

  it('lets operators log in to a sandbox from other machines', async () => {
    await using sandbox = await startConsole({ TOPUP_MODE: 'sandbox' });
    const headers = { Host: 'sandbox.example' };
    expect((await sandbox.ask('', { headers })).status).toBe(401);
    const cookie = await sandbox.logIn('Dewi');
    const page = await sandbox.ask('', { headers, cookie });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Dewi');
  });
});

describe('a separate port for the console', () => {
  it('serves only the console on the console port, and everything else on the main port', async () => {
    await using live = await startConsole({ TOPUP_CONSOLE_PORT: '0' });
    const console = (live.server.consoleUrl ?? '').replace(/\/console$/, '');
    const main = live.server.localUrl;
    expect(console).not.toBe(main);
    const cookie = await live.logIn();
    expect((await ask(`${console}/console`, { cookie })).status).toBe(200);
    expect(await ask(`${console}/`)).toMatchObject({ status: 303, headers: { location: '/console' } });

    const statusAt = async (path: string): Promise<[string, number, number]> => [
      path,
      (await ask(main + path, { cookie })).status,
      (await ask(console + path, { cookie })).status,
    ];
    const others = ['/api/games', '/readyz', '/docs', '/openapi.json', '/api/console', '//console', '/x'];
    for (const path of others) expect((await statusAt(path))[2]).toBe(404);
    expect(await statusAt('/readyz')).toEqual(['/readyz', 200, 404]);
    for (const path of [
      '/console',
      '/console/',
      '/console/orders',
      '/%63onsole',
      '/%63%6fnsole/%ff',
      '/%63onsole/%',
      '/%63onsole/%zz%25',
      '/%25%36%33onsole',
      '/console%2f',
    ])
      expect((await statusAt(path)).slice(0, 2)).toEqual([path, 404]);
    const missing = await ask(`${main}/console`, { headers: { 'X-Request-Id': 'mine' } });
    expect(missing.headers['x-request-id']).toBe('mine');
    expect(JSON.parse(missing.text)).toMatchObject({ success: false, error_code: 'ROUTE_NOT_FOUND' });
    expect(live.lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ requestId: 'mine', operation: 'unknown', status: 404 }),
    );
  });

  it('opens no console port without a console', async () => {
    await using live = await startConsole({ TOPUP_CONSOLE: '', TOPUP_CONSOLE_PORT: '0' });
    expect(live.server.consoleUrl).toBeNull();
    expect(live.lines.join('')).toContain('TOPUP_CONSOLE_PORT is ignored');
  });

  it('names the setting whose port is in use', async () => {
    await using live = await startConsole();
    const { port } = new URL(live.server.localUrl);
    await expect(startConsole({ TOPUP_CONSOLE_PORT: port })).rejects.toThrow(
      'set TOPUP_CONSOLE_PORT (or --console-port) to a free port',
    );
  });
});

describe('a store that rejects writes', () => {
  it('lets operators read a store that rejects writes, and keeps their links and forms', async () => {
    await using live = await startConsole();
    const cookie = await live.logIn();
    const [page, link] = [await live.ask('', { cookie }), await live.newLink()];
    using other = new DatabaseSync(live.path, { timeout: 1_000 });
    other.exec('BEGIN IMMEDIATE');
    live.clock.now += minute;
    expect((await live.ask('/events', { cookie })).status).toBe(200);
    expect((await live.ask(link)).status).toBe(200);
    const expectRejected = async (
      path: string,
      sent: Pick<Ask, 'cookie'> & { form: Record<string, string> },
    ) => {
      const failed = await live.ask(path, { method: 'POST', headers: sameOrigin, ...sent });
      expect([failed.status, headingOf(failed)]).toEqual([503, 'The store does not respond']);
      expect(failed.headers['retry-after']).toBe('1');
      expect(hiddenFields(failed)).toEqual(sent.form);
      expect(failed.headers).not.toHaveProperty('set-cookie');
    };
    await Promise.all([
      expectRejected(link, { form: { a: 'b' } }),
      expectRejected('/logout', { cookie, form: { token: tokenOf(page) } }),
    ]);
    other.exec('ROLLBACK');
    await expect
      .poll(async () => (await live.ask(link, { method: 'POST', headers: sameOrigin })).status)
      .toBe(303);
    expect((await live.ask('', { cookie })).status).toBe(200);
  });
});

describe('requests without a session', () => {
  const limit = { TOPUP_READS_PER_MINUTE: '3' };

  it('limits requests without a session by address, but no other requests', async () => {
    await using live = await startConsole(limit);
    const cookie = await live.logIn();
    for (let count = 0; count < 3; count += 1) expect((await live.ask('')).status).toBe(401);
    const limited = await live.ask('');
    expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } });
    for (let count = 0; count < 5; count += 1) expect((await live.ask('', { cookie })).status).toBe(200);
  });

  it('limits requests with a link separately', async () => {
    await using live = await startConsole(limit);
    for (let count = 0; count < 3; count += 1) expect((await live.ask('/login/wrong')).status).toBe(404);
    const link = await live.newLink();
    expect((await live.ask(link, { method: 'POST', headers: sameOrigin })).status).toBe(429);
    expect((await live.ask('')).status).toBe(401);
    live.clock.now += minute;
    expect((await live.ask(link, { method: 'POST', headers: sameOrigin })).status).toBe(303);
  });
});

describe('the log', () => {
  it('logs logins and logouts without the secrets of links and sessions', async () => {
    await using live = await startConsole();
    const link = await live.newLink('Dewi');
    await live.ask(link);
    const { headers } = await live.ask(link, { method: 'POST', headers: sameOrigin });
    const cookie = headers['set-cookie']?.split(';')[0] ?? '';
    const token = tokenOf(await live.ask('', { cookie }));
    await live.ask('/logout', { method: 'POST', cookie, form: { token }, headers: sameOrigin });
    await live.ask(link);
    const log = live.lines.join('');
    for (const secret of [link.split('/').at(-1), cookie.split('=')[1], token]) {
      expect(secret).toMatch(/^[\w-]{43,}$/);
      expect(log).not.toContain(secret);
    }
    const lines = live.lines.map((line) => JSON.parse(line));
    const operations = lines.map(({ operation }) => operation);
    expect(operations).toContain('/console/login/:secret');
    expect(operations).toContain('/console/logout');
    expect(lines.filter(({ operator }) => operator === 'Dewi').map(({ msg }) => msg)).toEqual([
      'an operator logged in to the console',
      'an operator logged out of the console',
    ]);
  });
});
