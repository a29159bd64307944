import { routes, scopes } from '@topup-kit/core/contract';
import { createSimulatedGateway } from '@topup-kit/core/gateway';
import { secureRandom } from '@topup-kit/core/platform';
import type { StoredKey } from '@topup-kit/core/store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signed } from '../../core/test/helpers/providers.ts';
import { sha256Hex } from '../src/internal.ts';
import type { PageDependencies } from '../src/pages/pages.ts';
import {
  consoleRoutes,
  allRoutes as otherRoutes,
  type RouteRow,
  type Subject,
} from './helpers/all-routes.ts';
import {
  brokenStore,
  consoleSecret,
  consoleToken,
  createWholeService,
  customerEmail,
  type Got,
  linkSecret,
  type Sent,
  type WholeService,
} from './helpers/whole-service.ts';

type Router = Parameters<typeof import('../src/pages/pages.ts')['mountPages']>[0];

const mounted = vi.hoisted((): { router: Router | undefined } => ({ router: undefined }));

// The app keeps its router to itself; its pages are mounted on it.
vi.mock('../src/pages/pages.ts', async (load) => {
  const pages = await load<typeof import('../src/pages/pages.ts')>();
  return {
    ...pages,
    mountPages(router: Router, deps: PageDependencies) {
      mounted.router = router;
      pages.mountPages(router, deps);
    },
  };
});

const risks = {
  API1: 'Broken object level authorization',
  API2: 'Broken authentication',
  API3: 'Broken object property level authorization',
  API4: 'Unrestricted resource consumption',
  API5: 'Broken function level authorization',
  API6: 'Unrestricted access to sensitive business flows',
  API7: 'Server side request forgery',
  API8: 'Security misconfiguration',
  API9: 'Improper inventory management',
  API10: 'Unsafe consumption of APIs',
} as const;

await createWholeService();
/** Every route of a server. */
const allRoutes = [...otherRoutes, ...consoleRoutes(mounted.router?.routes ?? [])];

/** A shop with an order, and what is needed to send a route's requests. */
interface Scene {
  service: WholeService;
  row: RouteRow;
  key: string;
  stored: StoredKey;
  mine: Subject;
  send: (over?: Partial<Sent>, about?: Subject) => Promise<Got>;
}

interface Check {
  risk: keyof typeof risks;
  /** What holds for the routes that it applies to, as the matrix shows it. */
  holds: string;
  applies: (row: RouteRow) => boolean;
  run: (scene: Scene) => Promise<void>;
  settings?: Parameters<typeof createWholeService>[0];
}

const account = 'ACCOUNT-canary';
const missing: Subject = {
  orderId: 'INV-20260328100000-ZZZZZZZZ',
  reference: 'Zyxwvutsrqponmlkjihgfedc',
};
const bodyLimit = 2_000;

/** What differs between two responses to the same request. */
const changing = new Set(['x-request-id', 'date', 'ratelimit', 'retry-after']);
const comparable = ({ status, headers, text }: Got) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !changing.has(name)),
});

/** A response without ids and times, which differ between two orders. */
const timeless = ({ status, text }: Got) => ({
  status,
  text: text
    .replaceAll(/INV-\d{14}-[A-Z]{8}/g, 'INV')
    .replaceAll(/\/pay\/\w{24}/g, '/pay/PAGE')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, 'TIME')
    .replaceAll(/"ahead_ms":\d+/g, 'AHEAD'),
});

const stateOf = async ({ service, mine }: Scene) => {
  const order = await service.store.findOrder(mine.orderId);
  return order && [order.paymentStatus, order.buyStatus, order.version];
};

/** Whether a request reached its operation; not every action fits the state of an order. */
const isAllowed = ({ status, text }: Got): boolean =>
  status < 400 || status === 409 || text.includes('The selected id is invalid.');
/** Whether a request to the console was handled for a visitor, also if what it names is not there, or something is missing. */
const isLetIn = ({ status }: Got): boolean => ![401, 403, 429, 500].includes(status);

