import { writeFileSync } from 'node:fs';
import type { Reconciliation } from '@topup-kit/core/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { hurriedClock } from '../../../test/hurry.ts';
import { another, reserve } from '../../suites/src/store/fixtures.ts';
import { inTodaysNames } from '../src/earlier-names.ts';
import { fixtureOrder, steady } from './helpers/order.ts';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { failureOf, screensOf } from './helpers/screens.ts';
import { startSandbox } from './helpers/servers.ts';

/** Orders: delivered; paid, with a failed second item of three; expired; unpaid, with all that an order may have. */
let [delivered, partly, expired, unpaid] = ['', '', '', ''];
const own = ownStore(async (path) => {
  await using server = await startSandbox(`file:${path}`, { realClock: hurriedClock() });
  const asked = (...args: string[]) => run([...args, '--base-url', server.baseUrl]);
  const place = async (...more: string[]): Promise<string> =>
    (await asked(...fixtureOrder, ...more, '--quiet')).stdout.trim();
  delivered = await place('--quantity', '1');
  partly = await place('--id', '900000002', '--quantity', '3');
  expired = await place();
  for (const paid of [delivered, partly]) await asked('sandbox', 'pay', paid);
  await asked('sandbox', 'advance', '1m');
  await asked('sandbox', 'expire', expired);
  const more = ['--payment-method', '14', '--email', 'rina@example.com', '--nickname', 'Rina'];
  unpaid = await place(...more, '--promo', 'RAMADAN10', '--quantity', '1');
});

