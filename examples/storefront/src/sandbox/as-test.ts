import type { DialectName } from '@topup-kit/mock';
import type { PaymentState } from '@topup-kit/sdk';
import type { Step } from './session.ts';

export type Seen = Pick<PaymentState, 'order_id' | 'payment_status' | 'buy_status'>;

interface Session {
  seed: number;
  dialect: DialectName;
  steps: readonly Step[];
  /** Each order in the order of their making, as it stands now. */
  orders: readonly Seen[];
  /** World time, in unix milliseconds. */
  now: number;
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A value as one would write it. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, one]) => `${/^\w+$/.test(name) ? name : quoted(name)}: ${literal(one)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** `1h30m`, `31m`, `4s`: as the clock takes it, and never less than it was. */
function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  return parts.map(([number, unit]) => (number > 0 ? `${number}${unit}` : '')).join('');
}

/** A Vitest test that does again what was done, over a mock of its own, and expects what came of it. */
export function asTest({ seed, dialect, steps, orders, now }: Session): string {
  const names = new Map(orders.map(({ order_id }, place) => [order_id, `order${place + 1}`]));
  const lines: string[] = [];
  let made = 0;
  let at = steps[0]?.at ?? now;

  /** Time that went by, by itself or moved on by hand. */
  function catchUp(moment: number): void {
    const passed = moment - at;
    if (passed < 1_000) return;
    lines.push(`await mock.clock.advance(${quoted(duration(passed))});`);
    at = moment;
  }

  const write: { [Kind in Step['kind']]: (step: Extract<Step, { kind: Kind }>) => void } = {
    order({ body, status }) {
      const call = `client.orders.create(\n  ${literal(body)},\n  { maxRetries: 0 },\n)`;
      if (status === 201) lines.push(`const order${++made} = await ${call};`);
      else lines.push(`await expect(${call}).rejects.toMatchObject({ status: ${status} });`);
    },
    act: ({ action, orderId }) =>
      void lines.push(`await mock.orders.${action}(${names.get(orderId)}.orderId);`),
    // The step after it finds that time went by.
    advance() {},
    scenario: ({ name }) => void lines.push(`mock.scenarios.use(${quoted(name)});`),
    clear: () => void lines.push('mock.scenarios.clear();'),
  };
  for (const step of steps) {
    if (step.kind !== 'advance') catchUp(step.at);
    // safe: the writer of the step's own kind
    (write[step.kind] as (step: Step) => void)(step);
  }
  catchUp(now);
  if (steps.some(({ kind }) => kind === 'scenario')) lines.push('mock.scenarios.clear();');
  orders.forEach(({ payment_status, buy_status }, place) => {
    lines.push(
      `const { data: state${place + 1} } = await client.invoices.paymentStatus(order${place + 1}.orderId);`,
      `expect(state${place + 1}).toMatchObject(${literal({ payment_status, buy_status })});`,
    );
  });
  const body = lines.join('\n').replace(/^(?=.)/gm, '  ');
  const isKit = dialect === 'kit';
  const options = isKit ? `{ seed: ${seed} }` : `{ seed: ${seed}, dialect: dialects[${quoted(dialect)}] }`;
  return `import { createTopupMock${isKit ? '' : ', dialects'} } from '@topup-kit/mock';
import { createTopupClient } from '@topup-kit/sdk';
import { expect, it } from 'vitest';

it('does again what was done in the sandbox', async () => {
  const mock = createTopupMock(${options});
  const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });

${body}
});
`;
}
