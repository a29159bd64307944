import { userInfo } from 'node:os';
import type { Reconciliation } from '@topup-kit/core/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { hurriedClock } from '../../../test/hurry.ts';
import { fakeTerminal } from './helpers/fake-terminal.ts';
import { steady } from './helpers/order.ts';
import { ownStore } from './helpers/own-store.ts';
import { run, start, until } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

/** An order of which two of three items were delivered, and one that is unpaid. */
let partly: string;
let unpaid: string;
const own = ownStore(async (path) => {
  await using server = await startSandbox(`file:${path}`, { realClock: hurriedClock() });
  const asked = (...args: string[]) => run([...args, '--base-url', server.baseUrl]);
  const place = async () => JSON.parse((await asked(...order, '--json')).stdout).orderId;
  partly = await place();
  await asked('sandbox', 'pay', partly);
  await asked('sandbox', 'advance', '1m');
  unpaid = await place();
});

const onStore = (args: string[], environment: Record<string, string> = {}) =>
  run(['orders', ...args], { environment: { TOPUP_STORE: own.url, ...environment } });
const json = async (...args: string[]) => JSON.parse((await onStore([...args, '--json'])).stdout);

/** Three of 22,000 by a QRIS that costs 750 and 0.7 %: Rp 67,212. The second item of this player fails. */
const order = [
  ...['orders', 'create', '--game', 'mobile-legends', '--product', '901', '--payment-method', '22'],
  ...['--id', '900000002', '--server', '2012', '--whatsapp', '081234567890', '--quantity', '3'],
];