const checks: Check[] = [
  {
    risk: 'API1',
    holds: 'another account gets what it gets for a missing order',
    applies: ({ names, access }) => names === 'order' && access === 'key',
    async run({ service, send }) {
      expect((await send()).status).toBe(200);
      const { key } = await service.keyOf('another');
      const [theirs, none] = [await send({ key }), await send({ key }, missing)];
      expect(theirs.status).toBe(404);
      expect(comparable(theirs)).toEqual(comparable(none));
      // The same work, so that the time tells nothing either.
      const foreign = await service.storeCalls(() => send({ key }));
      expect(foreign).toEqual(await service.storeCalls(() => send({ key }, missing)));
      expect(foreign.some((call) => call === 'findOrder' || call === 'findProgress')).toBe(true);
    },
  },
  {
    risk: 'API1',
    holds: "only the sandbox's own key; a shop's key learns nothing about orders",
    applies: ({ names, access }) => names === 'order' && access === 'control',
    async run(scene) {
      const before = await stateOf(scene);
      const own = await scene.send({ key: scene.key });
      expect(own.status).toBe(403);
      expect(comparable(await scene.send({ key: scene.key }, missing))).toEqual(comparable(own));
      expect(await stateOf(scene)).toEqual(before);
    },
  },
  {
    risk: 'API1',
    holds:
      'by an unguessable reference, not by that of the gateway; shows no phone number and no e-mail address',
    applies: ({ names }) => names === 'payment',
    async run({ send, mine }) {
      const { text, status } = await send();
      expect(mine.reference).toMatch(/^[A-Za-z0-9]{24}$/);
      expect((await send({}, { ...mine, reference: `R-${mine.orderId}` })).status).toBe(404);
      expect(status).toBeLessThan(400);
      expect(text).not.toMatch(new RegExp(`81234567890|${customerEmail}`));
      expect((await send({}, missing)).status).toBe(404);
    },
  },
  {
    risk: 'API2',
    holds: 'needs a key: none, a wrong, an expired, a revoked one, or one in another place get the same 401',
    applies: ({ access }) => access === 'key' || access === 'control',
    async run({ service, row, mine, key, send }) {
      const expired = await service.keyOf(account, { expiresAt: 1 });
      const revoked = await service.keyOf(account);
      await service.store.revokeKey(revoked.stored.keyId, 1);
      const { path } = row.valid(mine, key);
      const rejected = [
        await send({ key: null }),
        await send({ key: '' }),
        await send({ key: 'wrong' }),
        await send({ key: `${key.slice(0, -1)}!` }),
        await send({ key: expired.key }),
        await send({ key: revoked.key }),
        await send({ key: null, path: `${path}?api_key=${key}&X-API-KEY=${key}` }),
        await send({ key: null, headers: { Authorization: `Bearer ${key}`, Cookie: `X-API-KEY=${key}` } }),
      ];
      const [first] = rejected;
      expect(first?.status).toBe(401);
      expect(first?.text).toBe('{"message":"Unauthorized"}');
      for (const one of rejected) expect(comparable(one)).toEqual(first && comparable(first));
    },
  },
  {
    risk: 'API2',
    holds: 'needs a valid signature',
    applies: ({ access }) => access === 'signature',
    async run(scene) {
      const before = await stateOf(scene);
      const body = JSON.stringify({ reference: `R-${scene.mine.orderId}`, report: { status: 'paid' } });
      for (const headers of [{}, { 'x-test-signature': 'wrong' }, { 'X-API-KEY': scene.key }])
        expect((await scene.send({ body, headers })).status).toBe(401);
      expect(await stateOf(scene)).toEqual(before);
    },
  },
  {
    risk: 'API2',
    holds: 'needs the token; without it there is no such page',
    applies: ({ access }) => access === 'token',
    async run({ send }) {
      const unknown = await send({ path: '/no-such-page', headers: {} });
      for (const authorization of [{}, { Authorization: 'Bearer wrong' }]) {
        const { status, text } = await send({ headers: authorization });
        expect({ status, text: text.replace('/metrics', '/no-such-page') }).toEqual({
          ...{ status: 404, text: unknown.text },
        });
      }
    },
  },
  {
    risk: 'API2',
    holds:
      "needs an operator's session: none, a forged one, a link's secret or a key get a page that says how to log in",
    applies: ({ access }) => access === 'session',
    async run(scene) {
      const { service, key, send } = scene;
      const before = await stateOf(scene);
      const cookies = [
        '',
        'topup_console=',
        `topup_console=${'A'.repeat(43)}`,
        `topup_console=${linkSecret(0)}`,
      ];
      for (const headers of [
        ...cookies.map((Cookie) => ({ Cookie })),
        { Cookie: `topup_console=${key}`, 'X-API-KEY': key },
      ]) {
        const calls = await service.storeCalls(async () => {
          const { status, text } = await send({ headers });
          expect(status).toBe(401);
          expect(text).toContain('topup console link');
        });
        expect(calls.filter((call) => call !== 'findConsoleSession')).toEqual([]);
      }
      expect(await stateOf(scene)).toEqual(before);
    },
  },
  {
    risk: 'API2',
    holds: 'a link logs in once, and another secret never',
    applies: ({ access }) => access === 'link',
    async run({ row, mine, key, send }) {
      const { path } = row.valid(mine, key);
      expect((await send({ path })).status).toBe(row.method === 'GET' ? 200 : 303);
      await send({ path, method: 'POST' });
      const again = await send({ path });
      expect([again.status, again.headers.get('Set-Cookie')]).toEqual([410, null]);
      const wrong = await send({ path: `${path.slice(0, -1)}_` });
      expect([wrong.status, wrong.headers.get('Set-Cookie')]).toEqual([404, null]);
    },
  },
  {
    risk: 'API3',
    holds: 'unknown properties change nothing',
    applies: ({ body }) => body === 'json',
    async run({ service, row, mine, key, send }) {
      const extra =
        '"account_id":"other","accountId":"other","payment_status":"PAID","buy_status":"Sukses","total_price":1,' +
        '"order_id":"INV-1","scopes":["all"],"status":"PAID","__proto__":{"quantity":9},"constructor":{"name":"x"},';
      const body = JSON.stringify(row.valid(mine, key).body).replace('{', `{${extra}`);
      // A filter that is mistyped would have a fault strike more than is meant.
      if (row.isStrict) return void expect((await send({ body })).status).toBe(422);
      expect(timeless(await send({ body }))).toEqual(timeless(await send()));
      for (const { accountId, paymentStatus } of await service.store.listOrders({ limit: 10 }))
        expect({ accountId, paymentStatus }).toEqual({ accountId: account, paymentStatus: 'UNPAID' });
    },
  },
  {
    risk: 'API3',
    holds: 'shows nothing of accounts and keys',
    applies: ({ access }) => access !== 'signature' && access !== 'session',
    async run({ row, key, stored, send }) {
      const { text, headers } = await send();
      const all = text + JSON.stringify([...headers]);
      // The orders of a snapshot have their accounts.
      const names = row.path === '/sandbox/snapshot' ? [] : [account];
      for (const secret of [...names, key, stored.hash, stored.keyId]) expect(all).not.toContain(secret);
    },
  },
  {
    risk: 'API3',
    holds: 'shows no secret of keys and sessions',
    applies: ({ access }) => access === 'session',
    async run({ key, stored, send }) {
      const { text, headers } = await send();
      const all = text + JSON.stringify([...headers]);
      for (const secret of [key, stored.hash, consoleSecret, sha256Hex(consoleSecret)])
        expect(all).not.toContain(secret);
    },
  },
  {
    risk: 'API4',
    holds: 'a body over the limit gets 413',
    // A file may be longer.
    applies: ({ body, path }) =>
      body !== undefined && !/^\/sandbox\/(play|replace-catalog|restore|seed)$/.test(path),
    settings: { limits: { bodyBytes: bodyLimit } },
    async run({ send }) {
      const big = `{"id":"${'x'.repeat(bodyLimit)}"}`;
      expect((await send({ body: big })).status).toBe(413);
      expect((await send({ body: big, headers: { 'Content-Length': String(big.length) } })).status).toBe(413);
    },
  },
  {
    risk: 'API4',
    holds: 'limited by key and address',
    applies: ({ limit }) => limit === 'key',
    settings: { limits: { readsPerMinute: 2, ordersPerMinute: 2 } },
    async run({ service, row, send }) {
      const { key } = await service.keyOf(account);
      const statuses = [];
      for (let count = 0; count < 3; count += 1)
        statuses.push((await send({ key, headers: { 'X-Forwarded-For': `198.51.100.${count}` } })).status);
      expect(statuses.map((status) => status === 429)).toEqual([false, false, true]);
      const limited = await send({ key });
      expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(limited.headers.get('RateLimit-Policy')).toBe(
        `"${row.scope === 'orders:write' ? 'orders' : 'reads'}";q=2;w=60`,
      );
    },
  },
  {
    risk: 'API4',
    holds: 'a key without the scope is limited, too',
    applies: ({ limit }) => limit === 'key',
    settings: { limits: { readsPerMinute: 2, ordersPerMinute: 2 } },
    async run({ service, send }) {
      const { key } = await service.keyOf(account, { scopes: [] });
      const statuses = [];
      for (let count = 0; count < 3; count += 1) statuses.push((await send({ key })).status);
      expect(statuses).toEqual([403, 403, 429]);
    },
  },
  {
    risk: 'API4',
    holds: 'limited by address',
    applies: ({ limit }) => limit === 'address',
    settings: { limits: { readsPerMinute: 2 } },
    async run({ send }) {
      const statuses = [];
      for (let count = 0; count < 3; count += 1)
        statuses.push((await send({ headers: { 'X-Forwarded-For': `198.51.100.${count}` } })).status);
      expect(statuses.map((status) => status === 429)).toEqual([false, false, true]);
      expect((await send({ address: '203.0.113.8' })).status).not.toBe(429);
    },
  },
  {
    risk: 'API4',
    holds: 'without a session limited by address; with one from the same address it is not',
    applies: ({ access }) => access === 'session',
    settings: { limits: { readsPerMinute: 2 } },
    async run({ service, send }) {
      const statuses = [];
      for (let count = 0; count < 3; count += 1)
        statuses.push(
          (await send({ headers: { Cookie: '', 'X-Forwarded-For': `198.51.100.${count}` } })).status,
        );
      expect(statuses).toEqual([401, 401, 429]);
      expect((await send({ headers: { Cookie: '' }, address: '203.0.113.8' })).status).toBe(401);
      for (let count = 0; count < 3; count += 1) {
        await service.logIn();
        expect(await send()).toSatisfy(isLetIn);
      }
    },
  },
  {
    risk: 'API4',
    holds: 'without a valid signature limited by address; valid ones from the same address are not',
    applies: ({ access }) => access === 'signature',
    settings: {},
    async run({ service, send }) {
      const forged = { headers: { 'x-test-signature': 'wrong' }, body: '{}' };
      const statuses = [];
      for (let count = 0; count < 31; count += 1) statuses.push((await send(forged)).status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(30);
      expect(statuses.at(-1)).toBe(429);
      expect((await send({ ...forged, address: '203.0.113.8' })).status).toBe(401);
      expect((await send(signed('{}'))).status).toBe(503);
      const calls = await service.storeCalls(async () => void (await send(forged)));
      expect(calls).toEqual([]);
    },
  },
  {
    risk: 'API4',
    holds: 'wrong keys are limited by address',
    applies: ({ access }) => access === 'key' || access === 'control',
    settings: { limits: { readsPerMinute: 2 } },
    async run({ send }) {
      const statuses = [];
      for (let count = 0; count < 3; count += 1)
        statuses.push((await send({ key: `wrong-${count}` })).status);
      expect(statuses).toEqual([401, 401, 429]);
    },
  },
  {
    risk: 'API5',
    holds: 'needs its scope',
    applies: ({ scope }) => scope !== undefined,
    async run({ service, row, send }) {
      const others = await service.keyOf(account, { scopes: scopes.filter((scope) => scope !== row.scope) });
      const only = await service.keyOf(account, { scopes: row.scope ? [row.scope] : [] });
      const rejected = await send({ key: others.key });
      expect([rejected.status, rejected.headers.get('X-Error-Code')]).toEqual([403, 'FORBIDDEN']);
      expect(isAllowed(await send({ key: only.key }))).toBe(true);
    },
  },
  {
    risk: 'API5',
    holds: "a shop's key is rejected",
    applies: ({ access }) => access === 'control',
    async run({ key, send }) {
      expect((await send({ key })).status).toBe(403);
      expect(isAllowed(await send())).toBe(true);
    },
  },
  {
    risk: 'API5',
    holds: 'absent in live mode',
    applies: ({ sandboxOnly }) => sandboxOnly === true,
    settings: { mode: 'live' },
    async run(scene) {
      const before = await stateOf(scene);
      for (const direct of [false, true])
        for (const key of [scene.key, scene.row.valid(scene.mine, scene.key).key])
          expect((await scene.send({ direct, key: key ?? null })).status).toBe(404);
      expect(await stateOf(scene)).toEqual(before);
    },
  },
  {
    risk: 'API5',
    holds: 'only from its own site',
    applies: ({ access }) => access === 'page',
    async run(scene) {
      const before = await stateOf(scene);
      for (const site of ['cross-site', 'same-site'])
        expect((await scene.send({ headers: { 'Sec-Fetch-Site': site } })).status).toBe(403);
      expect(await stateOf(scene)).toEqual(before);
    },
  },
  {
    risk: 'API5',
    holds: "only from the console's own pages, with the token of the session",
    applies: ({ access, method }) => access === 'session' && method === 'POST',
    async run(scene) {
      const before = await stateOf(scene);
      const revision = await scene.service.store.revision();
      for (const site of ['cross-site', 'same-site', 'none'])
        expect((await scene.send({ headers: { 'Sec-Fetch-Site': site } })).status).toBe(403);
      for (const body of [
        '',
        'token=&note=why',
        `token=${consoleToken}x&note=why`,
        `token=${consoleSecret}&step=perform`,
      ])
        expect((await scene.send({ body })).status).toBe(403);
      expect(await stateOf(scene)).toEqual(before);
      expect(await scene.service.store.revision()).toBe(revision);
      expect(await scene.send()).toSatisfy(isLetIn);
    },
  },
  {
    risk: 'API5',
    holds: 'does nothing with TOPUP_CONSOLE=read',
    applies: ({ access, method, path }) =>
      access === 'session' && method === 'POST' && path !== '/console/logout',
    settings: { console: 'read' },
    async run(scene) {
      const before = await stateOf(scene);
      const revision = await scene.service.store.revision();
      for (const step of ['check', 'perform'])
        expect((await scene.send({ body: `token=${consoleToken}&note=why&step=${step}` })).status).toBe(403);
      expect(await stateOf(scene)).toEqual(before);
      expect(await scene.service.store.revision()).toBe(revision);
    },
  },
  {
    risk: 'API5',
    holds: 'absent in live mode unless TOPUP_CONSOLE is set',
    applies: ({ access }) => access === 'session' || access === 'link',
    settings: { mode: 'live', console: 'off' },
    async run({ send }) {
      for (const direct of [false, true]) expect((await send({ direct })).status).toBe(404);
    },
  },
  {
    risk: 'API6',
    holds: 'orders have a limit of their own, and an idempotency key places one order',
    applies: ({ scope }) => scope === 'orders:write',
    settings: { limits: { ordersPerMinute: 3 } },
    async run({ service, send }) {
      const { key } = await service.keyOf(account);
      const before = (await service.store.listOrders({ limit: 10 })).length;
      const headers = { 'Idempotency-Key': 'one' };
      const placed = [await send({ key, headers }), await send({ key, headers })];
      expect(placed[0]?.text).toBe(placed[1]?.text);
      expect((await service.store.listOrders({ limit: 10 })).length).toBe(before + 1);
      await send({ key, headers });
      expect((await send({ key, headers })).status).toBe(429);
    },
  },
  {
    risk: 'API7',
    holds: 'calls no address, and builds no URL, from what a client sends',
    applies: () => true,
    async run({ send }) {
      const fetched = vi.spyOn(globalThis, 'fetch');
      // Another for each route: the journal of a sandbox shows what was sent before.
      const evil = `${crypto.randomUUID()}.example`;
      const { text, headers } = await send({
        headers: {
          ...{ 'X-Forwarded-Host': evil, 'X-Forwarded-Proto': 'gopher', Forwarded: `host=${evil}` },
          ...{ Referer: `https://${evil}/`, 'X-Original-URL': '/sandbox/reset', Accept: 'text/html' },
        },
      });
      expect(text + JSON.stringify([...headers])).not.toContain(evil);
      expect(fetched).not.toHaveBeenCalled();
    },
  },
  {
    risk: 'API8',
    holds: 'safe headers; no access for other origins; no software named',
    applies: () => true,
    async run({ send }) {
      const cross = { Origin: 'https://evil.example' };
      for (const got of [
        await send(),
        await send({ headers: cross }),
        await send({ method: 'DELETE', body: undefined }),
      ]) {
        if (got.text !== '') expect(got.headers.get('X-Content-Type-Options')).toBe('nosniff');
        for (const name of ['access-control-allow-origin', 'server', 'x-powered-by'])
          expect(got.headers.get(name)).toBeNull();
      }
    },
  },
  {
    risk: 'API8',
    holds: 'a strict policy against foreign content and frames',
    applies: ({ type }) => type === 'html',
    async run({ send }) {
      const { status, headers } = await send();
      // Some actions of the console are done at once.
      if (status === 303) return;
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
    },
  },
  {
    risk: 'API8',
    holds: 'no other method',
    applies: () => true,
    async run(scene) {
      const before = await stateOf(scene);
      const other = scene.row.method === 'GET' ? 'POST' : 'GET';
      const hasOther = allRoutes.some(({ method, path }) => method === other && path === scene.row.path);
      const methods = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', ...(hasOther ? [] : [other])];
      for (const method of methods) {
        const got = await scene.send({ method, body: undefined });
        // The payment page's own path takes no POST, and the checkout's path begins like that of an order.
        expect([method, got.status]).toEqual([
          method,
          expect.toSatisfy((status) => [401, 404, 405].includes(status)),
        ]);
        if (got.status === 405) expect(got.headers.get('Allow')).toContain(scene.row.method);
      }
      expect(await stateOf(scene)).toEqual(before);
    },
  },
  {
    risk: 'API8',
    holds: 'errors say nothing of the inside',
    applies: () => true,
    async run({ service, send }) {
      using _broken = service.breakStore();
      const { text, headers } = await send();
      const all = text + JSON.stringify([...headers]);
      expect(all).not.toContain(brokenStore);
      expect(all).not.toMatch(/node_modules|\.ts:\d|\n\s+at |StoreError/);
    },
  },
  {
    risk: 'API9',
    holds: 'in the list of routes',
    applies: () => true,
    run: async ({ row, send }) =>
      void expect(await send()).toSatisfy(row.access === 'session' ? isLetIn : isAllowed),
  },
  {
    risk: 'API10',
    holds: 'nonsense of a provider changes nothing and is not repeated to it',
    applies: ({ access }) => access === 'signature',
    async run(scene) {
      const before = await stateOf(scene);
      for (const nonsense of [
        'nonsense',
        'throw',
        'private{',
        '[]',
        'null',
        '{"reference":{}}',
        '{"report":"paid"}',
      ]) {
        const { text, status } = await scene.send(signed(nonsense));
        expect([400, 401, 422, 500, 503]).toContain(status);
        expect(text).not.toMatch(/secret-in-an-error|private|TypeError|SyntaxError/);
      }
      expect(await stateOf(scene)).toEqual(before);
    },
  },
];

/** Without limits, so that all checks of a route can share it. Those of all routes would fill its lists with thousands of orders. */
let shared: { row: RouteRow; service: Promise<WholeService> } | undefined;

/** More links than requests to them. */
const linkCount = 200;

async function sceneOf(row: RouteRow, settings: Check['settings']): Promise<Scene> {
  if (shared?.row !== row) shared = { row, service: createWholeService() };
  const service = await (settings ? createWholeService(settings) : shared.service);
  const { key, stored } = await service.keyOf(account);
  const mine = await service.place(key);
  const isOfConsole = row.access === 'session' || row.access === 'link';
  if (isOfConsole) {
    await service.addLinks(row.access === 'link' ? linkCount : 1);
    await service.logIn();
  }
  return {
    ...{ service, row, key, stored, mine },
    send(over = {}, about = mine) {
      const valid = row.valid(about, key);
      // Without its session, a request to the console would test little.
      const headers = { ...(isOfConsole && valid.headers), ...over.headers };
      return service.send({ ...valid, ...over, ...((over.headers || isOfConsole) && { headers }) });
    },
  };
}

const nameOf = ({ method, path }: RouteRow): string => `${method} ${path}`;

afterEach(() => vi.restoreAllMocks());

it('covers the routes of the contract and of the router', async () => {
  await createWholeService();
  const beside = (mounted.router?.routes ?? [])
    .filter(({ path }) => !path.endsWith('*'))
    .map(({ method, path }) => `${method === 'ALL' ? 'POST' : method} ${path}`);
  const ofInterface = Object.values(routes).map(
    ({ method, path }) => `${method} /api${path.replace(/\{(\w+)\}/g, ':$1')}`,
  );
  expect([...new Set([...beside, ...ofInterface])].sort()).toEqual(allRoutes.map(nameOf).sort());
  // A request to an operation is routed once.
  expect(beside.filter((name) => ofInterface.includes(name))).toEqual([]);
});

it('creates unguessable references in the simulated gateway', () => {
  const gateway = createSimulatedGateway({ clock: () => 0, random: secureRandom, pageUrl: String });
  const request = {
    ...{ orderId: 'INV-1', amount: 1, expiresAt: 1, items: [] },
    method: { code: 'QRIS', group: 'QRIS', name: 'QRIS' } as const,
    customer: { phone: '1', email: null, name: null },
  };
  const references = Array.from({ length: 500 }, () => gateway.createPayment(request).reference.slice(-22));
  expect(new Set(references).size).toBe(500);
  // Every one of the 22 characters is random: 34 to the power of 22 is over 2 to the power of 110.
  for (let at = 0; at < 22; at += 1)
    expect(new Set(references.map((one) => one[at])).size).toBeGreaterThan(25);
});

describe.each(allRoutes.map((row) => ({ row, name: nameOf(row) })))('$name', ({ row }) => {
  it.each(checks.filter(({ applies }) => applies(row)))('$risk: $holds', async ({ run, settings }) => {
    await run(await sceneOf(row, settings));
  });
});

it('shows the matrix on its page', async () => {
  const titles = Object.keys(risks);
  const marks = new Map(checks.map(({ risk, holds }) => [holds, risk]));
  const numbers = [...marks.keys()];
  const cells = (row: RouteRow): string =>
    titles
      .map((risk) => checks.filter((check) => check.risk === risk && check.applies(row)))
      .map((held) => held.map(({ holds }) => numbers.indexOf(holds) + 1).join(', ') || '–')
      .join(' | ');
  // Routes with the same tests share a line.
  const lines = [...Map.groupBy(allRoutes, cells)].map(
    ([held, rows]) => `| ${rows.map((row) => `\`${nameOf(row)}\``).join('<br>')} | ${held} |`,
  );
  const page = [
    '# What is tested for each route',
    '',
    'Each number is a test of that route. The columns are the [OWASP API security risks of 2023](https://owasp.org/API-Security/editions/2023/en/0x11-t10/).',
    'For auditors and contributors; `packages/server/test/owasp-matrix.test.ts` runs the tests and writes this page.',
    '',
    'A dash means that the risk does not arise there, or that no defence against it belongs to a single route.',
    '',
    `| route | ${titles.join(' | ')} |`,
    `|---|${titles.map(() => '---').join('|')}|`,
    ...lines,
    '',
    '| number | risk | what holds |',
    '|---|---|---|',
    ...[...marks].map(([holds, risk], index) => `| ${index + 1} | ${risk}: ${risks[risk]} | ${holds} |`),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../../docs/security-matrix.md');
});