/** Without what differs from run to run, such as lines that break elsewhere on another day; orders by what they are. */
const plain = (text: string): string =>
  steady(
    text
      .replaceAll(own.path, '<store>')
      .replaceAll(delivered, '<delivered>')
      .replaceAll(partly, '<partly>')
      .replaceAll(expired, '<expired>')
      .replaceAll(unpaid, '<unpaid>'),
  )
    .replaceAll(/\d{1,2}\s\w{3,4}\s\d{4},\s[\d:]{8}/g, '<second>')
    .replaceAll(/(\(GMT\+7\)|<second>) {2,}/g, '$1  ')
    .replaceAll(/(?<=\S)\n(?!exit)(?=[a-z(]|<(?!second))/g, ' ')
    .replaceAll(/SIM\w+/g, '<reference>')
    .replaceAll(/\b\d{16}\b/g, '<code>')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"<time>"');
const options = (columns?: number) => ({
  columns,
  environment: { TOPUP_STORE: own.url, TOPUP_OPERATOR: 'rina' },
});
const { shown, failing, json } = screensOf((args) => [...inTodaysNames(['orders', ...args])], options, plain);

const edit = own.edit;
const isUnknown = (findBy: string, more = ''): void =>
  edit(`UPDATE units SET state = 'unknown', supplier = 'depot', find_by = ${findBy}, next_at = NULL,
    asked_at = ${Date.UTC(2026, 2, 29, 2, 30)}, reason = 'it gave no outcome' ${more}`);

async function note(change: Partial<Reconciliation>): Promise<void> {
  const moment = Date.parse('2026-03-29T10:00:00+07:00');
  await own.inStore((store) =>
    store.addReconciliation({
      ...{ reconciliationId: 'pay 1', orderId: expired, reference: 'REF1', amount: 40_000, paidAt: moment },
      ...{
        fee: null,
        noticedAt: moment,
        reason: 'late',
        state: 'open',
        note: null,
        closedAt: null,
        closedBy: null,
      },
      ...change,
    }),
  );
}
const why = ['--note', 'seen in its records'];

describe('orders show', () => {
  it('shows all data of an unpaid order', async () => {
    expect(await shown('show', unpaid, '--history')).toMatchInlineSnapshot(`
      "  Order     <unpaid>
        Payment   UNPAID
        Delivery  Pending
        Placed    <time> (account sandbox)

        Game      Mobile Legends: Bang Bang
        Product   86 Diamond
        Account   12345678 (server 2012)
        Nickname  Rina
        Contact   081234567890, rina@example.com

        Price                       Rp 22,000  × 1  Rp 22,000
        Promo RAMADAN10             -Rp 2,000  × 1  -Rp 2,000
        After promo                 Rp 20,000  × 1  Rp 20,000
        Fee of BCA Virtual Account                   Rp 5,500
        Total                                       Rp 25,500

        Pay with  BCA Virtual Account
        Code      <code>
        Page      <page>
        Before    <time>

      WHEN (GMT+7)  EVENT   BY        PAYMENT / DELIVERY
      <second>  placed  customer  UNPAID / Pending
      exit 0"
    `);
    expect(await json('show', unpaid, '--history')).toMatchInlineSnapshot(`
      {
        "account_id": "sandbox",
        "buy_status": "Pending",
        "contact": {
          "email": "rina@example.com",
          "whatsapp": "081234567890",
        },
        "created_at": "<time>",
        "earned": null,
        "expired_at": "<time>",
        "game": {
          "id": 11,
          "slug": "mobile-legends",
          "title": "Mobile Legends: Bang Bang",
        },
        "history": [],
        "order_id": "<unpaid>",
        "payment_method": {
          "code": "BCAVA",
          "id": 14,
          "name": "BCA Virtual Account",
        },
        "payment_reference": "<reference>",
        "payment_status": "UNPAID",
        "pricing": {
          "has_promo": true,
          "payment_fee": 5500,
          "promo_code": "RAMADAN10",
          "promo_discount": 2000,
          "quantity": 1,
          "subtotal_after_promo": 20000,
          "subtotal_before_promo": 22000,
          "total_price": 25500,
          "unique_code": 0,
          "unit_discount": 2000,
          "unit_price_after_promo": 20000,
          "unit_price_before_promo": 22000,
        },
        "product": {
          "code": "ML86",
          "id": 901,
          "title": "86 Diamond",
        },
        "reconciliations": [],
        "refunds": [],
        "serial_number": null,
        "target": {
          "id": "12345678",
          "nickname": "Rina",
          "server": "2012",
        },
        "units": [],
      }
    `);
  });

  it('prints each event and unit for programs', async () => {
    const { history, units, refunds, reconciliations } = await json('show', partly, '--history');
    expect({ history, units: units.slice(0, 2), refunds, reconciliations }).toMatchInlineSnapshot(`
      {
        "history": [
          {
            "at": "<time>",
            "by": "sandbox",
            "event": "paid",
            "from": {
              "buy_status": "Pending",
              "payment_status": "UNPAID",
            },
            "note": null,
            "operator": null,
            "serial_number": null,
            "to": {
              "buy_status": "Proses",
              "payment_status": "PAID",
            },
          },
          {
            "at": "<time>",
            "by": "supplier",
            "event": "undelivered",
            "from": {
              "buy_status": "Proses",
              "payment_status": "PAID",
            },
            "note": null,
            "operator": null,
            "serial_number": null,
            "to": {
              "buy_status": "Gagal",
              "payment_status": "PAID",
            },
          },
        ],
        "reconciliations": [],
        "refunds": [],
        "units": [
          {
            "asked_at": "<time>",
            "attempt": 1,
            "contradiction": null,
            "cost": null,
            "cost_source": null,
            "find_by": "reference",
            "next_at": null,
            "product_code": "ML86",
            "reason": null,
            "reference": "<partly>-1-1",
            "serial_number": "SN-<partly>-1-1",
            "state": "delivered",
            "supplier": "simulated",
            "supplier_id": null,
            "unit": 1,
          },
          {
            "asked_at": "<time>",
            "attempt": 1,
            "contradiction": null,
            "cost": null,
            "cost_source": null,
            "find_by": "reference",
            "next_at": null,
            "product_code": "ML86",
            "reason": "the product is out of stock",
            "reference": "<partly>-2-1",
            "serial_number": null,
            "state": "failed",
            "supplier": "simulated",
            "supplier_id": null,
            "unit": 2,
          },
        ],
      }
    `);
  });

  it("shows operators' notes, proofs and refunds", async () => {
    await run(['orders', 'mark', partly, '--failed', ...why, '--item', '1', '--yes'], options());
    await run(['orders', 'note', partly, 'called'], options());
    await run(['orders', 'refund', partly, '--note', 'no stock', '--amount', '15000', '--yes'], options());
    await note({ orderId: partly, reconciliationId: 'extra', reason: 'closed' });
    const text = await shown('show', partly, '--history');
    expect(text.slice(text.indexOf('WHEN'))).toMatchInlineSnapshot(`
      "WHEN (GMT+7)  EVENT        BY        PAYMENT / DELIVERY
      <second>  placed       customer  UNPAID / Pending
      <second>  paid         sandbox   UNPAID / Pending → PAID / Proses
      <second>  undelivered  supplier  PAID / Proses → PAID / Gagal
      <second>  undelivered  rina      PAID / Gagal → PAID / Gagal
      <second>  noted        rina      PAID / Gagal → PAID / Gagal
      <second>  refunded     rina      PAID / Gagal → REFUND / Gagal

      Note on undelivered of <second>: seen in its records

      Counted as delivered until then: item 1 (SN-<partly>-1-1).

      Note on noted of <second>: called

      Refunded on <second>: Rp 15,000.

      Note on refunded of <second>: no stock

      ITEM  STATE      TRY  PROOF OR REASON
         1  failed       1  seen in its records
         2  failed       1  the product is out of stock
         3  delivered    1  SN-<partly>-3-1

        Refund    <partly>-R1
        Amount    Rp 15,000
        For       items 1, 2
        Decided   by rina, <time>
        Note      no stock
        State     to pay

        Payment   extra
        Order     <partly>
        Ref       REF1
        Amount    Rp 40,000
        Why       paid again, or after the order failed
        Paid      <time>
        State     open

        Turnover      Rp 60,000
        Returned      Rp 40,000
        Gateway fees  Rp 0
        Cost          Rp 0
        Cost unknown  of 1 item
        Profit        Rp 20,000
      exit 0"
    `);
  });

  it('shows earlier attempts of a retried order', async () => {
    await run(['orders', 'retry', partly, '--yes'], options());
    const text = await shown('show', partly, '--history');
    expect(text.slice(text.indexOf('WHEN'))).toMatchInlineSnapshot(`
      "WHEN (GMT+7)  EVENT        BY        PAYMENT / DELIVERY
      <second>  placed       customer  UNPAID / Pending
      <second>  paid         sandbox   UNPAID / Pending → PAID / Proses
      <second>  undelivered  supplier  PAID / Proses → PAID / Gagal
      <second>  retried      rina      PAID / Gagal → PAID / Proses

      Item 2, try 1 of <second> (our reference <partly>-2-1) failed at simulated: the product is out of stock

      ITEM  STATE      TRY  PROOF OR REASON                     ASKED NEXT (GMT+7)
         1  delivered    1  SN-<partly>-1-1
         2  waiting      2                                      <second>
         3  delivered    1  SN-<partly>-3-1

        Turnover      Rp 60,000
        Returned      Rp 0
        Gateway fees  Rp 0
        Cost          Rp 0
        Cost unknown  of 3 items
        Profit        Rp 60,000
      exit 0"
    `);
    const { history, units } = await json('show', partly, '--history');
    expect([history.at(-1), units[1]]).toMatchInlineSnapshot(`
      [
        {
          "at": "<time>",
          "attempts": [
            {
              "asked_at": "<time>",
              "attempt": 1,
              "reason": "the product is out of stock",
              "reference": "<partly>-2-1",
              "supplier": "simulated",
              "supplier_id": null,
              "unit": 2,
            },
          ],
          "by": "operator",
          "event": "retried",
          "from": {
            "buy_status": "Gagal",
            "payment_status": "PAID",
          },
          "note": null,
          "operator": "rina",
          "serial_number": null,
          "to": {
            "buy_status": "Proses",
            "payment_status": "PAID",
          },
        },
        {
          "asked_at": null,
          "attempt": 2,
          "contradiction": null,
          "cost": null,
          "cost_source": null,
          "find_by": null,
          "next_at": "<time>",
          "product_code": "ML86",
          "reason": null,
          "reference": null,
          "serial_number": null,
          "state": "waiting",
          "supplier": null,
          "supplier_id": null,
          "unit": 2,
        },
      ]
    `);
  });

  it.each([
    ["the kit's reference", `'reference'`, ''],
    ["the kit's reference and the supplier's id", `'reference'`, `, supplier_id = 'T-7'`],
    ["only the supplier's id", `'supplierId'`, `, supplier_id = 'T-7'`],
    ['account and time', `'supplierId'`, ''],
    ['all known data if the supplier does not say which it uses', 'NULL', ''],
  ])('explains how to find a unit with an unknown outcome: by %s', async (_case, findBy, more) => {
    isUnknown(findBy, more);
    const text = await shown('show', delivered, '--history');
    expect(text.slice(text.indexOf('ITEM'))).toMatchSnapshot();
  });

  it('explains where to find a submitted unit', async () => {
    edit(
      `UPDATE units SET state = 'asked', supplier = NULL, find_by = 'reference', asked_at = NULL, next_at = ${Date.UTC(2026, 2, 29, 2, 30)}`,
    );
    const text = await shown('show', delivered, '--history');
    expect(text.slice(text.indexOf('ITEM'))).toMatchInlineSnapshot(`
      "ITEM  STATE  TRY  PROOF OR REASON                     ASKED NEXT (GMT+7)
         1  asked    1  SN-<delivered>-1-1  <second>

      Item 1 was submitted to the supplier, product ML86, and has no outcome yet. In the supplier's dashboard, look for our reference <delivered>-1-1.

        Turnover      Rp 20,000
        Returned      Rp 0
        Gateway fees  Rp 0
        Cost          Rp 0
        Cost unknown  of 1 item
        Profit        Rp 20,000
      exit 0"
    `);
  });

  it('shows the contradictory reports about a unit', async () => {
    edit(`UPDATE units SET contradiction = 'The supplier said otherwise.'`);
    expect(await shown('show', delivered, '--history')).toContain(
      'Item 1 is delivered, but: The supplier said otherwise.\n',
    );
  });

  it('rejects a base URL with --history', async () => {
    expect(
      await failing('show', partly, '--history', '--base-url', 'http://shop.test'),
    ).toMatchInlineSnapshot(`
      "Error: --history reads the store and contacts no service, so --base-url does not apply.
      exit 2, USAGE"
    `);
    expect(await failing('show', 'INV-1', '--history')).toMatchInlineSnapshot(`
      "Error: There is no order INV-1 in <store>.
      This lists them:
        topup orders list
      exit 3, INVOICE_NOT_FOUND"
    `);
  });
});

describe('orders list', () => {
  it('prints all data of an order for programs', async () => {
    const { orders, next_after } = await json('list', '--limit', '1');
    expect({ orders, next_after }).toMatchInlineSnapshot(`
      {
        "next_after": "<unpaid>",
        "orders": [
          {
            "account_id": "sandbox",
            "buy_status": "Pending",
            "contact": {
              "email": "rina@example.com",
              "whatsapp": "081234567890",
            },
            "created_at": "<time>",
            "expired_at": "<time>",
            "game": {
              "id": 11,
              "slug": "mobile-legends",
              "title": "Mobile Legends: Bang Bang",
            },
            "order_id": "<unpaid>",
            "payment_method": {
              "code": "BCAVA",
              "id": 14,
              "name": "BCA Virtual Account",
            },
            "payment_reference": "<reference>",
            "payment_status": "UNPAID",
            "pricing": {
              "has_promo": true,
              "payment_fee": 5500,
              "promo_code": "RAMADAN10",
              "promo_discount": 2000,
              "quantity": 1,
              "subtotal_after_promo": 20000,
              "subtotal_before_promo": 22000,
              "total_price": 25500,
              "unique_code": 0,
              "unit_discount": 2000,
              "unit_price_after_promo": 20000,
              "unit_price_before_promo": 22000,
            },
            "product": {
              "code": "ML86",
              "id": 901,
              "title": "86 Diamond",
            },
            "serial_number": null,
            "target": {
              "id": "12345678",
              "nickname": "Rina",
              "server": "2012",
            },
          },
        ],
      }
    `);
  });

  it.each([
    [['--game', 'chess']],
    [['--cursor', 'INV-1']],
    [['--phone', 'nobody']],
    [['--limit', '0']],
    [['--since', 'yesterday-ish']],
    [['--since', '2026-03-29', '--until', '2026-03-28']],
  ])('rejects the command orders list %j', async (args) => {
    expect(await failing('list', ...args)).toMatchSnapshot();
  });

  it('filters by time and by days of the shop', async () => {
    const count = async (...args: string[]) => (await json('list', ...args)).orders.length;
    expect(await count('--since', '2026-01-01')).toBe(4);
    expect(await count('--until', '2026-01-01')).toBe(0);
    expect(await count('--since', '2026-01-01', '--until', '2099-01-01')).toBe(4);
    expect(await count('--since', '2099-01-01')).toBe(0);
  });

  it('prints the command of the next page with the same filters', async () => {
    const { stderr } = await run(
      ['orders', 'list', '--limit', '1', '--game', 'mobile-legends', '--phone', '+62 812-3456-7890'],
      options(),
    );
    expect(plain(stderr)).toMatchInlineSnapshot(`
      "
      Older ones:
        topup orders list --game mobile-legends --phone '+62 812-3456-7890' --limit 1 --cursor <unpaid>
      "
    `);
  });
});

describe('orders search', () => {
  it.each([[['ab']], [['abc', '--limit', '0']], [['x'.repeat(256)]]])(
    'rejects the command orders search %j',
    async (args) => {
      expect(await failing('search', ...args)).toMatchSnapshot();
    },
  );

  it('finds a phone number in any notation, and accepts the longest search text', async () => {
    const found = async (text: string) => (await json('search', text)).orders.length;
    expect(await found('+62 812-3456-7890')).toBe(4);
    expect(await found('081234567891')).toBe(0);
    expect(await found('x'.repeat(255))).toBe(0);
    expect(await found('rina@example')).toBe(1);
  });
});

describe('orders mark', () => {
  beforeEach(() => isUnknown(`'reference'`));

  it('asks before a mark, and shows its effect', async () => {
    expect(await failing('mark', partly, '--delivered', ...why)).toMatchInlineSnapshot(`
      "Error: This needs --yes: <partly> will be recorded as delivered, so open or contradicted items are not bought again.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('mark', partly, '--failed', ...why)).toMatchInlineSnapshot(`
      "Error: This needs --yes: <partly> will be recorded as failed, so the server no longer asks about open or contradicted items.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('mark', partly, '--failed', ...why, '--item', '2')).toMatchInlineSnapshot(`
      "Error: This needs --yes: Item 2 of <partly> will be recorded as failed.
      Nothing was done.
      exit 2, USAGE"
    `);
  });

  it('lists the next steps after a mark', async () => {
    expect(
      await shown('mark', delivered, '--delivered', ...why, '--serial-number', 'SN-7', '--yes'),
    ).toMatchInlineSnapshot(`
      "<delivered> is PAID / Sukses.
      exit 0"
    `);
    expect(await shown('mark', delivered, '--failed', ...why, '--yes')).toMatchInlineSnapshot(`
      "<delivered> is PAID / Gagal.
      To buy the undelivered items again, or to refund them:
        topup orders retry <delivered>
        topup refunds create <delivered> --note '<how>'
      exit 0"
    `);
    expect(
      (await run(['orders', 'mark', partly, '--failed', ...why, '--yes', '--quiet'], options())).stdout,
    ).toBe(`${partly}\n`);
  });

  it('explains how to resolve an order with unclear units', async () => {
    expect(await failing('refund', partly, '--note', 'x', '--yes')).toMatchInlineSnapshot(`
      "Error: <partly> was not changed. The supplier may have delivered the order: items 1, 2, 3. Ask the supplier, then mark the order.
      The first command shows what to ask the supplier. Record the supplier's answer with one of the other commands:
        topup orders show <partly> --history
        topup orders mark <partly> --delivered --note '<how you know>'
        topup orders mark <partly> --failed --note '<how you know>'
      exit 6, UNITS_CONFLICT"
    `);
    expect(await failing('retry', partly, '--yes')).toMatchInlineSnapshot(`
      "Error: <partly> was not changed. It is unknown whether the supplier delivered, so a retry could deliver twice: items 1, 2, 3. Ask the supplier, then mark the order.
      The first command shows what to ask the supplier. Record the supplier's answer with one of the other commands:
        topup orders show <partly> --history
        topup orders mark <partly> --delivered --note '<how you know>'
        topup orders mark <partly> --failed --note '<how you know>'
      exit 6, UNITS_CONFLICT"
    `);
  });

  it.each([
    [[]],
    [['--delivered']],
    [['--failed', '--note', ' ']],
    [['--failed', ...why, '--item', '0']],
    [['--failed', ...why, '--item', 'x2']],
    [['--failed', ...why, '--item', '2x']],
    [['--failed', ...why, '--item', '12345']],
    [['--failed', ...why, '--item', '9']],
  ])('rejects the command orders mark %j', async (args) => {
    expect(await failing('mark', partly, ...args)).toMatchSnapshot();
  });
});

describe('orders refund and retry', () => {
  it('asks before a refund or retry, and shows its effect', async () => {
    expect(await failing('refund', partly, '--note', 'x')).toMatchInlineSnapshot(`
      "Error: This needs --yes: <partly>: 2 of its 3 items were delivered (1, 3), and 1 was not (2). Rp 20,000 of the Rp 60,000 that was paid will be recorded as refunded, and the rest of the order can no longer be delivered.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('refund', partly, '--note', 'x', '--all')).toMatchInlineSnapshot(`
      "Error: This needs --yes: <partly>: 2 of its 3 items were delivered (1, 3), and 1 was not (2). Rp 60,000 of the Rp 60,000 that was paid will be recorded as refunded, and the rest of the order can no longer be delivered. That is Rp 40,000 more than the amount owed for undelivered items (Rp 20,000).
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('refund', partly, '--note', 'x', '--amount', '1')).toMatchInlineSnapshot(`
      "Error: This needs --yes: <partly>: 2 of its 3 items were delivered (1, 3), and 1 was not (2). Rp 1 of the Rp 60,000 that was paid will be recorded as refunded, and the rest of the order can no longer be delivered. That is Rp 19,999 less than the amount owed for undelivered items (Rp 20,000).
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('retry', partly)).toMatchInlineSnapshot(`
      "Error: This needs --yes: The missing items of <partly> will be bought from the supplier again, and waiting items are tried now.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('refund', delivered, '--note', 'x')).toMatchInlineSnapshot(`
      "Error: <delivered> was not changed. Everything was delivered, so nothing is owed: enter the amount to refund.
      To refund a part of the payment, or all of it:
        topup refunds create <delivered> --amount <number> --note '<why>'
        topup refunds create <delivered> --all --note '<why>'
      exit 6, AMOUNT"
    `);
    expect(await failing('retry', unpaid)).toMatchInlineSnapshot(`
      "Error: <unpaid> can't be retried: it is UNPAID / Pending.
      The order must be PAID / Gagal or PAID / Proses. To see its history:
        topup orders show <unpaid> --history
      exit 6, STATE_CONFLICT"
    `);
    expect(await failing('refund', 'INV-1', '--note', 'x')).toMatchInlineSnapshot(`
      "Error: There is no order INV-1 in <store>.
      This lists them:
        topup orders list
      exit 3, INVOICE_NOT_FOUND"
    `);
    expect(await failing('refund', partly)).toMatchInlineSnapshot(`
      "Error: --note is missing: say why or how, such as --note 'no such player'.
      exit 2, USAGE"
    `);
    expect(await failing('refund', partly, '--note', 'x', '--amount', '99999999')).toMatchInlineSnapshot(`
      "Error: <partly> was not changed. Rp 99,999,999 exceeds the rest of the payment: Rp 60,000.
      exit 6, AMOUNT"
    `);
  });

  it('rejects a refund of an order with no delivered unit or only delivered units', async () => {
    edit(`UPDATE units SET state = 'failed'`);
    expect(await failing('refund', partly, '--note', 'x')).toMatchInlineSnapshot(`
      "Error: This needs --yes: <partly>: None of its 3 items was delivered. Rp 60,000 of the Rp 60,000 that was paid will be recorded as refunded, and the rest of the order can no longer be delivered.
      Nothing was done.
      exit 2, USAGE"
    `);
    edit(`UPDATE units SET state = 'delivered'`);
    expect(await failing('refund', partly, '--note', 'x', '--amount', '5')).toMatchInlineSnapshot(`
      "Error: This needs --yes: <partly>: All of its 3 items were delivered. Rp 5 of the Rp 60,000 that was paid will be recorded as refunded, and the rest of the order can no longer be delivered. That is Rp 5 more than the amount owed for undelivered items (Rp 0).
      Nothing was done.
      exit 2, USAGE"
    `);
    edit(`UPDATE units SET state = 'failed' WHERE unit > 1`);
    expect(await failing('refund', partly, '--note', 'x')).toMatchInlineSnapshot(`
      "Error: This needs --yes: <partly>: 1 of its 3 items was delivered (1), and 2 were not (2, 3). Rp 40,000 of the Rp 60,000 that was paid will be recorded as refunded, and the rest of the order can no longer be delivered.
      Nothing was done.
      exit 2, USAGE"
    `);
  });

  it('lists the next steps after a refund or retry', async () => {
    expect(await json('retry', partly, '--dry-run')).toMatchObject({
      order_id: '<partly>',
      buy_status: 'Proses',
    });
    expect(await shown('retry', partly, '--yes')).toMatchInlineSnapshot(`
      "<partly> is PAID / Proses.
      No server runs on this store: nothing is delivered until you start one. To follow it:
        topup orders show <partly> --history
      exit 0"
    `);
  });

  it('records a refund, which is then listed, paid or cancelled', async () => {
    expect(await shown('refund', partly, '--note', 'no stock', '--yes')).toMatchInlineSnapshot(`
      "<partly> is REFUND / Gagal.

        Paid            Rp 60,000
        Delivered       items 1, 3
        Not delivered   item 2
        Refund          Rp 20,000
        To pay by hand  Rp 20,000
      This records the refund but moves no money: pay Rp 20,000 back to the customer yourself. Then record it:
        topup refunds paid <partly>-R1 --reference '<how>'
      exit 0"
    `);
    expect(await shown('refunds')).toMatchInlineSnapshot(`
      "  Refund    <partly>-R1
        Amount    Rp 20,000
        For       item 2
        Customer  081234567890
        Decided   by rina, <time>
        Note      no stock
        State     to pay

      1 refund to pay, Rp 20,000 in all. When you have paid a refund, or if it isn't owed:
        topup refunds paid <refund> --reference '<how>'
        topup refunds cancel <refund> --note '<why>'
      exit 0"
    `);
    expect(await failing('refunds', '--cancel', `${partly}-R1`, '--note', 'arrived')).toMatchInlineSnapshot(`
      "Error: This needs --yes: The refund <partly>-R1 of Rp 20,000 will be cancelled. The order stays as it is.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(
      await shown('refunds', '--cancel', `${partly}-R1`, '--note', 'arrived', '--yes'),
    ).toMatchInlineSnapshot(`
      "  Refund    <partly>-R1
        Amount    Rp 20,000
        For       item 2
        Decided   by rina, <time>
        Note      no stock
        State     cancelled by rina, <time>
        Because   arrived
      exit 0"
    `);
    expect(await failing('refunds', '--paid', `${partly}-R1`, '--reference', 'x')).toMatchInlineSnapshot(`
      "Error: The refund <partly>-R1 is already cancelled by rina, <time>.
      exit 6, REFUND_CLOSED"
    `);
    expect(await shown('refunds')).toMatchInlineSnapshot(`
      "No refunds to pay in <store>.
      exit 0"
    `);
    expect(await shown('refunds', '--all')).toMatchInlineSnapshot(`
      "  Refund    <partly>-R1
        Amount    Rp 20,000
        For       item 2
        Customer  081234567890
        Decided   by rina, <time>
        Note      no stock
        State     cancelled by rina, <time>
        Because   arrived
      No refunds to pay in <store>.
      exit 0"
    `);
    expect(await failing('refunds', '--paid', 'R9', '--reference', 'x')).toMatchInlineSnapshot(`
      "Error: There is no refund R9 in <store>.
      This lists them:
        topup refunds list --all
      exit 3, REFUND_NOT_FOUND"
    `);
    expect((await run(['orders', 'refunds', '--all', '--quiet'], options())).stdout).toBe(`${partly}-R1\n`);
  });

  it('removes the marks of resolved contradictions', async () => {
    await run(['orders', 'refund', partly, '--note', 'x', '--yes'], options());
    expect(await failing('mark', partly, '--failed', ...why)).toMatchInlineSnapshot(`
      "Error: <partly> can't be marked: it is REFUND / Gagal.
      The order must be PAID / Proses or PAID / Gagal or PAID / Sukses or REFUND / Gagal with a contradicted delivery. To see its history:
        topup orders show <partly> --history
      exit 6, STATE_CONFLICT"
    `);
  });

  it('shows that a partial refund is too low or too high after a mark', async () => {
    await run(['orders', 'refund', partly, '--note', 'x', '--amount', '1000', '--yes'], options());
    edit(`UPDATE units SET contradiction = 'The supplier said otherwise.' WHERE unit = 1`);
    expect(await shown('mark', partly, '--failed', ...why, '--item', '1', '--yes')).toMatchInlineSnapshot(`
      "<partly> is REFUND / Gagal.
      Rp 39,000 more is owed to the customer. To refund it:
        topup refunds create <partly> --note '<why>'
      exit 0"
    `);
    edit(`UPDATE units SET contradiction = 'The supplier said otherwise.' WHERE unit = 2`);
    expect(await shown('mark', partly, '--delivered', ...why, '--item', '2', '--yes')).toMatchInlineSnapshot(`
      "<partly> is REFUND / Gagal.
      Rp 19,000 more is owed to the customer. To refund it:
        topup refunds create <partly> --note '<why>'
      The refund of Rp 1,000 is still to be paid, for items that now count as delivered. If it isn't owed:
        topup refunds cancel <partly>-R1 --note '<why>'
      exit 0"
    `);
    expect(
      await shown('refunds', '--paid', `${partly}-R1`, '--reference', 'BCA 7781', '--yes'),
    ).toMatchInlineSnapshot(`
      "  Refund     <partly>-R1
        Amount     Rp 1,000
        For        item 2
        Decided    by rina, <time>
        Note       x
        State      paid by rina, <time>
        Reference  BCA 7781
      exit 0"
    `);
    expect(await failing('refunds', '--cancel', `${partly}-R1`, '--note', 'x')).toMatchInlineSnapshot(`
      "Error: The refund <partly>-R1 is already paid by rina, <time>, under BCA 7781.
      exit 6, REFUND_CLOSED"
    `);
  });
});

describe('orders reconcile', () => {
  it.each(['late', 'amount', 'closed', 'refunded'] as const)('shows a payment that is %s', async (reason) => {
    await note({ reason });
    expect(await shown('reconcile')).toMatchSnapshot();
    expect((await json('reconcile')).reconciliations).toMatchSnapshot();
  });

  it('shows a closed payment with its operator', async () => {
    const closedAt = Date.parse('2026-03-30T10:00:00+07:00');
    await note({ reconciliationId: 'a', state: 'settled', closedAt, closedBy: null });
    await note({
      reconciliationId: 'b',
      state: 'returned',
      closedAt,
      closedBy: 'ani',
      note: 'BCA',
      orderId: null,
      reason: 'unknown',
    });
    await note({ reconciliationId: 'c', state: 'settled', reason: 'refunded', closedAt, closedBy: 'ani' });
    await note({ reconciliationId: 'd', state: 'returned', reason: 'refunded', closedAt, closedBy: 'ani' });
    expect(await shown('reconcile', '--all')).toMatchInlineSnapshot(`
      "  Payment   a
        Order     <expired>
        Ref       REF1
        Amount    Rp 40,000
        Why       paid after the order expired
        Paid      <time>
        State     settled: counted as the order's payment
        By        the gateway, <time>

        Payment   b
        Order     none
        Ref       REF1
        Amount    Rp 40,000
        Why       no order has this payment reference
        Paid      <time>
        State     returned
        By        ani, <time>
        Note      BCA

        Payment   c
        Order     <expired>
        Ref       REF1
        Amount    Rp 40,000
        Why       the gateway paid this amount back, but the order does not show it
        Refunded  <time>
        State     settled: counted as the order's refund
        By        ani, <time>

        Payment   d
        Order     <expired>
        Ref       REF1
        Amount    Rp 40,000
        Why       the gateway paid this amount back, but the order does not show it
        Refunded  <time>
        State     closed
        By        ani, <time>
      exit 0"
    `);
    expect(await shown('reconcile')).toMatchInlineSnapshot(`
      "No payments to reconcile in <store>.
      exit 0"
    `);
    expect(
      (await run(['orders', 'reconcile', '--all', '--quiet'], options())).stdout.split('\n').toSorted(),
    ).toEqual(['', 'a', 'b', 'c', 'd']);
    expect(await failing('reconcile', '--settle', 'a')).toMatchInlineSnapshot(`
      "Error: The payment a is already settled.
      exit 6, RECONCILIATION_CLOSED"
    `);
  });

  it('asks before it settles a payment, and shows the effect', async () => {
    await note({});
    expect(await failing('reconcile', '--settle', 'pay 1')).toMatchInlineSnapshot(`
      "Error: This needs --yes: The payment of Rp 40,000 will count as payment for <expired>. The server then delivers the order.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('reconcile', '--return', 'pay 1', '--note', 'x')).toMatchInlineSnapshot(`
      "Error: This needs --yes: The payment of Rp 40,000 will be recorded as returned to the customer.
      Nothing was done.
      exit 2, USAGE"
    `);
    await note({ reconciliationId: 'p2', orderId: null, reason: 'unknown', reference: 'X-9' });
    expect(await failing('reconcile', '--settle', 'p2')).toMatchInlineSnapshot(`
      "Error: The payment p2 was made for an unknown order: name its order.
      Look for X-9 at the payment gateway. Then:
        topup payments settle p2 --order <order-id>
      exit 2, USAGE"
    `);
    expect(await failing('reconcile', '--settle', 'pay 1', '--order', unpaid)).toMatchInlineSnapshot(`
      "Error: The payment pay 1 was made for <expired>, so it can't settle <unpaid>.
      exit 2, USAGE"
    `);
    await note({ reconciliationId: 'p3', orderId: unpaid, reason: 'amount', amount: 99_000 });
    expect(await failing('reconcile', '--settle', 'p3')).toMatchInlineSnapshot(`
      "Error: <unpaid> was not changed. The payment of Rp 99,000 is Rp 73,500 more than the total of Rp 25,500.
      To deliver it anyway, accept the amount. You lose a missing amount, and an excess becomes a refund:
        topup payments settle p3 --other-amount
      To pay the money back, and record that:
        topup payments return p3 --note '<how>'
      exit 6, AMOUNT"
    `);
    expect(await failing('reconcile', '--settle', 'p3', '--other-amount')).toMatchInlineSnapshot(`
      "Error: This needs --yes: The payment of Rp 99,000 will count as payment for <unpaid>. The server then delivers the order. That is Rp 73,500 more than its total. The excess becomes a refund that you must pay by hand.
      Nothing was done.
      exit 2, USAGE"
    `);
    await note({ reconciliationId: 'p4', orderId: unpaid, reason: 'amount', amount: 9_000 });
    expect(await failing('reconcile', '--settle', 'p4', '--other-amount')).toMatchInlineSnapshot(`
      "Error: This needs --yes: The payment of Rp 9,000 will count as payment for <unpaid>. The server then delivers the order. That is Rp 16,500 less than its total. You lose the missing amount.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('reconcile', '--settle', 'p2', '--order', unpaid)).toMatchInlineSnapshot(`
      "Error: <unpaid> was not changed. The payment of Rp 40,000 is Rp 14,500 more than the total of Rp 25,500.
      To deliver it anyway, accept the amount. You lose a missing amount, and an excess becomes a refund:
        topup payments settle p2 --order <unpaid> --other-amount
      To pay the money back, and record that:
        topup payments return p2 --note '<how>'
      exit 6, AMOUNT"
    `);
    await note({ reconciliationId: 'p5', reason: 'refunded', orderId: delivered });
    expect(await failing('reconcile', '--settle', 'p5')).toMatchInlineSnapshot(`
      "Error: The gateway paid p5 back, so there is no money to settle <delivered> with.
      If items were not delivered, mark them if necessary, and record their refund, which then includes this amount:
        topup orders mark <delivered> --failed --note '<how you know>'
        topup refunds create <delivered> --note 'by the gateway'
      If you don't refund the order:
        topup payments return p5 --note '<what you did>'
      exit 6, RECONCILIATION_REFUNDED"
    `);
    expect(await failing('reconcile', '--return', 'p5', '--note', 'x')).toMatchInlineSnapshot(`
      "Error: This needs --yes: The refund of Rp 40,000 by the gateway will be closed. The order stays as it is.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('reconcile', '--settle', 'none')).toMatchInlineSnapshot(`
      "Error: There is no payment none to reconcile in <store>.
      This lists them:
        topup payments list
      exit 3, RECONCILIATION_NOT_FOUND"
    `);
    await note({ reconciliationId: 'p6', orderId: delivered });
    expect(await failing('reconcile', '--settle', 'p6')).toMatchInlineSnapshot(`
      "Error: <delivered> can't be settled: it is PAID / Sukses.
      The order must be UNPAID / Pending or EXPIRED / Batal or FAILED / Batal. To see its history:
        topup orders show <delivered> --history
      To pay the money back, and record that:
        topup payments return p6 --note '<how>'
      exit 6, STATE_CONFLICT"
    `);
  });

  it('settles a payment, and lists the next steps', async () => {
    await note({});
    expect(await shown('reconcile', '--settle', 'pay 1', '--yes')).toMatchInlineSnapshot(`
      "<expired> is PAID / Proses.
      No server runs on this store: nothing is delivered until you start one. To follow it:
        topup orders show <expired> --history
      exit 0"
    `);
    await note({ reconciliationId: 'p3', orderId: unpaid, reason: 'amount', amount: 99_000 });
    expect(await shown('reconcile', '--settle', 'p3', '--other-amount', '--yes')).toMatchInlineSnapshot(`
      "<unpaid> is PAID / Proses.

        Paid         Rp 99,000
        Total        Rp 25,500
        Over         Rp 73,500
        To pay back  Rp 73,500 (<unpaid>-R1)
      No server runs on this store: nothing is delivered until you start one. To follow it:
        topup orders show <unpaid> --history
      Pay Rp 73,500 back to the customer yourself. Then record it:
        topup refunds paid <unpaid>-R1 --reference '<how>'
      exit 0"
    `);
    const text = await shown('show', unpaid, '--history');
    expect(text.slice(text.indexOf('WHEN'))).toMatchInlineSnapshot(`
      "WHEN (GMT+7)  EVENT    BY        PAYMENT / DELIVERY
      <second>  placed   customer  UNPAID / Pending
      <second>  settled  rina      UNPAID / Pending → PAID / Proses

      Settled on <second> with Rp 99,000: Rp 73,500 more than its total of Rp 25,500.

      ITEM  STATE    TRY  ASKED NEXT (GMT+7)
         1  waiting    1  <second>

        Refund    <unpaid>-R1
        Amount    Rp 73,500
        For       excess over the order's total
        Decided   by rina, <time>
        State     to pay

        Payment   p3
        Order     <unpaid>
        Ref       REF1
        Amount    Rp 99,000
        Why       not the order's total
        Paid      <time>
        State     settled: counted as the order's payment
        By        rina, <time>

        Turnover      Rp 99,000
        Returned      Rp 73,500
        Gateway fees  Rp 5,500
        Cost          Rp 0
        Cost unknown  of 1 item
        Profit        Rp 20,000
      exit 0"
    `);
    expect((await json('show', unpaid, '--history')).history).toMatchInlineSnapshot(`
      [
        {
          "amount": 99000,
          "at": "<time>",
          "by": "operator",
          "difference": 73500,
          "event": "settled",
          "from": {
            "buy_status": "Pending",
            "payment_status": "UNPAID",
          },
          "note": null,
          "operator": "rina",
          "serial_number": null,
          "to": {
            "buy_status": "Proses",
            "payment_status": "PAID",
          },
        },
      ]
    `);
  });

  it('prints a settled payment for programs', async () => {
    await note({ reconciliationId: 'p4', orderId: unpaid, reason: 'amount', amount: 9_000 });
    expect(
      (await json('reconcile', '--settle', 'p4', '--other-amount', '--yes')).settled,
    ).toMatchInlineSnapshot(`
      {
        "difference": -16500,
        "paid_amount": 9000,
        "refunds": [],
      }
    `);
    await note({ reconciliationId: 'p5' });
    expect(await json('reconcile', '--return', 'p5', '--note', 'BCA', '--yes')).toMatchInlineSnapshot(`
      {
        "amount": 40000,
        "closed_at": "<time>",
        "closed_by": "rina",
        "note": "BCA",
        "noticed_at": "<time>",
        "order_id": "<expired>",
        "paid_at": "<time>",
        "payment_reference": "REF1",
        "reason": "late",
        "reconciliation_id": "p5",
        "state": "returned",
      }
    `);
  });

  it.each([
    [['--ask', 'INV-1']],
    [['--order', 'INV-1']],
    [['--other-amount']],
    [['--return', 'a']],
    [['--note', 'a']],
    [['--return', 'a', '--note', ' ']],
    [['--settle', 'a', '--all']],
    [['--settle', 'a', '--return', 'b']],
    [['--since', '1d', '--all']],
    [['--since', '1d', '--settle', 'a']],
    [['--since', '1d', '--return', 'a', '--note', 'x']],
    [['--return', 'a', '--note', 'x', '--all']],
  ])('rejects the command orders reconcile %j', async (args) => {
    expect(await failing('reconcile', ...args)).toMatchSnapshot();
  });
});

describe('orders abandon', () => {
  async function reserved(age: number): Promise<string> {
    const order = another('A');
    await own.inStore(async (store) => {
      const createdAt = Date.now() + (await store.readWorldOffset()) - age;
      await store.reserveOrder(reserve({ ...order, createdAt }));
    });
    return order.orderId;
  }

  it('asks before it abandons an order, and prints all data of the order', async () => {
    const orderId = await reserved(60_000);
    expect(await failing('abandon', orderId, ...why)).toMatchInlineSnapshot(`
      "Error: This needs --yes: <order id> will be FAILED / Batal, and its promo code, unique code and idempotency key will be free again.
      Nothing was done.
      exit 2, USAGE"
    `);
    expect(await failing('abandon', orderId)).toMatchInlineSnapshot(`
      "Error: --note is missing: look for the order in the gateway's dashboard, and say what you found, such as --note 'not in its dashboard'.
      exit 2, USAGE"
    `);
    expect(await json('abandon', orderId, ...why, '--dry-run')).toMatchInlineSnapshot(`
      {
        "account_id": "shop",
        "contact": {
          "email": null,
          "whatsapp": "081234567890",
        },
        "created_at": "<time>",
        "note": "seen in its records",
        "order_id": "<order id>",
        "payment_method": {
          "code": "BANK_TRANSFER",
          "group": "Bank Transfer",
          "id": 21,
          "name": "Bank transfer",
        },
        "target": {
          "id": "12345678",
          "nickname": null,
          "server": "2012",
        },
        "total_price": 22000,
      }
    `);
    expect(await shown('abandon', orderId, ...why, '--dry-run')).toMatchInlineSnapshot(`
      "  Order     <order id>
        Created   <time>
        By        Bank transfer
        Total     Rp 22,000
        WhatsApp  081234567890
        Note      seen in its records
      Nothing was changed: this was a dry run.
      exit 0"
    `);
    expect(await shown('abandon', orderId, ...why, '--yes')).toMatchInlineSnapshot(`
      "  Order     <order id>
        Created   <time>
        By        Bank transfer
        Total     Rp 22,000
        WhatsApp  081234567890
        Note      seen in its records
      The order stays in the store with your note. If money still arrives for it, you find it here:
        topup payments list
      exit 0"
    `);
    expect(await failing('abandon', orderId, ...why)).toMatchInlineSnapshot(`
      "Error: <order id> can't be abandoned: it has a payment.
      To see what happened to it:
        topup orders show <order id> --history
      exit 6, STATE_CONFLICT"
    `);
  });

  it('rejects an order that has or may get a payment', async () => {
    expect(await failing('abandon', delivered, ...why)).toMatchInlineSnapshot(`
      "Error: <delivered> can't be abandoned: it has a payment.
      To see what happened to it:
        topup orders show <delivered> --history
      exit 6, STATE_CONFLICT"
    `);
    expect(await failing('abandon', await reserved(1_000), ...why)).toMatchInlineSnapshot(`
      "Error: <order id> can't be abandoned yet: the gateway may still be creating its payment.
      Wait until <time>. The server asks the gateway, and stores or removes the order automatically.
      exit 6, STATE_CONFLICT"
    `);
  });
});

describe('orders note and export', () => {
  it('confirms each note and export in one line', async () => {
    expect(await failing('note', 'INV-1', 'x')).toMatchInlineSnapshot(`
      "Error: There is no order INV-1 in <store>.
      This lists them:
        topup orders list
      exit 3, INVOICE_NOT_FOUND"
    `);
    expect(await failing('note', delivered, ' ')).toMatchInlineSnapshot(`
      "Error: A note has 1 to 1000 characters.
      exit 2, USAGE"
    `);
    expect(await json('note', delivered, 'called')).toMatchInlineSnapshot(`
      {
        "by": "rina",
        "note": "called",
        "order_id": "<delivered>",
      }
    `);
    expect(await shown('export', '--account', 'nobody')).toMatchInlineSnapshot(`
      "﻿order_id,created_at,account_id,payment_status,buy_status,game,product_code,product,quantity,target_id,target_server,nickname,whatsapp,email,payment_method,payment_reference,promo_code,unit_price,promo_discount,payment_fee,unique_code,total_price,serial_number,paid_at,paid_amount,refund,cost,gateway_fee,profit,payment_method_name
      No matching orders in <store>.
      exit 0"
    `);
    expect((await run(['orders', 'export', '--account', 'nobody', '--json'], options())).stderr).toBe('');
    expect(await failing('export', '--game', 'chess')).toMatchInlineSnapshot(`
      "Error: There is no game chess in the catalogue.
      To write the catalogue, which has the slugs of its games:
        topup catalog export
      exit 3, GAME_NOT_FOUND"
    `);
  });
});

describe('the store of a command', () => {
  it('explains the accepted stores', async () => {
    expect(await failing('list', '--store', 'memory:')).toMatchInlineSnapshot(`
      "Error: memory: exists only inside the server's process, so no other command can open it.
      Run the server on file:PATH, and give the same value with --store or TOPUP_STORE.
      exit 2, STORE"
    `);
    expect(await failing('list', '--store', 'postgres:x')).toMatchInlineSnapshot(`
      "Error: --store must be file:PATH or postgres://..., not "postgres:x".
      For example: file:./data/topup.db, which is the default.
      exit 2, STORE"
    `);
    expect(await failing('list', '--store', `file:${own.fileIn('none.db')}`)).toContain(
      'Use another store with --store or TOPUP_STORE. To create one, start a server or create a key:\n  topup serve --sandbox\n  topup keys create --name my-key --mode live\nexit 3, NOT_FOUND',
    );
  });

  it("reads the store's address from a file if no other setting gives it", async () => {
    const address = own.fileIn('address');
    writeFileSync(address, ` ${own.url}\n`);
    const listed = (environment: Record<string, string>, ...args: string[]) =>
      run(['orders', 'list', '--quiet', ...args], { environment });
    expect((await listed({ TOPUP_STORE_FILE: address })).stdout).toContain(delivered);
    expect(await listed({ TOPUP_STORE_FILE: address, TOPUP_STORE: 'memory:' })).toMatchObject({ code: 2 });
    expect(await listed({ TOPUP_STORE_FILE: address }, '--store', 'memory:')).toMatchObject({ code: 2 });
    expect(
      plain(
        await failureOf(['orders', 'list'], { environment: { TOPUP_STORE_FILE: own.fileIn('gone') } }),
      ).replaceAll(`${own.folder}/`, '<file>'),
    ).toMatchInlineSnapshot(`
      "Error: TOPUP_STORE_FILE names <file>gone, which can't be read.
      Give a file that contains the store's address, or set TOPUP_STORE.
      exit 2, STORE"
    `);
  });

  it('includes the store in suggested commands', async () => {
    const { stderr } = await run(['orders', 'list', '--limit', '1', '--store', own.url], { environment: {} });
    expect(plain(stderr)).toContain('--store file:<store>');
  });
});