describe('orders refund of a partly delivered order', () => {
  let orderId: string;
  beforeEach(() => {
    orderId = partly;
  });

  it('shows a refund in a dry run without a note, but requires a note otherwise', async () => {
    const dry = await onStore(['refund', orderId, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('Rp 22,404') });
    expect(await onStore(['refund', orderId, '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--note is missing'),
    });
    expect(await json('show', orderId, '--history')).toMatchObject({ refunds: [] });
  });

  it('shows the delivered units and the amount, and asks before it records the refund', async () => {
    const refund = ['refund', orderId, '--note', 'no such player'];
    const dry = await onStore([...refund, '--dry-run']);
    expect(steady(dry.stdout)).toBe(`<order id> would be REFUND / Gagal.

  Paid            Rp 67,212
  Delivered       items 1, 3
  Not delivered   item 2
  Refund          Rp 22,404
  To pay by hand  Rp 22,404
`);
    const terminal = fakeTerminal();
    const { code } = start(['orders', ...refund], {
      ...{ terminal, environment: { TOPUP_STORE: own.url } },
    });
    await until(() => terminal.shown().includes('Go on?'));
    expect(steady(terminal.shown()).replaceAll(/[\s│]+/g, ' ')).toContain(
      '<order id>: 2 of its 3 items were delivered (1, 3), and 1 was not (2). Rp 22,404 of the Rp 67,212 that was paid will be recorded as refunded',
    );
    await terminal.answer('Go on?', 'n');
    expect(await code).toBe(1);
    expect(await json('refunds')).toEqual({ refunds: [], to_pay: 0 });
  });

  it('records a partial refund with its operator, and lists it until it is paid', async () => {
    const done = await onStore(['refund', orderId, '--note', 'stock', '--by', 'ani', '--yes']);
    expect(done.stderr).toContain(
      `pay Rp 22,404 back to the customer yourself. Then record it:\n  topup refunds paid ${orderId}-R1 --reference '<how>'\n`,
    );
    const recorded = {
      ...{
        refund_id: `${orderId}-R1`,
        order_id: orderId,
        amount: 22_404,
        units: [2],
        by: 'ani',
        note: 'stock',
      },
      created_at: expect.any(String),
    };
    const toPay = { state: 'to-pay', reference: null, closed_at: null, closed_by: null };
    const shown = await json('show', orderId, '--history');
    expect(shown.refunds).toEqual([{ ...recorded, ...toPay }]);
    expect(shown.history.at(-1)).toMatchObject({
      ...{ event: 'refunded', by: 'operator', operator: 'ani', note: 'stock', amount: 22_404 },
    });
    const listed = await json('refunds');
    expect(listed).toEqual({
      refunds: [
        {
          ...{ ...recorded, ...toPay, contradicted: false },
          contact: { whatsapp: '081234567890', email: null },
        },
      ],
      to_pay: 22_404,
    });
    const text = await onStore(['refunds']);
    expect(steady(text.stdout)).toBe(`  Refund    <order id>-R1
  Amount    Rp 22,404
  For       item 2
  Customer  081234567890
  Decided   by ani, <time>
  Note      stock
  State     to pay
`);
    expect(text.stderr).toContain('1 refund to pay, Rp 22,404 in all.');

    const tick = ['refunds', '--paid', `${orderId}-R1`, '--reference', 'BCA 7781', '--by', 'budi'];
    expect(await onStore(tick)).toMatchObject({ code: 2, stderr: expect.stringContaining('under BCA 7781') });
    expect((await onStore([...tick, '--dry-run'])).stdout).toContain('BCA 7781');
    expect(await json('refunds')).toEqual(listed);
    const paid = { state: 'paid', reference: 'BCA 7781', closed_by: 'budi', closed_at: expect.any(String) };
    expect(await json(...tick, '--yes')).toEqual({ ...recorded, ...paid });
    expect(await json('refunds')).toEqual({ refunds: [], to_pay: 0 });
    expect((await json('refunds', '--all')).refunds).toMatchObject([{ ...recorded, ...paid }]);
    expect(await onStore([...tick, '--yes'])).toMatchObject({
      ...{ code: 6, stderr: expect.stringContaining('is already paid by budi') },
    });
    const history = (await onStore(['show', orderId, '--history'])).stdout;
    expect(history).toMatch(/refunded {5}ani +PAID \/ Gagal → REFUND \/ Gagal/);
    expect(history).toContain('Rp 22,404');
    expect(history).toMatch(/State {6}paid by budi, .*\n {2}Reference {2}BCA 7781\n/);
  });

  it.each([
    [['--all'], 67_212, 'That is Rp 44,808 more than the amount owed for undelivered items (Rp 22,404).'],
    [['--amount', '30000'], 30_000, 'That is Rp 7,596 more than the amount owed'],
    [['--amount', '5'], 5, 'That is Rp 22,399 less than the amount owed'],
    [['--amount', '22404'], 22_404, ''],
  ])('refunds the amount of %j, and compares it with the owed amount', async (flags, amount, words) => {
    const refund = ['refund', orderId, '--note', 'x', ...flags];
    expect((await onStore(refund)).stderr).toContain(words);
    const dry = await onStore([...refund, '--dry-run']);
    const stderr = dry.stderr.replace('This command is now topup refunds create.\n', '');
    expect(stderr).toBe(
      `${words === '' ? '' : `${stderr.split('\n')[0]}\n`}Nothing was changed: this was a dry run.\n`,
    );
    expect(stderr).toContain(words);
    expect((await json(...refund, '--yes')).refund).toMatchObject({
      ...{ amount, paid_amount: 67_212, owed_amount: 22_404, refunded_before: 0 },
      ...{ delivered_units: [1, 3], undelivered_units: [2], refunds: [{ amount, state: 'to-pay' }] },
    });
  });

  it.each([
    [['--amount', '0'], 2, 'a whole number above zero without separators, such as 22404, not "0"'],
    [['--amount', '-22404'], 2, 'not "-22404"'],
    [['--amount', '22.404'], 2, 'not "22.404"'],
    [['--amount', '22,404'], 2, 'not "22,404"'],
    [['--amount', '1e4'], 2, 'not "1e4"'],
    [['--amount', '67213'], 6, 'Rp 67,213 exceeds the rest of the payment: Rp 67,212.'],
    [['--amount', '9'.repeat(16)], 2, 'a whole number'],
    [['--amount', '5', '--all'], 2, 'cannot be used with'],
  ])('rejects %j, and records no refund', async (flags, code, message) => {
    const rejected = await onStore(['refund', orderId, '--note', 'x', ...flags, '--yes']);
    expect(rejected).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(await json('show', orderId, '--history')).toMatchObject({ payment_status: 'PAID', refunds: [] });
  });

  it('requires an amount for a second refund', async () => {
    await onStore(['refund', orderId, '--note', 'x', '--yes']);
    const again = await onStore(['refund', orderId, '--note', 'x', '--yes']);
    expect(again).toMatchObject({ code: 6, stderr: expect.stringContaining('--amount or --all') });
    expect((await onStore(['refund', orderId, '--note', 'x', '--all', '--dry-run'])).stdout).toContain(
      'Refunded before  Rp 22,404\n  Refund           Rp 44,808',
    );
  });

  it('flags and cancels a refund whose unit was delivered later', async () => {
    await onStore(['refund', orderId, '--note', 'x', '--yes']);
    await using server = await startSandbox(own.url);
    await run(['sandbox', 'contradict-delivery', orderId, '--base-url', server.baseUrl]);
    const listed = await onStore(['refunds']);
    expect(listed.stdout).toContain('Careful   the supplier contradicted itself');
    // Of the two that were delivered, one was not.
    await onStore(['mark', orderId, '--delivered', '--item', '1', '--note', 'seen', '--yes']);
    const arrived = await onStore(['mark', orderId, '--delivered', '--item', '2', '--note', 'seen', '--yes']);
    expect(arrived.stderr).toContain(`topup refunds cancel ${orderId}-R1 --note '<why>'`);
    const lost = await onStore(['mark', orderId, '--failed', '--item', '3', '--note', 'seen', '--yes']);
    expect(lost.stderr).not.toContain('more is owed');
    const cancel = ['refunds', '--cancel', `${orderId}-R1`, '--note', 'it arrived', '--by', 'ani', '--yes'];
    expect((await onStore(cancel)).stdout).toMatch(
      /State {4} cancelled by ani, .*\n {2}Because {2} it arrived\n/,
    );
    expect((await onStore(['refund', orderId, '--note', 'item 3', '--yes'])).stdout).toMatch(
      /Not delivered {3}item 3\n {2}Refund {10}Rp 22,404\n/,
    );
  });

  it('subtracts the amount that the gateway refunded', async () => {
    await own.inStore(async (store) => {
      const stored = await store.findOrder(orderId);
      const now = Date.now();
      await store.addReconciliation({
        ...{ reconciliationId: 'part', orderId, reference: stored?.payment.reference ?? '', amount: 10_000 },
        ...{ fee: null, paidAt: now, noticedAt: now, reason: 'refunded', state: 'open', note: null },
        ...{ closedAt: null, closedBy: null },
      });
    });
    const refund = ['refund', orderId, '--note', 'rest by hand', '--yes'];
    const less = await onStore([...refund, '--amount', '9000']);
    expect(less.stderr).toContain('The gateway has already paid back Rp 10,000, so the refund can');
    expect(await onStore(refund)).toMatchObject({
      stdout: expect.stringMatching(/By the gateway {2}Rp 10,000\n {2}To pay by hand {2}Rp 12,404\n/),
      stderr: expect.stringContaining('pay Rp 12,404 back'),
    });
    expect((await json('show', orderId, '--history')).refunds).toMatchObject([
      { amount: 10_000, state: 'paid', closed_by: null },
      { amount: 12_404, state: 'to-pay' },
    ]);
    expect((await onStore(['reconcile', '--all'])).stdout).toContain(
      "settled: counted as the order's refund",
    );
    await onStore(['refunds', '--paid', `${orderId}-R2`, '--reference', 'x', '--yes']);
  });
});

