import type { DialectName } from '@topup-kit/mock';
import type { PaymentState } from '@topup-kit/sdk';
import type { Step } from './session.ts';

export type OrderState = Pick<PaymentState, 'order_id' | 'payment_status' | 'buy_status'>;

interface Session {
  seed: number;
  dialect: DialectName;
  steps: readonly Step[];
  /** Current state of each order, oldest order first. */
  orders: readonly OrderState[];
  /** The time of the sandbox clock, in unix milliseconds. */
  now: number;
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Formats a value as a JavaScript literal. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${/^\w+$/.test(name) ? name : quoted(name)}: ${literal(field)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** Formats a duration for `mock.clock.advance`: `1h30m`, `31m`, `4s`. */
function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  return parts.map(([number, unit]) => (number > 0 ? `${number}${unit}` : '')).join('');
}

/** Returns the code of a Vitest test that repeats the session on a new mock and expects the same states. */
export function toTestCode({ seed, dialect, steps, orders, now }: Session): string {
  const names = new Map(orders.map(({ order_id }, index) => [order_id, `order${index + 1}`]));
  const lines: string[] = [];
  let orderCount = 0;
  let at = steps[0]?.at ?? now;

  /** Advances the clock of the test to a time of the session. */
  function advanceTo(time: number): void {
    // Advances by whole seconds that have passed, because a delivery that was not due yet must not be due in the test.
    const seconds = Math.floor((time - at) / 1_000);
    if (seconds < 1) return;
    lines.push(`await mock.clock.advance(${quoted(duration(seconds))});`);
    at += seconds * 1_000;
  }

  const write: { [Kind in Step['kind']]: (step: Extract<Step, { kind: Kind }>) => void } = {
    order({ body, status }) {
      const call = `client.orders.create(\n  ${literal(body)},\n  { maxRetries: 0 },\n)`;
      if (status === 201) lines.push(`const order${++orderCount} = await ${call};`);
      else lines.push(`await expect(${call}).rejects.toMatchObject({ status: ${status} });`);
    },
    act: ({ action, orderId }) =>
      void lines.push(`await mock.orders.${action}(${names.get(orderId)}.orderId);`),
    // The next step advances the clock instead.
    advance() {},
    scenario: ({ name }) => void lines.push(`mock.scenarios.use(${quoted(name)});`),
    clear: () => void lines.push('mock.scenarios.clear();'),
  };
  for (const step of steps) {
    if (step.kind !== 'advance') advanceTo(step.at);
    // Safe: `write` has a function for each kind of step.
    (write[step.kind] as (step: Step) => void)(step);
  }
  advanceTo(now);
  if (steps.some(({ kind }) => kind === 'scenario')) lines.push('mock.scenarios.clear();');
  orders.forEach(({ payment_status, buy_status }, index) => {
    const number = index + 1;
    lines.push(
      `const { data: state${number} } = await client.invoices.paymentStatus(order${number}.orderId);`,
      `expect(state${number}).toMatchObject(${literal({ payment_status, buy_status })});`,
    );
  });
  const body = lines.join('\n').replace(/^(?=.)/gm, '  ');
  const isKit = dialect === 'kit';
  const options = isKit ? `{ seed: ${seed} }` : `{ seed: ${seed}, dialect: dialects[${quoted(dialect)}] }`;
  return `import { createTopupMock${isKit ? '' : ', dialects'} } from '@topup-kit/mock';
import { createTopupClient } from '@topup-kit/sdk';
import { expect, it } from 'vitest';

it('repeats a session of the sandbox', async () => {
  const mock = createTopupMock(${options});
  const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });

${body}
});
`;
}
