import type {
  FindPaymentResult,
  GatewayPayment,
  RemoteGateway,
  UnusablePayment,
} from '@topup-kit/core/gateway';
import type { Clock } from '@topup-kit/core/platform';
import * as z from 'zod/mini';
import {
  createProviderHttp,
  isRejection,
  type ProviderRequest,
  requestLifetimeMs,
  shorten,
  withPrevious,
} from '../http.ts';
import { text, whole } from '../readers.ts';
import { createMidtransCallbacks } from './callback.ts';
import type { MidtransSettings } from './settings.ts';
import { askedAmount, paymentState, reportOf, withoutImposedFee } from './status.ts';

const qris = { payment_type: 'qris', qris: { acquirer: 'gopay' } };
const virtualAccount = (bank: string) => ({ payment_type: 'bank_transfer', bank_transfer: { bank } });

/** Request for each payment method, by its code. */
export const charges: ReadonlyMap<string, object> = new Map(
  Object.entries<object>({
    QRIS: qris,
    QRIS2: qris,
    QRISC: qris,
    BCAVA: virtualAccount('bca'),
    BNIVA: virtualAccount('bni'),
    BRIVA: virtualAccount('bri'),
    MANDIRIVA: { payment_type: 'echannel', echannel: { bill_info1: 'Payment:', bill_info2: 'Top-up' } },
  }),
);

/** Matches valid order ids of Midtrans. */
const orderIdFormat = /^[A-Za-z0-9\-_~.]{1,50}$/;

/** Maximum length of ids and names of items, in characters. */
const maxItemText = 50;

const answer = z.looseObject({ status_code: text, status_message: z.optional(z.string()) });

const payment = z.looseObject({ order_id: z.string(), transaction_id: paymentState.transaction_id });

const filled = text.check(z.minLength(1));

/** Schema of payment data, with the fields of all kinds of payments. */
const payable = z.object({
  gross_amount: whole,
  qr_string: z.optional(filled),
  va_numbers: z.optional(z.array(z.object({ va_number: filled })).check(z.minLength(1))),
  biller_code: z.optional(filled),
  bill_key: z.optional(filled),
});

/** Returns the data for paying `total`, or the reason why the payment is unusable. */
function paymentOf(charged: z.infer<typeof payment>, total: number): GatewayPayment | UnusablePayment {
  const reference = charged.transaction_id;
  const { success, data, error } = payable.safeParse(charged);
  if (!success)
    return { reference, unusable: `${error.issues[0]?.path.join('.')} of a Midtrans payment is invalid.` };
  if (askedAmount(charged, data.gross_amount) !== total)
    return {
      reference,
      unusable: `Midtrans asks the customer for ${data.gross_amount} instead of ${total}.`,
    };
  const { qr_string: qrString, va_numbers: accounts, biller_code: biller, bill_key: key } = data;
  if (qrString) return { reference, code: qrString, qrString };
  if (accounts?.[0]) return { reference, code: accounts[0].va_number };
  if (biller && key) return { reference, code: `Biller code ${biller}, bill key ${key}` };
  return { reference, unusable: 'Midtrans returned no QR code or payment number.' };
}

