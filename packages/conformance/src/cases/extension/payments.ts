import type { PaymentGroup } from '@topup-kit/core/contract';
import { responseSchemas } from '@topup-kit/core/schemas';
import { expectAt, expectText, expectThat, expectUrl, readAt } from '../../assertions.ts';
import { ConformanceSkip, type SpecReference } from '../../failure.ts';
import type { PaymentMethodInfo } from '../../fixture.ts';
import { placeOrder, readInvoice } from '../../orders.ts';
import { type Probe, reads, type Topic, writes } from '../../probe.ts';

const table = 'open-points Payment-methods-of-the-sandbox-catalogue';
const never: SpecReference =
  'open-points Identifiers-addresses-and-times/payment_code-and-payment_url-are-never-null';
const qrPicture: SpecReference = 'open-points Identifiers-addresses-and-times/qr_url-is-our-image-at-pay';
const references: SpecReference =
  'open-points Identifiers-addresses-and-times/payment_reference-is-the-gateway-s-reference';
const words: SpecReference = 'open-points Errors/message-of-a-201-is-Pesanan';
const times: SpecReference = 'open-points Identifiers-addresses-and-times/expired_at-is-ISO-8601-with-the';
const zone: SpecReference = 'open-points Identifiers-addresses-and-times/The-time-zone-is-configurable-the';
const orderIds: SpecReference =
  'open-points Identifiers-addresses-and-times/order_id-INV-local-YYYYMMDDHHmmss-8-letters';
const limits: SpecReference = 'open-points Limits/expiry-QR-30-min-e-wallet';

const methodsOf = (probe: Probe, ...groups: PaymentGroup[]): PaymentMethodInfo[] =>
  probe.need('methods').filter(({ group }) => groups.includes(group));

// This code doesn't use the gateway's QR code functions, so that it detects mistakes in them.

/** CRC-16/CCITT-FALSE: polynomial 1021, initial value FFFF, nothing reflected; four upper-case hex digits. */
function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** Reads the fields of an EMV QR (two digits for the tag, two for the length, then the value); undefined for other text. */
function readEmvQr(text: string): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  let rest = text;
  while (rest !== '') {
    const [, tag, length] = /^(\d\d)(\d\d)/.exec(rest) ?? [];
    if (tag === undefined || rest.length < 4 + Number(length)) return undefined;
    fields.set(tag, rest.slice(4, 4 + Number(length)));
    rest = rest.slice(4 + Number(length));
  }
  return fields;
}

