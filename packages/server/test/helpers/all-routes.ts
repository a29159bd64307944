import { routes, type Scope } from '@topup-kit/core/contract';
import { controls, sandboxActions } from '@topup-kit/core/features/sandbox';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { signed } from '../../../core/test/helpers/providers.ts';
import { sessionCookie } from '../../src/features/console/access.ts';
import { styleFile } from '../../src/features/console/files.ts';
import { fixtureOrder } from './sandbox.ts';
import {
  consoleSecret,
  consoleToken,
  controlKey,
  linkSecret,
  metricsToken,
  type Sent,
} from './whole-service.ts';

/** What a request is about: an order, and the page of its payment. */
export interface Subject {
  orderId: string;
  reference: string;
}

/** A route of a server, and what may be expected of it. */
export interface RouteRow {
  /** As the router has it. */
  method: 'GET' | 'POST';
  path: string;
  /**
   * Who may send it. `key`: a key with the scope; `control`: the sandbox's own key; `signature`: anybody who can sign it; `token`:
   * anybody with the token of the metrics; `page`: the page that it belongs to; `session`: an operator who is logged in to the console;
   * `link`: anybody with a link to the console; `anybody`.
   */
  access: 'key' | 'control' | 'signature' | 'token' | 'page' | 'session' | 'link' | 'anybody';
  scope?: Scope;
  /** What its path names, if that belongs to somebody. */
  names?: 'order' | 'payment';
  body?: 'json' | 'signed';
  /** The rate limit that it counts against. */
  limit: 'key' | 'address' | null;
  /** The content type of a success. */
  type: 'json' | 'html' | 'svg' | 'css' | 'text' | 'none';
  /** Whether it rejects properties that it does not know. */
  isStrict?: true;
  /** Only in a sandbox. */
  sandboxOnly?: true;
  /** A valid request. */
  valid: (subject: Subject, key: string) => Sent;
}

const interfaceRoutes = Object.values(routes).map((route): RouteRow => {
  const body = 'body' in route.example ? route.example.body : undefined;
  return {
    method: route.method,
    path: `/api${route.path.replace(/\{(\w+)\}/g, ':$1')}`,
    access: 'key',
    scope: route.scope,
    limit: 'key',
    type: 'json',
    ...(route.path.includes('{order_id}') && { names: 'order' as const }),
    ...(body && { body: 'json' as const }),
    valid: ({ orderId }, key) => ({
      method: route.method,
      path: `/api${route.path.replace('{order_id}', orderId).replace('{slug}', 'mobile-legends')}`,
      key,
      body,
    }),
  };
});

const described = Object.entries(controls).map(([name, one]) => ({ ...one, path: `/sandbox/${name}` }));

const readControls = [
  '/sandbox',
  '/sandbox/requests',
  ...described.filter(({ method }) => method === 'GET').map(({ path }) => path),
];

/** Valid in any sandbox. */
const controlBodies: Readonly<Record<string, object>> = {
  '/sandbox/add-fault': { delay: '1ms', times: 1 },
  '/sandbox/create-order': fixtureOrder,
  '/sandbox/trigger': { event: 'order.paid' },
  '/sandbox/play': { steps: [{ do: 'trigger', event: 'order.paid' }] },
  '/sandbox/restore': { id: 1 },
  '/sandbox/seed': { format: 'topup-kit/seed@1' },
  '/sandbox/replace-catalog': { document: JSON.stringify(sandboxCatalogFile) },
  '/sandbox/add-webhook': { url: 'http://127.0.0.1:9/hooks' },
  '/sandbox/fault-webhook': { fault: 'twice' },
  '/sandbox/resend-webhook': { id: 'evt_1' },
};

const control = (path: string, body: object | undefined, names?: 'order'): RouteRow => ({
  method: readControls.includes(path) ? 'GET' : 'POST',
  path,
  access: 'control',
  limit: null,
  type: 'json',
  sandboxOnly: true,
  ...(names && { names }),
  ...(body && { body: 'json' as const }),
  valid: ({ orderId }) => ({
    method: readControls.includes(path) ? 'GET' : 'POST',
    path: path.replace(':order_id', orderId),
    key: controlKey,
    body,
  }),
});

