import { answerSchemas, type PaymentGroup } from '../../../contract/index.ts';
import type { Topic } from '../../case.ts';
import { expectAt, expectText, expectThat, expectUrl, readAt } from '../../check.ts';
import type { Citation } from '../../citation.ts';
import { checksum, readEmvQr } from '../../emv-qr.ts';
import { ConformanceSkip } from '../../failure.ts';
import { readInvoice } from '../../invoices.ts';
import { placeOrder } from '../../orders.ts';
import type { Probe } from '../../probe.ts';
import type { MethodFacts } from '../../sample.ts';

const table = 'open-points Payment-methods-of-the-sandbox-catalogue';
const never: Citation =
  'open-points Identifiers-addresses-and-times/payment_code-and-payment_url-are-never-null';
const qrPicture: Citation = 'open-points Identifiers-addresses-and-times/qr_url-is-an-image-of-ours';
const references: Citation =
  'open-points Identifiers-addresses-and-times/payment_reference-is-the-gateway-s-the';
const words: Citation = 'open-points Errors/success-of-201-Pesanan-berhasil-dibuat';
const times: Citation = 'open-points Identifiers-addresses-and-times/expired_at-is-ISO-8601-with-the';
const zone: Citation =
  'open-points Identifiers-addresses-and-times/Time-zone-configurable-default-Asia-Jakarta';
const orderIds: Citation =
  'open-points Identifiers-addresses-and-times/order_id-INV-local-YYYYMMDDHHmmss-8-letters';
const limits: Citation = 'open-points Limits/quantity-1-to-100-strings-255';

const methodsOf = (probe: Probe, ...groups: PaymentGroup[]): MethodFacts[] =>
  probe.need('methods').filter(({ group }) => groups.includes(group));

