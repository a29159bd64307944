import { sandboxScenarios } from '@topup-kit/core/contract';
import { requestCode, sandboxActionRoutes, sandboxActions } from '@topup-kit/core/features/sandbox';
import * as z from 'zod';
import { sandboxKey } from '../../service/connection.ts';
import { askRequest, askRequests } from '../sandbox/ask-requests.ts';
import { askWorld, type SandboxWorld } from '../sandbox/controls.ts';
import { performAction } from '../sandbox/sandbox.ts';
import type { ReadySandbox, SandboxAccess } from './access.ts';
import { describedTools } from './described-tools.ts';
import { defineTool } from './tool.ts';

/** Formats effects: `pay: the gateway reports that the order was paid; ...`. */
const effectsByName = (effects: Iterable<readonly [string, string]>): string =>
  [...effects].map(([name, effect]) => `${name}: ${effect}`).join('; ');

const actOnOrder = defineTool({
  name: 'act_on_order',
  title: 'Pay, deliver or fail an order',
  description: `Does what the customer, the payment gateway or the supplier does with an order, and returns its new state. ${effectsByName(
    sandboxActionRoutes.map(({ path, effect }) => [path.slice(path.lastIndexOf('/') + 1), effect]),
  )}.`,
  input: {
    order_id: z.string().describe('Id of the order.'),
    action: z.enum(sandboxActions).describe('The action. A paid order is delivered two seconds later.'),
  },
  output: { order_id: z.string(), payment_status: z.string(), buy_status: z.string() },
  effect: 'changes',
  async run({ order_id, action }, sandbox) {
    const { controls } = await sandbox.ready();
    return { ...(await performAction(controls, action, order_id)) };
  },
});

const worldOutput = { now: z.string(), ahead_ms: z.number(), scenario: z.string() };

const worldResult = ({ now, ahead_ms, scenario }: SandboxWorld) => ({ now, ahead_ms, scenario });

const moveClock = defineTool({
  name: 'move_clock',
  title: 'Move the clock',
  description:
    "Moves the sandbox's clock ahead, and does the work that falls due in that time: orders expire, items are delivered, promo codes end. Only reset_sandbox sets it back.",
  input: { by: z.string().describe('How far, in d, h, m and s: 31m, 24h, 3d, 1h30m.') },
  output: worldOutput,
  effect: 'changes',
  async run({ by }, sandbox) {
    const { controls } = await sandbox.ready();
    return worldResult(await askWorld(controls, '/advance', { by }));
  },
});

const scenarioNames = Object.keys(sandboxScenarios) as (keyof typeof sandboxScenarios)[]; // Safe: the table is constant.

const chooseScenario = defineTool({
  name: 'choose_scenario',
  title: 'Simulate a fault',
  description: `Simulates a fault for all requests until another is chosen. ${effectsByName(Object.entries(sandboxScenarios))}.`,
  input: { scenario: z.enum(scenarioNames).describe('The fault, or none to end it.') },
  output: worldOutput,
  effect: 'changes',
  async run({ scenario }, sandbox) {
    const { controls } = await sandbox.ready();
    return worldResult(await askWorld(controls, '/scenario', { name: scenario }));
  },
});

const resetSandbox = defineTool({
  name: 'reset_sandbox',
  title: 'Start again',
  description:
    'Deletes all orders of the sandbox, sets its clock to real time and ends the simulated fault. The list of requests stays.',
  input: {},
  output: worldOutput,
  effect: 'deletes',
  async run(_input, sandbox) {
    const { controls } = await sandbox.ready();
    return worldResult(await askWorld(controls, '/reset', {}));
  },
});

/** Returns the address and key for code that calls the sandbox. For a secret key, returns only its source. */
const addressOf = ({ connection }: ReadySandbox, { isOurs }: SandboxAccess) => ({
  base_url: connection.baseUrl,
  ...(connection.apiKey === sandboxKey
    ? { api_key: sandboxKey, api_key_from: null }
    : { api_key: null, api_key_from: connection.keySource }),
  ends_with_this_session: isOurs,
});

const sandboxStatus = defineTool({
  name: 'sandbox_status',
  title: 'Show the sandbox',
  description:
    "Shows the base URL and the key for code that calls the sandbox, its time, and the simulated fault. It doesn't show a secret key: api_key_from says where the key comes from.",
  input: {},
  output: {
    base_url: z.string(),
    api_key: z.string().nullable(),
    api_key_from: z.string().nullable(),
    ends_with_this_session: z.boolean(),
    ...worldOutput,
  },
  effect: 'reads',
  async run(_input, sandbox) {
    const ready = await sandbox.ready();
    return { ...addressOf(ready, sandbox), ...worldResult(ready.world) };
  },
});

const requestFacts = {
  number: z.number(),
  method: z.string(),
  target: z.string(),
  status: z.number().nullable(),
  error_code: z.string().nullable(),
  order_id: z.string().nullable(),
};

const listRequests = defineTool({
  name: 'list_requests',
  title: 'List the last requests',
  description:
    'Lists the last requests that any program sent to the interface of the sandbox, newest first, with status and error code. show_request shows one. A status of null means that the sandbox cut the connection on purpose.',
  input: {
    limit: z.int().min(1).max(500).default(20).describe('How many at most.'),
    after: z.int().min(0).default(0).describe('Only requests after the one with this number.'),
  },
  output: { requests: z.array(z.looseObject(requestFacts)) },
  effect: 'reads',
  async run({ limit, after }, sandbox) {
    const { controls } = await sandbox.ready();
    const entries = await askRequests(controls, `limit=${limit}&after=${after}`);
    return {
      requests: entries.map(({ request: _request, response: _response, ...entry }) => entry),
    };
  },
});

const showRequest = defineTool({
  name: 'show_request',
  title: 'Show a request',
  description:
    'Shows a request with headers and bodies, and code that sends it again: as a curl command, as a call of the SDK, and as a test with the mock.',
  input: { number: z.int().min(1).describe('Number of the request, from list_requests.') },
  output: {
    ...requestFacts,
    request: z.looseObject({ body: z.string() }),
    response: z.looseObject({ body: z.string() }),
    code: z.object({
      curl: z.string().nullable(),
      sdk: z.string().nullable(),
      mockTest: z.string().nullable(),
    }),
  },
  effect: 'reads',
  async run({ number }, sandbox) {
    const { controls, connection } = await sandbox.ready();
    const entry = await askRequest(controls, number);
    return { ...entry, code: requestCode(entry, { baseUrl: connection.baseUrl, mode: 'sandbox' }) };
  },
});

export const sandboxTools = [
  sandboxStatus,
  actOnOrder,
  moveClock,
  chooseScenario,
  ...describedTools,
  resetSandbox,
  listRequests,
  showRequest,
];
