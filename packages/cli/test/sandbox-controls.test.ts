import { controls, sandboxActions } from '@topup-kit/core/features/sandbox';
import { createTopupMock } from '@topup-kit/mock';
import type { RunningServer } from '@topup-kit/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Assistant, openTools } from './helpers/mcp.ts';
import { run } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

let server: RunningServer;
let tools: Assistant;
beforeAll(async () => {
  server = await startSandbox();
  tools = await openTools({ TOPUP_BASE_URL: server.baseUrl });
});
afterAll(async () => {
  await tools[Symbol.asyncDispose]();
  await server.close();
});
beforeEach(() => tools.call('reset_sandbox'));

const sandbox = (...args: string[]) => run(['sandbox', ...args, '--base-url', server.baseUrl]);

/** One thing that a test does, in each of the tools that it is written with; null where a tool shows it with another one. */
interface Row {
  mock: string;
  route: string;
  command: string;
  tool: string;
  form: string;
}

const camelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const ofActions: Row[] = sandboxActions.map((action) => ({
  mock: `orders.${camelCase(action)}`,
  route: `POST /sandbox/orders/INV-1/${action}`,
  command: action,
  tool: 'act_on_order',
  form: '/orders/INV-1/sandbox',
}));

const scenario = {
  route: 'POST /sandbox/scenario',
  command: 'scenario',
  tool: 'choose_scenario',
  form: '/sandbox/scenario',
};

/** What was there before controls were described once. */
const earlier: Row[] = [
  ...ofActions,
  {
    ...{ mock: 'clock.advance', route: 'POST /sandbox/advance', command: 'advance' },
    ...{ tool: 'move_clock', form: '/sandbox/advance' },
  },
  { mock: 'clock.now', route: 'GET /sandbox', command: 'status', tool: 'sandbox_status', form: '/sandbox' },
  { mock: 'scenarios.use', ...scenario },
  { mock: 'scenarios.clear', ...scenario },
  {
    ...{ mock: 'scenarios.active', route: 'GET /sandbox', command: 'status' },
    ...{ tool: 'sandbox_status', form: '/sandbox' },
  },
  {
    ...{ mock: 'reset', route: 'POST /sandbox/reset', command: 'reset' },
    ...{ tool: 'reset_sandbox', form: '/sandbox/reset' },
  },
  {
    ...{ mock: 'requests', route: 'GET /sandbox/requests', command: 'requests' },
    ...{ tool: 'list_requests', form: '/sandbox/requests' },
  },
];

const described: Row[] = Object.entries(controls).map(([name, { method, mock }]) => ({
  mock,
  route: `${method} /sandbox/${name}`,
  command: name,
  tool: (method === 'GET' ? `show_${name}` : name).replaceAll('-', '_'),
  form: method === 'GET' ? '/sandbox' : `/sandbox/${name}`,
}));

const rows = [...earlier, ...described];

/** What a mock has under another name, or what can't be done from outside of its process. */
const exceptions: Readonly<Record<string, string>> = {
  override: 'a function can not travel; a fault with an error does what its data does',
  fetch: 'a sandbox is called over HTTP',
  server: 'sets up MSW',
  worker: 'sets up MSW',
  handlers: 'sets up MSW',
  baseUrl: 'a setting',
  apiKey: 'a setting',
  otherApiKey: 'a setting',
  seed: 'a setting',
  latency: 'the delay of a fault',
  portability: 'a report on the calls of a test, which changes nothing',
  'faults.clear': 'remove-fault without an id',
  'webhooks.on': 'a function can not travel; add-webhook sends to a URL',
  'webhooks.secret': 'shown by webhooks',
  'webhooks.receivers': 'shown by webhooks',
};

/** What a mock lets a test do and see: `orders.pay`. */
function controlsOfMock(): string[] {
  const mock = createTopupMock();
  const nested = ['orders', 'clock', 'scenarios', 'faults', 'webhooks', 'catalog'];
  return Object.keys(mock).flatMap((name) =>
    nested.includes(name) ? Object.keys(Reflect.get(mock, name)).map((inner) => `${name}.${inner}`) : [name],
  );
}

describe('the same controls everywhere', () => {
  it('offers the same controls in the mock and in a sandbox', () => {
    const named = [...new Set([...rows.map(({ mock }) => mock), ...Object.keys(exceptions)])];
    expect(named.toSorted()).toEqual(controlsOfMock().toSorted());
  });

  it('offers a route, a command and a tool for each control', async () => {
    const { tools: listed } = await tools.client.listTools();
    const names = listed.map(({ name }) => name);
    const help = (await sandbox('--help')).stdout;
    for (const { route, command, tool } of rows) {
      const [method = '', path = ''] = route.split(' ');
      const { status, headers } = await fetch(server.localUrl + path, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      });
      expect([route, headers.get('X-Error-Code') === 'ROUTE_NOT_FOUND', status === 405]).toEqual([
        route,
        false,
        false,
      ]);
      expect(help).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
      expect(names).toContain(tool);
    }
  });

  it('offers a form in the console for each control', async () => {
    for (const { form } of rows) {
      const { status } = await fetch(`${server.localUrl}/console${form}`);
      expect([form, status]).toEqual([form, 200]);
    }
  });

  it('has no other command and no other tool for a sandbox', async () => {
    const help = (await sandbox('--help')).stdout;
    const commands = [...help.matchAll(/^ {2}([a-z][a-z-]*)(?: |$)/gm)].map(([, name]) => name);
    const known = rows.map(({ command }) => command);
    expect(commands.filter((name) => name !== 'help' && !known.includes(name ?? ''))).toEqual([]);
  });
});