export const paymentCases: Topic = [
  {
    name: 'a created order is told in its words',
    cites: [words],
    needs: 'writes',
    async run(probe) {
      const { answer } = await placeOrder(probe);
      expectAt(answer, 'message', 'Pesanan berhasil dibuat.', words);
    },
  },
  {
    name: 'every method gives a code, a page and an unguessable reference of its own',
    cites: [never, references],
    needs: 'writes',
    async run(probe) {
      const seen = new Set<string>();
      for (const { id } of probe.need('methods')) {
        const { answer, order } = await placeOrder(probe, { payment_method_id: id });
        expectText(answer, 'data.payment_code', /\S/, never);
        expectUrl(answer, 'data.payment_url', never);
        // 16 characters of letters and digits are more than anyone guesses.
        expectText(answer, 'data.payment_reference', /^[\w-]{16,}$/, references);
        const fresh = seen.size < seen.add(order.payment_reference).size;
        expectThat(fresh, { answer, path: 'data.payment_reference', expected: 'a new one', by: references });
      }
    },
  },
  {
    name: 'order ids carry the local time of the order in 14 digits',
    cites: [orderIds, zone],
    needs: 'writes',
    async run(probe) {
      const { answer, order } = await placeOrder(probe);
      expectText(answer, 'orderId', /^INV-\d{14}-[A-Z]{8}$/, orderIds);
      const { invoice } = await readInvoice(probe, order.order_id);
      const local = invoice.order.created_at.replace(/\D/g, '').slice(0, 14);
      expectText(answer, 'orderId', new RegExp(`^INV-${local}-`), orderIds);
    },
  },
  {
    name: 'expired_at has the offset of Asia/Jakarta',
    cites: [times, zone],
    needs: 'writes',
    async run(probe) {
      probe.need('sandboxCatalogue');
      if (probe.dialect.timezone !== null) throw new ConformanceSkip('the dialect has another time zone');
      const { answer } = await placeOrder(probe);
      expectText(answer, 'data.expired_at', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/, times);
    },
  },
  {
    name: "orders expire after the time of their method's group",
    cites: [limits, times],
    needs: 'writes',
    async run(probe) {
      const minutes = probe.dialect.expiryMinutes;
      for (const { id, group } of probe.need('methods')) {
        const { order } = await placeOrder(probe, { payment_method_id: id });
        const { answer, invoice } = await readInvoice(probe, order.order_id);
        const { created_at, expired_time } = invoice.order;
        // A created_at to the second may have dropped up to one of them.
        const wait = expired_time - Date.parse(created_at) / 1000 - minutes[group] * 60;
        const expected = `${minutes[group]} minutes after ${created_at}, for ${group}`;
        expectThat(Math.abs(wait) <= 1, { answer, path: 'order.expired_time', expected, by: limits });
      }
    },
  },
  {
    name: 'a QRIS code is a dynamic EMV QR for the total, in rupiah, with its checksum',
    cites: [`${table}/12`, `${table}/22`],
    needs: 'writes',
    async run(probe) {
      for (const { id } of methodsOf(probe, 'QRIS')) {
        const by: Citation = `${table}/${id}`;
        const { answer, order } = await placeOrder(probe, { payment_method_id: id, quantity: 2 });
        const code = order.payment_code;
        const fields = readEmvQr(code);
        const wanted = { '01': '12', 53: '360', 54: String(order.total_price), 58: 'ID' };
        for (const [tag, value] of Object.entries(wanted)) {
          const expected = `an EMV QR with ${tag}=${value}`;
          expectThat(fields?.get(tag) === value, { answer, path: 'data.payment_code', expected, by });
        }
        const end = `6304${checksum(code.slice(0, -4))}`;
        expectThat(code.endsWith(end), {
          answer,
          path: 'data.payment_code',
          expected: `${end} at its end`,
          by,
        });
      }
    },
  },
  {
    name: 'QR methods have a picture at /pay/{reference}/qr.svg, the others none',
    cites: [qrPicture, 'interface 2.3/qr_url'],
    needs: 'writes',
    async run(probe) {
      for (const { id, group } of probe.need('methods')) {
        const { answer, order } = await placeOrder(probe, { payment_method_id: id });
        const path = `/pay/${order.payment_reference}/qr.svg`;
        if (group !== 'QRIS') expectAt(answer, 'data.qr_url', null, qrPicture);
        else expectText(answer, 'data.qr_url', new RegExp(`^https?://[^/]+.*${path}$`), qrPicture);
      }
    },
  },
  {
    name: 'virtual accounts, shops and bank accounts are paid by number',
    cites: [
      `${table}/13-BRIVA-15-BNIVA-16-MANDIRIVA`,
      `${table}/14`,
      `${table}/17-ALFAMART-18-INDOMARET`,
      `${table}/21`,
    ],
    needs: 'writes',
    async run(probe) {
      for (const { id, group } of methodsOf(probe, 'Virtual Account', 'Retail', 'Bank Transfer')) {
        const { answer } = await placeOrder(probe, { payment_method_id: id });
        const shape = group === 'Retail' ? /^\w{6,}$/ : /^\d{8,}$/;
        expectText(answer, 'data.payment_code', shape, `${table}/14`);
      }
    },
  },
  {
    name: 'e-wallets are paid at an address',
    cites: [`${table}/19-DANA-20-SHOPEEPAY`],
    needs: 'writes',
    async run(probe) {
      for (const { id } of methodsOf(probe, 'E-Wallet')) {
        const { answer } = await placeOrder(probe, { payment_method_id: id });
        expectUrl(answer, 'data.payment_code', `${table}/19-DANA-20-SHOPEEPAY`);
      }
    },
  },
  {
    name: 'the checkout shows each method with its fees and limits',
    cites: ['open-points Routes/Payment-method-live-id-code-name', `${table}/21`],
    needs: 'reads',
    async run(probe) {
      const by: Citation = 'open-points Routes/Payment-method-live-id-code-name';
      const facts = probe.need('methods');
      const answer = await probe.get(`/order/${probe.sample.order.game}`);
      const { paymentMethods } = readAt(probe, answer, { schema: answerSchemas.getCheckout, rows: () => by });
      for (const { id, code, group, fee, basisPoints, minimum, maximum } of facts) {
        const index = paymentMethods.findIndex((method) => method.id === id);
        const wanted = { code, group, fee, fee_percent: basisPoints / 100 };
        for (const [field, value] of Object.entries(wanted))
          expectAt(answer, `paymentMethods.${index}.${field}`, value, by);
        expectAt(answer, `paymentMethods.${index}.minimum_amount`, minimum, by);
        expectAt(answer, `paymentMethods.${index}.maximum_amount`, maximum, by);
      }
    },
  },
];