/** Creates the gateway Midtrans, which uses its Core API: QRIS, and the virtual accounts of BCA, BNI, BRI and Mandiri. */
export function createMidtransGateway(
  { serverKey, signatureKey, previousSignatureKey, baseUrl }: MidtransSettings,
  /** `clock` is in unix milliseconds. */
  { clock }: { clock: Clock },
): RemoteGateway {
  const signatureKeys = withPrevious(signatureKey, previousSignatureKey);
  const credentials = Buffer.from(`${serverKey}:`).toString('base64');
  const http = createProviderHttp({
    title: 'Midtrans',
    baseUrl,
    headers: { Authorization: `Basic ${credentials}` },
    secrets: [credentials, serverKey, ...signatureKeys],
  });

  /** Sends a request. The status is in the body, because many errors have the HTTP status 200. */
  async function send(request: ProviderRequest) {
    const about = `${request.method} /${request.path}`;
    const { status, body } = await http.send(request);
    const { success, data } = answer.safeParse(body);
    if (!success)
      throw http.error(`${about} got a response with status ${status} that is not as documented.`);
    const rejection = () =>
      http.error(`${about}: ${data.status_code} ${data.status_message ?? ''}`.trimEnd());
    /** True if connection and body both prove that there is no payment. */
    const isRejected =
      status < 500 && isRejection(Number(data.status_code)) && data.transaction_id === undefined;
    return { about, statusCode: data.status_code, body: data, rejection, isRejected };
  }

  /** Reads the fields of a schema from a response about this order's payment. */
  function read<Data extends { order_id: string }>(
    schema: z.ZodMiniType<Data>,
    { body, about, rejection }: Awaited<ReturnType<typeof send>>,
    orderId: string,
  ): Data {
    if (body.transaction_id === undefined) throw rejection();
    const { success, data, error } = schema.safeParse(body);
    if (!success)
      throw http.error(`${about} got a response with an invalid ${error.issues[0]?.path.join('.')}.`);
    if (data.order_id !== orderId)
      throw http.error(`${about} got a response about a payment that is not ${orderId}.`);
    return data;
  }

  const askStatus = (orderId: string, signal: AbortSignal) =>
    send({ method: 'GET', path: `v2/${encodeURIComponent(orderId)}/status`, signal });

  return {
    kind: 'remote',
    name: 'midtrans',
    sandbox: false,
    callbacks: createMidtransCallbacks(signatureKeys),
    supports: ({ code }) => charges.has(code),

    /** Requests an unknown order. The response would not be 404 if the key were wrong. */
    async checkAccess(signal) {
      const { statusCode, rejection } = await askStatus('topup-kit-access-check', signal);
      if (statusCode !== '404' && statusCode !== '200') throw rejection();
    },

    async createPayment({ orderId, amount, method, expiresAt, customer, items }, signal) {
      const charge = charges.get(method.code);
      const unsent = (why: string) => ({ rejected: http.error(why).message });
      if (!charge) return unsent(`the payment method ${method.code} is not supported.`);
      if (!orderIdFormat.test(orderId)) return unsent(`${orderId} is not an order id that Midtrans accepts.`);
      const response = await send({
        method: 'POST',
        path: 'v2/charge',
        // An order id is charged only once, so it also identifies repeated requests.
        headers: { 'Idempotency-Key': orderId },
        json: {
          ...charge,
          transaction_details: { order_id: orderId, gross_amount: amount },
          item_details: items.map(({ sku, name, price, quantity }) => ({
            ...(sku !== null && { id: shorten(sku, maxItemText) }),
            name: shorten(name, maxItemText),
            price,
            quantity,
          })),
          customer_details: {
            first_name: customer.name ?? customer.phone,
            phone: customer.phone,
            ...(customer.email !== null && { email: customer.email }),
          },
          custom_expiry: { expiry_duration: Math.floor((expiresAt - clock()) / 1000), unit: 'second' },
        },
        signal,
      });
      if (response.isRejected) return { rejected: response.rejection().message };
      if (!['200', '201'].includes(response.statusCode)) throw response.rejection();
      return paymentOf(read(payment, response, orderId), amount);
    },

    /** The documentation doesn't show a QR code in the status of a QRIS payment. Without the code, the customer can't pay. */
    async findPayment({ orderId, amount, ageMs }, signal): Promise<FindPaymentResult> {
      const response = await askStatus(orderId, signal);
      if (response.statusCode === '404' && ageMs < requestLifetimeMs)
        throw http.error(`There is no payment for ${orderId} yet, but its request may still create one.`);
      if (response.statusCode === '404') return { state: 'absent' };
      return { state: 'found', payment: paymentOf(read(payment, response, orderId), amount) };
    },

    async checkPayment({ orderId, reference }, signal) {
      const response = await askStatus(orderId, signal);
      const state = withoutImposedFee(response.body, read(z.object(paymentState), response, orderId));
      if (state.transaction_id !== reference)
        throw http.error(`${orderId} has the payment ${state.transaction_id}, not ${reference}.`);
      const report = reportOf(state);
      if (!report) throw http.error(`${orderId} was partly refunded, but the response has no refund_amount.`);
      return report;
    },
  };
}
