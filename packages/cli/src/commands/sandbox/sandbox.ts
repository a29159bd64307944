import {
  callScenarios,
  type GetPaymentStatusResponse,
  headers,
  parseDuration,
  suggestSimilar,
} from '@topup-kit/core/contract';
import { type SandboxAction, sandboxActions } from '@topup-kit/core/features/sandbox';
import { InvalidArgumentError } from 'commander';
import type { CommandContext } from '../../context.ts';
import { type Define, defineCommand, defineGroup } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { confirm, yesOption } from '../../input/prompts.ts';
import { clockAhead, readableTime } from '../../output/format.ts';
import { type OutputStyle, statusStyle } from '../../output/style.ts';
import { type Column, factList, list, table } from '../../output/table.ts';
import { shellWord } from '../../output/text.ts';
import { onSameStore } from '../../store/open.ts';
import { askWorld, type Controls, connectSandbox, type SandboxWorld } from './controls.ts';
import { describedCommands } from './described.ts';
import { requests } from './requests.ts';

const worldScreen = ({ now, ahead_ms, scenario, scenarios }: SandboxWorld): string => {
  const effect = scenarios[scenario];
  return list([
    ['Time', readableTime(now)],
    ['Clock', clockAhead(ahead_ms)],
    ['Scenario', effect === undefined ? scenario : `${scenario}: ${effect}`],
  ]);
};

/** Description of each action, and the states that allow it. */
const actions: Record<SandboxAction, { description: string; allowed: string }> = {
  pay: { description: 'Pay an order, as its customer would', allowed: 'UNPAID / Pending' },
  fail: { description: 'Make the payment of an order fail', allowed: 'UNPAID / Pending' },
  expire: { description: 'Expire an order now', allowed: 'UNPAID / Pending' },
  'pay-late': {
    description: 'Pay an order after its time to pay: the payment waits for an operator',
    allowed: 'UNPAID / Pending or EXPIRED / Batal',
  },
  'pay-wrong-amount': {
    description: 'Pay 1 less than the total, in the smallest unit: the payment waits for an operator',
    allowed: 'UNPAID / Pending',
  },
  'pay-again': {
    description: 'Pay an order again: the second payment waits for an operator',
    allowed: 'paid already',
  },
  'pay-unknown': {
    description: "Pay an order's total with an unknown reference",
    allowed: 'in any state',
  },
  deliver: { description: "Deliver an order's pending items now", allowed: 'PAID / Proses' },
  'fail-delivery': {
    description: "Make the delivery of an order's pending items fail",
    allowed: 'PAID / Proses',
  },
  'lose-delivery': {
    description: "Lose the outcome of an order's pending items",
    allowed: 'PAID / Proses, with items that are pending',
  },
  'contradict-delivery': {
    description: "Let the supplier contradict the outcome of an order's items",
    allowed: 'PAID / Sukses or PAID / Gagal',
  },
  refund: { description: 'Refund an order whose delivery failed', allowed: 'PAID / Gagal' },
};

/** Replaces the message of the service, because it may be in another language. */
function explainAction(error: unknown, action: SandboxAction, orderId: string, controls: Controls): unknown {
  if (!(error instanceof CliError)) return error;
  const { code } = error.details;
  const state = controls.commandLine(`orders show ${shellWord(orderId)}`);
  if (code === 'INVOICE_NOT_FOUND')
    return new CliError(`The sandbox has no order ${orderId}.`, error.details);
  if (code !== 'STATE_CONFLICT') return error;
  return new CliError(`${action} is not possible for ${orderId} in its current state.`, {
    ...error.details,
    exitCode: exitCodes.rejected,
    serverMessage: error.message,
    hint: `The order must be ${actions[action].allowed}. To show this one:\n  ${state}`,
  });
}

const waitingPayment: ReadonlySet<SandboxAction> = new Set([
  'pay-late',
  'pay-wrong-amount',
  'pay-again',
  'pay-unknown',
]);

const unclearDelivery: Partial<Record<SandboxAction, string>> = {
  'lose-delivery': 'The outcome is unknown until an operator finds it out.',
  'contradict-delivery': 'The order stays unchanged until an operator finds out which report is right.',
};

/** Returns the next steps after an action. Operators' commands use the sandbox's store. */
function nextSteps(
  context: CommandContext,
  action: SandboxAction,
  { order_id: orderId, buy_status }: GetPaymentStatusResponse['data'],
  controls: Controls,
): string | undefined {
  const onStore = onSameStore(context, {});
  if (waitingPayment.has(action)) {
    const dated =
      action === 'pay-late' ? ' Its time is the end of the time to pay, or now if that is over.' : '';
    return `The payment waits for an operator.${dated} On the sandbox's store:\n  ${onStore('payments list')}`;
  }
  const unclear = unclearDelivery[action];
  if (unclear !== undefined) {
    const commands = [
      `orders show ${orderId} --history`,
      `orders mark ${orderId} --delivered --note '<how you know>'`,
      `orders mark ${orderId} --failed --note '<how you know>'`,
    ];
    return `${unclear} On the sandbox's store:\n${commands.map((command) => `  ${onStore(command)}`).join('\n')}`;
  }
  if (buy_status !== 'Proses') return undefined;
  return `It is being delivered. To follow it:\n  ${controls.commandLine(`orders watch ${shellWord(orderId)}`)}`;
}