export const paymentCases: Topic = {
  'a created order has its success message': writes([words], async (probe) => {
    const { response } = await placeOrder(probe);
    expectAt(response, 'message', 'Pesanan berhasil dibuat.', words);
  }),
  'every method gives a code, a page and an unguessable reference of its own': writes(
    [never, references],
    async (probe) => {
      const earlier = new Set<string>();
      for (const { id } of probe.need('methods')) {
        const { response, order } = await placeOrder(probe, { payment_method_id: id });
        expectText(response, 'data.payment_code', /\S/, never);
        expectUrl(response, 'data.payment_url', never);
        // 16 random letters and digits can't be guessed.
        expectText(response, 'data.payment_reference', /^[\w-]{16,}$/, references);
        const fresh = earlier.size < earlier.add(order.payment_reference).size;
        expectThat(fresh, response, 'data.payment_reference', 'a new one', references);
      }
    },
  ),
  'order ids carry the local time of the order in 14 digits': writes([orderIds, zone], async (probe) => {
    const { response, order } = await placeOrder(probe);
    expectText(response, 'orderId', /^INV-\d{14}-[A-Z]{8}$/, orderIds);
    const { invoice } = await readInvoice(probe, order.order_id);
    const local = invoice.order.created_at.replace(/\D/g, '').slice(0, 14);
    expectText(response, 'orderId', new RegExp(`^INV-${local}-`), orderIds);
  }),
  'expired_at has the offset of Asia/Jakarta': writes([times, zone], async (probe) => {
    probe.need('sandboxCatalogue');
    if (probe.dialect.timezone !== null) throw new ConformanceSkip('the dialect has another time zone');
    const { response } = await placeOrder(probe);
    expectText(response, 'data.expired_at', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/, times);
  }),
  "orders expire after the time of their method's group": writes([limits, times], async (probe) => {
    const minutes = probe.dialect.expiryMinutes;
    for (const { id, group } of probe.need('methods')) {
      const { order } = await placeOrder(probe, { payment_method_id: id });
      const { response, invoice } = await readInvoice(probe, order.order_id);
      const { created_at, expired_time } = invoice.order;
      // Rounding created_at to whole seconds may have removed up to one second.
      const wait = expired_time - Date.parse(created_at) / 1000 - minutes[group] * 60;
      const expected = `${minutes[group]} minutes after ${created_at}, for ${group}`;
      expectThat(Math.abs(wait) <= 1, response, 'order.expired_time', expected, limits);
    }
  }),
  'a QRIS code is a dynamic EMV QR for the total, in rupiah, with its checksum': writes(
    [`${table}/12`, `${table}/22`],
    async (probe) => {
      for (const { id } of methodsOf(probe, 'QRIS')) {
        const by: SpecReference = `${table}/${id}`;
        const { response, order } = await placeOrder(probe, { payment_method_id: id, quantity: 2 });
        const code = order.payment_code;
        const fields = readEmvQr(code);
        const wanted = { '01': '12', 53: '360', 54: String(order.total_price), 58: 'ID' };
        for (const [tag, value] of Object.entries(wanted)) {
          const expected = `an EMV QR with ${tag}=${value}`;
          expectThat(fields?.get(tag) === value, response, 'data.payment_code', expected, by);
        }
        const end = `6304${checksum(code.slice(0, -4))}`;
        expectThat(code.endsWith(end), response, 'data.payment_code', `${end} at its end`, by);
      }
    },
  ),
  'QR methods have a picture at an unguessable /pay/{reference}/qr.svg, the others none': writes(
    [qrPicture, 'interface 2.3/qr_url'],
    async (probe) => {
      const earlier = new Set<string | null>();
      for (const { id, group } of probe.need('methods')) {
        const { response, order } = await placeOrder(probe, { payment_method_id: id });
        if (group !== 'QRIS') expectAt(response, 'data.qr_url', null, qrPicture);
        else {
          // 16 random letters and digits can't be guessed.
          expectText(response, 'data.qr_url', /^https?:\/\/[^/]+.*\/pay\/[\w-]{16,}\/qr\.svg$/, qrPicture);
          const fresh = earlier.size < earlier.add(order.qr_url).size;
          expectThat(fresh, response, 'data.qr_url', 'a new one', qrPicture);
        }
      }
    },
  ),
  'virtual accounts, shops and bank accounts are paid by number': writes(
    [
      `${table}/13-BRIVA-15-BNIVA-16-MANDIRIVA`,
      `${table}/14`,
      `${table}/17-ALFAMART-18-INDOMARET`,
      `${table}/21`,
    ],
    async (probe) => {
      for (const { id, group } of methodsOf(probe, 'Virtual Account', 'Retail', 'Bank Transfer')) {
        const { response } = await placeOrder(probe, { payment_method_id: id });
        const shape = group === 'Retail' ? /^\w{6,}$/ : /^\d{8,}$/;
        expectText(response, 'data.payment_code', shape, `${table}/14`);
      }
    },
  ),
  'e-wallets are paid at an address': writes([`${table}/19-DANA-20-SHOPEEPAY`], async (probe) => {
    for (const { id } of methodsOf(probe, 'E-Wallet')) {
      const { response } = await placeOrder(probe, { payment_method_id: id });
      expectUrl(response, 'data.payment_code', `${table}/19-DANA-20-SHOPEEPAY`);
    }
  }),
  'the checkout shows each method with its fees and limits': reads(
    ['open-points Routes/Payment-method-live-id-code-name', `${table}/21`],
    async (probe) => {
      const by: SpecReference = 'open-points Routes/Payment-method-live-id-code-name';
      const known = probe.need('methods');
      const response = await probe.get(`/order/${probe.fixture.order.game}`);
      const { paymentMethods } = readAt(probe, response, {
        schema: responseSchemas.getCheckout,
        rows: () => by,
      });
      for (const { id, code, group, fee, basisPoints, minimum, maximum } of known) {
        const index = paymentMethods.findIndex((method) => method.id === id);
        const wanted = { code, group, fee, fee_percent: basisPoints / 100 };
        for (const [field, value] of Object.entries(wanted))
          expectAt(response, `paymentMethods.${index}.${field}`, value, by);
        expectAt(response, `paymentMethods.${index}.minimum_amount`, minimum, by);
        expectAt(response, `paymentMethods.${index}.maximum_amount`, maximum, by);
      }
    },
  ),
};
