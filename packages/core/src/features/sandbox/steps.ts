import { paymentStatusView } from '../../app/views/order.ts';
import {
  type FieldRule,
  type Fields,
  failureReasons,
  operations,
  orderEventTypes,
  ours,
  parseDuration,
  type Scenario,
  sandboxScenarios,
} from '../../contract/index.ts';
import { actionsTo, sandboxActions } from './actions.ts';
import type { Control } from './control.ts';
import { invalidField } from './document.ts';
import type { Sandbox } from './sandbox.ts';
import { webhookFaults } from './webhooks.ts';

/** A kind of step in a file: a control, an action on an order, or an expectation. */
export type StepKind = Pick<Control, 'fields' | 'document' | 'returns' | 'run'>;

/** The error for an unmet expectation, with the expected and actual values. */
export class UnmetExpectation extends Error {
  override readonly name = 'UnmetExpectation';
  readonly params: { what: string; expected: string; actual: string };

  constructor(what: string, expected: unknown, actual: unknown) {
    super(`${what} should be ${expected}, but is ${actual}`);
    this.params = { what, expected: String(expected), actual: String(actual) };
  }
}

const anyOrder = ours.text('order', 'Id of the order, or its name from an earlier step: `$name`.', {});
const order = { ...anyOrder, required: true } as const;
const times = ours.integer('times', 'Expected number; default: at least one.', { min: 0 });
const status = ours.integer('status', 'Only entries with this status.', { min: 100, max: 599 });

const expectCount = (actual: number, expected: unknown): void => {
  if (expected === undefined ? actual === 0 : actual !== expected)
    throw new UnmetExpectation('times', expected ?? '1 or more', actual);
};

/** Tells whether an object has all expected values; its other properties don't matter. */
const matches = (actual: object, expected: Fields): boolean =>
  Object.entries(expected).every(([name, value]) => Reflect.get(actual, name) === value);

const step = (
  fields: readonly FieldRule[],
  run: (sandbox: Sandbox, input: Fields) => unknown,
  returns: readonly string[] = [],
): StepKind => ({ fields, returns, run: async (sandbox, input) => (await run(sandbox, input)) ?? {} });

const actions = sandboxActions.map((action) => [
  action,
  step(
    [order],
    async (sandbox, { order }) => paymentStatusView(await sandbox.act(String(order), action)).data,
    ['order_id'],
  ),
]);

/** Steps that are not controls: earlier routes of a sandbox, and expectations of a test. */
export const otherSteps: Readonly<Record<string, StepKind>> = {
  ...Object.fromEntries(actions),
  advance: step([ours.text('by', 'How far, such as `31m`.', { required: true })], async (sandbox, { by }) => {
    const duration = parseDuration(String(by));
    if (duration === undefined) throw invalidField('by', { rule: 'duration' });
    await sandbox.advance(duration);
  }),
  scenario: step(
    [ours.text('name', 'The scenario.', { required: true, options: Object.keys(sandboxScenarios) })],
    (sandbox, { name }) => sandbox.chooseScenario(name as Scenario), // Safe: the value is one of the options.
  ),
  reset: step([], (sandbox) => sandbox.reset()),
  'expect-order': step(
    [
      order,
      ours.text('state', 'Payment and delivery.', { text: 'trimmed', options: Object.keys(actionsTo) }),
      ours.text('failure_reason', 'Why its delivery failed.', { options: failureReasons }),
      ours.integer('quantity', 'Number of units.', { min: 1 }),
      ours.integer('total_price', 'What it costs.', { min: 0 }),
    ],
    async (sandbox, { order, ...expected }) => {
      const { paymentStatus, buyStatus, failureReason, pricing } = await sandbox.find(String(order));
      const { quantity, total_price } = pricing;
      const state = `${paymentStatus} / ${buyStatus}`;
      const actual = new Map(Object.entries({ quantity, total_price, failure_reason: failureReason, state }));
      for (const [name, value] of Object.entries(expected))
        if (actual.get(name) !== value) throw new UnmetExpectation(name, value, actual.get(name));
    },
  ),
  'expect-webhooks': step(
    [
      ours.text('type', 'Only events of this type.', { options: orderEventTypes }),
      anyOrder,
      status,
      ours.text('fault', 'Only events with this fault.', { options: webhookFaults }),
      times,
    ],
    async (sandbox, { order, times, ...expected }) => {
      // In the list of sent events, a failed receiver has the status null, like a lost event.
      await sandbox.webhooks.settled().catch(() => {});
      const found = sandbox.webhooks.sent.filter(
        (sent) =>
          matches(sent, expected) &&
          (sent.status !== null || sent.fault === 'lost') &&
          (order === undefined || sandbox.orderOfWebhook(sent.id) === order),
      );
      expectCount(found.length, times);
    },
  ),
  'expect-requests': step(
    [ours.text('operation', 'Only calls to this operation.', { options: operations }), status, times],
    (sandbox, { times, ...expected }) =>
      expectCount(sandbox.requests().filter((request) => matches(request, expected)).length, times),
  ),
};