export const stateFields = {
  order_id: 'string',
  payment_status: 'string',
  buy_status: 'string',
  expired_time: 'integer',
} as const satisfies Record<keyof GetPaymentStatusResponse['data'], unknown>;

/** Performs an action on an order of a sandbox. Returns its state afterwards. */
export async function performAction(
  controls: Controls,
  action: SandboxAction,
  orderId: string,
): Promise<GetPaymentStatusResponse['data']> {
  const data = await controls
    .ask(`/orders/${encodeURIComponent(orderId)}/${action}`, stateFields, {})
    .catch((error: unknown) => {
      throw explainAction(error, action, orderId, controls);
    });
  return data as GetPaymentStatusResponse['data']; // Safe: the value was fitted to these fields.
}

async function act(context: CommandContext, action: SandboxAction, orderId: string): Promise<void> {
  const controls = await connectSandbox(context);
  const state = await performAction(controls, action, orderId);
  await context.print({
    document: state,
    ids: [state.order_id],
    screen: factList([
      ['Order', state.order_id],
      ['Payment', state.payment_status, statusStyle(state.payment_status)],
      ['Delivery', state.buy_status, statusStyle(state.buy_status)],
    ]),
  });
  const next = nextSteps(context, action, state, controls);
  if (next !== undefined) context.remark(`\n${next}`);
}

const defineAction = (action: SandboxAction): Define =>
  defineCommand({
    name: action,
    description: actions[action].description,
    build: (command) =>
      command.argument('<order-id>', `id of an order that is ${actions[action].allowed}`, readOrderId),
    example: `sandbox ${action} INV-20260329093000-ABCDEFGH`,
    run: (context, _options, orderId) => act(context, action, orderId),
  });

const showStatus = defineCommand({
  name: 'status',
  description: "Show the sandbox's time and scenario",
  example: 'sandbox status',
  async run(context) {
    const world = await askWorld(await connectSandbox(context), '');
    await context.print({ document: world, screen: () => worldScreen(world) });
  },
});

function duration(text: string): string {
  if (parseDuration(text) === undefined)
    throw new InvalidArgumentError('Give a duration such as 30s, 31m, 24h, 3d or 1h30m.');
  return text;
}

const advance = defineCommand({
  name: 'advance',
  description: "Move the sandbox's clock ahead, and do the due work",
  build: (command) =>
    command.argument('<duration>', 'how far, in d, h, m and s, such as 31m, 3d or 1h30m', duration),
  example: 'sandbox advance 31m',
  async run(context, _options, by) {
    const world = await askWorld(await connectSandbox(context), '/advance', { by });
    await context.print({ document: world, screen: () => worldScreen(world) });
  },
});

const columns: Column[] = [{ title: 'SCENARIO' }, { title: 'WHAT HAPPENS', long: true }, { title: 'NOW' }];

const scenarioTable = ({ scenario, scenarios }: SandboxWorld, style: OutputStyle): string =>
  table(
    columns,
    Object.entries(scenarios).map(([name, effect]) => [name, effect, name === scenario ? 'on' : '']),
    style,
  );

const choose = (name: string, controls: Controls): Promise<SandboxWorld> =>
  askWorld(controls, '/scenario', { name }).catch(async (error: unknown) => {
    if (!(error instanceof CliError) || error.details.code !== 'VALIDATION_ERROR') throw error;
    const { scenarios } = await askWorld(controls, '');
    const near = suggestSimilar(name, Object.keys(scenarios)).join(' or ');
    throw usageError(
      `There is no scenario ${name}.`,
      `${near && `Did you mean ${near}? `}This lists them:\n  ${controls.commandLine('sandbox scenario')}`,
    );
  });

const scenario = defineCommand({
  name: 'scenario',
  description: 'Simulate a fault; without a name, list the scenarios',
  build: (command) =>
    command.argument('[scenario]', 'name of the scenario, such as slow or offline; none ends it'),
  help: `A scenario affects all requests until you choose another. For a single request,
name one or more in the header ${headers.scenario}, separated by commas:
${Object.keys(callScenarios).join(', ')}; none adds none.`,
  example: 'sandbox scenario supplier-down',
  async run(context, _options, name) {
    const controls = await connectSandbox(context);
    const world = name === undefined ? await askWorld(controls, '') : await choose(name, controls);
    await context.print({
      document: world,
      screen: (style) => (name === undefined ? scenarioTable(world, style) : worldScreen(world)),
    });
    if (name === undefined)
      context.remark(`\nTo choose one:\n  ${controls.commandLine('sandbox scenario <scenario>')}`);
  },
});

const reset = defineCommand({
  name: 'reset',
  description: 'Delete all orders, reset the clock and end any scenario; catalogue and keys stay',
  build: (command) => command.option(...yesOption),
  example: 'sandbox reset --yes',
  async run(context, { yes }) {
    const controls = await connectSandbox(context);
    const consequence = `A reset deletes all orders of the sandbox at ${controls.root}.`;
    await confirm(context, { yes, consequence });
    const world = await askWorld(controls, '/reset', {});
    await context.print({ document: world, screen: () => worldScreen(world) });
  },
});

export const noun = defineGroup(
  `These commands contact a running server in sandbox mode, at /sandbox next to its
base URL. A live server has no such routes.`,
  [
    showStatus,
    ...sandboxActions.map(defineAction),
    ...[advance, scenario, ...describedCommands, requests, reset],
  ],
);