describe('orders refunds', () => {
  it.each([
    [['--paid', 'R'], 2, '--reference is missing: give the reference of its payment.'],
    [['--reference', 'x'], 2, "Unknown option '--reference'."],
    [['--paid', 'R', '--reference', ' '], 2, '--reference needs a text.'],
    [['--cancel', 'R'], 2, "--note is missing: say why it isn't owed."],
    [['--paid', 'R', '--reference', 'x', '--cancel', 'R', '--note', 'x'], 2, "Unknown option '--cancel'."],
    [['--paid', 'INV-1-R1', '--reference', 'x', '--yes'], 3, 'There is no refund INV-1-R1'],
    [['--all', '--base-url', 'http://shop.test'], 2, 'contacts no service'],
  ])('exits for orders refunds %j with %i', async (args, code, message) => {
    expect(await onStore(['refunds', ...args])).toMatchObject({
      ...{ code, stdout: '', stderr: expect.stringContaining(message) },
    });
  });

  it('exits with 6 if another operator closes a refund before the confirmation', async () => {
    const orderId = partly;
    await onStore(['refund', orderId, '--note', 'x', '--yes']);
    const terminal = fakeTerminal();
    const { code, written } = start(['orders', 'refunds', '--paid', `${orderId}-R1`, '--reference', 'mine'], {
      ...{ terminal, environment: { TOPUP_STORE: own.url } },
    });
    await until(() => terminal.shown().includes('Go on?'));
    await onStore(['refunds', '--paid', `${orderId}-R1`, '--reference', 'theirs', '--by', 'budi', '--yes']);
    await terminal.answer('Go on?', 'y');
    expect({ code: await code, stdout: written.stdout }).toEqual({ code: 6, stdout: '' });
    expect(written.stderr).toContain('is already paid by budi');
  });
});