const open = (path: string, over: Partial<RouteRow> = {}, sent: Partial<Sent> = {}): RouteRow => ({
  method: 'GET',
  path,
  access: 'anybody',
  limit: null,
  type: 'json',
  valid: ({ reference }) => ({
    method: over.method ?? 'GET',
    path: path
      .replace(':reference', reference)
      .replace(
        ':file',
        path.includes('products') ? '901.svg' : path.includes('methods') ? '12.svg' : 'mobile-legends.svg',
      ),
    ...sent,
  }),
  ...over,
});

const callback = (path: string, provider: string): RouteRow => ({
  method: 'POST',
  path,
  access: 'signature',
  body: 'signed',
  limit: null,
  type: 'json',
  valid: () => ({ method: 'POST', path: path.replace(':provider', provider), ...signed('ping') }),
});

const ofConsole = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' };

/** A route of the console for those who are logged in. What its path names need not be there. */
const session = (method: RouteRow['method'], path: string): RouteRow => ({
  method,
  path,
  access: 'session',
  limit: null,
  // Its success leads elsewhere.
  type: path.endsWith('/live')
    ? 'json'
    : path.endsWith('/logout')
      ? 'none'
      : path.endsWith('.csv')
        ? 'text'
        : 'html',
  valid: ({ orderId }) => ({
    method,
    path: path.replaceAll(/:order\w*/g, orderId).replaceAll(/:\w+/g, '1'),
    headers: { ...ofConsole, Cookie: `${sessionCookie}=${consoleSecret}` },
    ...(method === 'POST' && { body: `token=${consoleToken}&note=why` }),
  }),
});

let links = 0;

/** A route with a link to the console; each request has a new one. */
const link = (method: RouteRow['method']): RouteRow => ({
  method,
  path: '/console/login/:secret',
  access: 'link',
  limit: 'address',
  type: method === 'GET' ? 'html' : 'none',
  valid: () => ({ method, path: `/console/login/${linkSecret(links++)}`, headers: ofConsole }),
});

/** The rows of the console's routes, by the router's own list: all but those listed here need a session. */
export const consoleRoutes = (routes: readonly { method: string; path: string }[]): RouteRow[] => {
  const open: RouteRow[] = [link('GET'), link('POST'), file];
  const isListed = ({ method, path }: { method: string; path: string }): boolean =>
    open.some((row) => row.method === method && row.path === path);
  const inSession = routes.filter(
    (route) => /^\/console(\/|$)/.test(route.path) && !route.path.endsWith('*') && !isListed(route),
  );
  return [...open, ...inSession.map(({ method, path }) => session(method === 'POST' ? 'POST' : 'GET', path))];
};

const file = open(
  '/console/files/:file',
  { limit: 'address', type: 'css' },
  { path: `/console${styleFile.path}`, headers: ofConsole },
);

const payment = { names: 'payment', limit: 'address' } as const;

/** Every route of a server but those of the console. A test compares them with the router's own list. */
export const allRoutes: RouteRow[] = [
  ...interfaceRoutes,
  ...readControls.map((path) => control(path, undefined)),
  ...sandboxActions.map((action) => control(`/sandbox/orders/:order_id/${action}`, undefined, 'order')),
  control('/sandbox/advance', { by: '1s' }),
  control('/sandbox/scenario', { name: 'none' }),
  ...described
    .filter(({ method }) => method === 'POST')
    .map(({ path }) => ({ ...control(path, controlBodies[path] ?? {}), isStrict: true as const })),
  control('/sandbox/reset', undefined),
  callback('/callback/:provider', 'paygate'),
  callback('/:provider/webhook', 'depot'),
  open('/pay/:reference', { ...payment, type: 'html' }),
  open('/pay/:reference/status', payment),
  open('/pay/:reference/qr.svg', { ...payment, type: 'svg' }),
  ...['pay', 'fail', 'expire'].map((action) =>
    open(`/pay/:reference/${action}`, {
      ...payment,
      ...{ method: 'POST', access: 'page', type: 'none', sandboxOnly: true },
    }),
  ),
  ...['games', 'banners', 'products', 'payment-methods'].map((folder) =>
    open(`/assets/${folder}/:file`, { limit: 'address', type: 'svg' }),
  ),
  open('/', { limit: 'address', type: 'html' }, { headers: { Accept: 'text/html' } }),
  open('/docs', { limit: 'address', type: 'html' }),
  open('/openapi.json', { limit: 'address' }),
  open('/health'),
  open('/livez'),
  open('/readyz'),
  open(
    '/metrics',
    { access: 'token', type: 'text' },
    { headers: { Authorization: `Bearer ${metricsToken}` } },
  ),
];