describe('orders reconcile --settle of another amount', () => {
  /** An unpaid order, and a payment for it of so much. */
  async function paidWith(amount: number) {
    const orderId = unpaid;
    const reconciliationId = `other-${orderId}`;
    await own.inStore(async (store) => {
      const now = Date.now() + (await store.readWorldOffset());
      const money: Reconciliation = {
        ...{ reconciliationId, orderId, reference: 'SIM', amount, fee: null, paidAt: now, noticedAt: now },
        ...{ reason: 'amount', state: 'open', note: null, closedAt: null, closedBy: null },
      };
      await store.addReconciliation(money);
    });
    return { orderId, settle: ['reconcile', '--settle', reconciliationId] };
  }

  it.each([
    [60_000, 'Rp 7,212 less than', / {2}Short {2,}Rp 7,212\n/, 'You lose the missing amount', -7_212],
    [70_000, 'Rp 2,788 more than', / {2}Over {2,}Rp 2,788\n/, 'The excess becomes a refund', 2_788],
  ])(
    'requires a flag for %i, and shows and records the amount',
    async (amount, words, line, bears, difference) => {
      const { orderId, settle } = await paidWith(amount);
      for (const flag of ['--yes', '--dry-run']) {
        const rejected = await onStore([...settle, flag]);
        expect(rejected).toMatchObject({ code: 6, stdout: '' });
        expect(rejected.stderr).toContain(`${words} the total of Rp 67,212.`);
        expect(rejected.stderr).toContain(`topup payments settle ${settle[2]} --other-amount\n`);
        expect(rejected.stderr).toContain(`topup payments return ${settle[2]} --note '<how>'`);
      }
      expect((await json('show', orderId, '--history')).payment_status).toBe('UNPAID');

      const accepted = [...settle, '--other-amount', '--by', 'ani'];
      expect((await onStore(accepted)).stderr).toContain(`That is ${words} its total. ${bears}`);
      expect((await onStore([...accepted, '--dry-run'])).stdout).toMatch(line);
      const done = await json(...accepted, '--yes');
      expect(done.settled).toMatchObject({ paid_amount: amount, difference });
      const shown = await json('show', orderId, '--history');
      const settled = shown.history.find(({ event }: { event: string }) => event === 'settled');
      expect(settled).toMatchObject({ operator: 'ani', amount, difference });
      expect(shown.reconciliations).toMatchObject([{ state: 'settled', closed_by: 'ani' }]);
      expect((await onStore(['show', orderId, '--history'])).stdout.replaceAll(/\s+/g, ' ')).toContain(
        `with Rp ${amount.toLocaleString('en')}: ${words} its total of Rp 67,212.`,
      );
      const over = { amount: 2_788, units: [], state: 'to-pay', by: 'ani' };
      expect(shown.refunds).toMatchObject(difference > 0 ? [over] : []);
      if (difference > 0)
        expect((await onStore(['refunds'])).stdout).toContain("For       excess over the order's total");
    },
  );

  it("requires no flag for the order's total, and allows --other-amount only with --settle", async () => {
    const { settle } = await paidWith(67_212);
    expect(steady((await onStore([...settle, '--yes'])).stdout)).toBe('<order id> is PAID / Proses.\n');
    expect(await onStore(['reconcile', '--other-amount'])).toMatchObject({ code: 2 });
  });
});

describe("the operator's name", () => {
  it.each([
    [['--by', 'ani'], { TOPUP_OPERATOR: 'budi' }, 'ani'],
    [[], { TOPUP_OPERATOR: 'budi' }, 'budi'],
    [[], {}, userInfo().username],
  ])('records the operator from %j with %j as %s in every history', async (flags, environment, operator) => {
    const orderId = partly;
    const done = async (...args: string[]) =>
      expect(await onStore([...args, ...flags, '--yes'], environment)).toMatchObject({ code: 0 });
    await done('mark', orderId, '--failed', '--item', '1', '--note', 'x');
    await done('retry', orderId);
    await done('mark', orderId, '--failed', '--note', 'x');
    await done('refund', orderId, '--note', 'x');
    const { history } = await json('show', orderId, '--history');
    const own = history.filter(({ by }: { by: string }) => by === 'operator');
    expect(own.length).toBeGreaterThanOrEqual(3);
    expect(new Set(own.map((one: { operator: string }) => one.operator))).toEqual(new Set([operator]));
    for (const one of history) if (one.by !== 'operator') expect(one.operator).toBeNull();
    await done('refunds', '--paid', `${orderId}-R1`, '--reference', 'x');
    expect((await json('show', orderId, '--history')).refunds).toMatchObject([{ closed_by: operator }]);
  });

  it("keeps the operator's name with a returned payment", async () => {
    const event = { reconciliationId: 'back', reference: 'X', amount: 5 };
    await own.inStore((store) =>
      store.addReconciliation({
        ...{
          ...event,
          orderId: null,
          fee: null,
          paidAt: 1,
          noticedAt: 1,
          reason: 'unknown',
          state: 'open',
          note: null,
        },
        ...{ closedAt: null, closedBy: null },
      }),
    );
    await onStore(['reconcile', '--return', 'back', '--note', 'BCA', '--by', 'ani', '--yes']);
    const { reconciliations } = await json('reconcile', '--all');
    const [returned] = reconciliations.filter(
      (one: { reconciliation_id: string }) => one.reconciliation_id === 'back',
    );
    expect(returned).toMatchObject({ state: 'returned', closed_by: 'ani', closed_at: expect.any(String) });
    expect((await onStore(['reconcile', '--all'])).stdout).toMatch(/By {8}ani, /);
  });

  it.each([
    [['--by', ' '], {}, '--operator takes a name'],
    [['--by', 'a\nb'], {}, '--operator takes a name'],
    [['--by', 'a'.repeat(101)], {}, '--operator takes a name of 1 to 100 characters'],
    [[], { TOPUP_OPERATOR: '\u202Eani' }, 'TOPUP_OPERATOR takes a name'],
  ])("rejects the operator's name from %j with %j", async (flags, environment, message) => {
    const args = ['retry', 'INV-1', ...flags, '--yes'];
    expect(await onStore(args, environment)).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining(message) },
    });
  });
});

describe('refunds of a delivered order', () => {
  const refunds = (...args: string[]) => run(['refunds', ...args], { environment: { TOPUP_STORE: own.url } });

  it('creates, pays and lists refunds of a delivered order with an amount and a note', async () => {
    await onStore(['mark', partly, '--delivered', '--note', 'seen', '--yes']);
    expect(await refunds('create', partly, '--note', 'goodwill', '--yes')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Everything was delivered, so nothing is owed'),
    });
    expect((await refunds('create', partly, '--amount', '5000', '--yes')).stderr).toContain(
      '--note is missing',
    );
    const created = await refunds(
      'create',
      partly,
      '--amount',
      '5000',
      '--note',
      'goodwill',
      '--yes',
      '--json',
    );
    expect(JSON.parse(created.stdout)).toMatchObject({
      ...{ payment_status: 'PAID', buy_status: 'Sukses' },
      refund: { amount: 5_000, owed_amount: 0, paid_amount: 67_212 },
    });
    expect((await refunds('list')).stdout).toContain('Rp 5,000');
    const tooMuch = await refunds('create', partly, '--amount', '62213', '--note', 'all', '--yes');
    expect(tooMuch.stderr).toContain('Rp 62,213 exceeds the rest of the payment: Rp 62,212.');
    expect((await refunds('paid', `${partly}-R1`, '--yes')).stderr).toContain('--reference is missing');
    expect((await refunds('paid', `${partly}-R1`, '--reference', 'BCA 1', '--yes')).code).toBe(0);
    expect(JSON.parse((await refunds('list', '--json')).stdout)).toEqual({ refunds: [], to_pay: 0 });
    await refunds('create', partly, '--all', '--note', 'wrong player', '--yes');
    expect((await refunds('cancel', `${partly}-R2`, '--note', 'not owed', '--yes')).code).toBe(0);
    const listed = JSON.parse((await refunds('list', '--all', '--json')).stdout).refunds;
    expect(listed).toMatchObject([
      { amount: 5_000, state: 'paid', reference: 'BCA 1', note: 'goodwill' },
      { amount: 62_212, state: 'cancelled', reference: 'not owed', note: 'wrong player' },
    ]);
    // The order has what the report has.
    const shown = await onStore(['show', partly, '--history', '--json']);
    const { turnover, returned, profit } = JSON.parse(shown.stdout).earned;
    const report = await run(['report', 'sales', '--from', '2020-01-01', '--to', '2100-01-01', '--json'], {
      environment: { TOPUP_STORE: own.url },
    });
    expect([turnover, returned]).toEqual([67_212, 5_000]);
    expect(JSON.parse(report.stdout).total).toMatchObject({ turnover, returned, profit });
  });
});
