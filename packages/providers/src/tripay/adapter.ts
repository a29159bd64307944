import type { ListedPayment, PaymentReport, PaymentRequest, RemoteGateway } from '@topup-kit/core/gateway';
import * as z from 'zod/mini';
import {
  createProviderHttp,
  isRejection,
  type ProviderRequest,
  requestLifetimeMs,
  shorten,
  withPrevious,
} from '../http.ts';
import type { ProviderHost } from '../provider.ts';
import { createRowReader, id, whole } from '../readers.ts';
import { createTripayCallbacks } from './callback.ts';
import { channels } from './channels.ts';
import type { TripaySettings } from './settings.ts';
import { requestSignature } from './signature.ts';
import { moment, paymentOf, reportOf, statuses, transactionState } from './transaction.ts';

const envelope = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), data: z.unknown() }),
  z.object({ success: z.literal(false), message: z.string() }),
]);

/** Maximum length of a transaction's texts, in characters. */
const maxText = 255;

/** Schema that identifies a transaction. Its other fields are checked afterwards. */
const transaction = z.looseObject({ reference: id, merchant_ref: z.nullish(z.string()) });

const row = z.object({
  ...transactionState,
  reference: id,
  merchant_ref: z.nullish(z.string()),
  amount: whole,
});
const listed = z.array(row);

const rowReport = ({ status, amount, paid_at: paidAt, total_fee: fee }: z.infer<typeof row>): PaymentReport =>
  reportOf({ status, amount, paidAt, fee });

const newestRow = z.extend(row, { created_at: moment });

/** Maximum number of transactions on a page. */
const pageSize = 50;

const channelOf = ({ code }: PaymentRequest['method']) => channels.find((channel) => channel.code === code);

/** Creates the gateway Tripay, with closed payments of its channels by the payment method's code. */
export function createTripayGateway(
  settings: TripaySettings,
  { warn }: Pick<ProviderHost, 'warn'> = {},
): RemoteGateway {
  const { apiKey, privateKey, previousPrivateKey, merchantCode, baseUrl, fallbackEmail } = settings;
  const privateKeys = withPrevious(privateKey, previousPrivateKey);
  const http = createProviderHttp({
    title: 'Tripay',
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    secrets: [apiKey, ...privateKeys],
  });
  const readRows = createRowReader(http, warn);

  /** Sends a request. Returns the `data` of its response, or the reason why it certainly had no effect. */
  async function trySend<Data>(
    schema: z.ZodMiniType<Data>,
    request: ProviderRequest,
  ): Promise<{ data: Data } | { rejection: Error }> {
    const about = `${request.method} /${request.path}`;
    const { status, body } = await http.send(request);
    const { success, data } = envelope.safeParse(body);
    if (!success)
      throw http.error(`${about} got a response with status ${status} that is not as documented.`);
    if (!data.success) {
      const rejection = http.error(`${about} was rejected with status ${status}: ${data.message}`);
      if (isRejection(status)) return { rejection };
      throw rejection;
    }
    const parsed = schema.safeParse(data.data);
    if (parsed.success) return { data: parsed.data };
    const field = ['data', ...(parsed.error.issues[0]?.path ?? [])].join('.');
    throw http.error(`${about} got a response with an invalid ${field}.`);
  }

  async function send<Data>(schema: z.ZodMiniType<Data>, request: ProviderRequest): Promise<Data> {
    const outcome = await trySend(schema, request);
    if ('rejection' in outcome) throw outcome.rejection;
    return outcome.data;
  }

  /** Looks up transactions by Tripay's reference or our reference, which must match exactly. */
  async function list(by: 'reference' | 'merchant_ref', value: string, signal: AbortSignal) {
    const rows = await send(listed, {
      method: 'GET',
      path: 'merchant/transactions',
      query: { [by]: value },
      signal,
    });
    if (rows.some((row) => row[by] !== value))
      throw http.error(`GET /merchant/transactions listed transactions of another ${by}.`);
    return rows;
  }

  return {
    kind: 'remote',
    name: 'tripay',
    sandbox: false,
    callbacks: createTripayCallbacks(privateKeys),
    supports: (method) => channelOf(method) !== undefined,

    expiryLimits(method) {
      const channel = channelOf(method);
      return channel ? { min: channel.minMinutes * 60_000, max: channel.maxMinutes * 60_000 } : {};
    },

    async checkAccess(signal) {
      await send(z.unknown(), { method: 'GET', path: 'merchant/payment-channel', signal });
    },

    async createPayment(request, signal) {
      const { orderId, customer } = request;
      const outcome = await trySend(transaction, {
        method: 'POST',
        path: 'transaction/create',
        json: {
          method: request.method.code,
          merchant_ref: orderId,
          amount: request.amount,
          customer_name: shorten(customer.name ?? customer.phone, maxText),
          customer_email: customer.email ?? fallbackEmail,
          customer_phone: customer.phone,
          order_items: request.items.map(({ sku, name, price, quantity }) => ({
            ...(sku !== null && { sku: shorten(sku, maxText) }),
            name: shorten(name, maxText),
            price,
            quantity,
          })),
          ...(request.returnUrl !== undefined && { return_url: request.returnUrl }),
          expired_time: Math.floor(request.expiresAt / 1000),
          signature: requestSignature(privateKey, {
            merchantCode,
            merchantRef: orderId,
            amount: request.amount,
          }),
        },
        signal,
      });
      if ('rejection' in outcome) return { rejected: outcome.rejection.message };
      const created = outcome.data;
      // `findPayment` then searches for this order's transaction.
      if (created.merchant_ref !== orderId)
        throw http.error(
          `POST /transaction/create got ${created.reference}, which belongs to another order than ${orderId}.`,
        );
      return paymentOf(created, request.amount);
    },

    /** A `merchant_ref` may have several transactions. A paid transaction takes precedence, then a transaction that can be paid. */
    async findPayment({ orderId, amount: total, ageMs }, signal) {
      const rows = await list('merchant_ref', orderId, signal);
      const rank = (row: (typeof rows)[number]): number =>
        statuses.indexOf(row.status) * 2 + Number(row.amount !== total);
      const [first] = rows.toSorted((a, b) => rank(a) - rank(b) || (a.reference < b.reference ? -1 : 1));
      if (!first && ageMs < requestLifetimeMs)
        throw http.error(`There is no transaction for ${orderId} yet, but its request may still create one.`);
      if (!first) return { state: 'absent' };
      // The documentation doesn't show a QR code in the list.
      const detail = await send(transaction, {
        method: 'GET',
        path: 'transaction/detail',
        query: { reference: first.reference },
        signal,
      });
      if (detail.reference !== first.reference)
        throw http.error(`GET /transaction/detail is not about ${first.reference}.`);
      return { state: 'found', payment: paymentOf(detail, total) };
    },

    /** Reads the newest transactions first, so that transactions created in the meantime only cause repetitions. */
    async listPayments(since, signal) {
      const payments = new Map<string, ListedPayment>();
      for (let page = 1; ; page += 1) {
        const query = { page: String(page), per_page: String(pageSize), sort: 'desc' };
        const list = await send(z.array(z.unknown()), {
          method: 'GET',
          path: 'merchant/transactions',
          query,
          signal,
        });
        const rows = readRows(list, newestRow, { about: 'GET /merchant/transactions', name: 'reference' });
        const [first] = rows;
        if (page > 1 && list.length === pageSize && first && [...payments.keys()][0] === first.reference)
          throw http.error('GET /merchant/transactions keeps returning the first page.');
        for (const row of rows)
          payments.set(row.reference, {
            reference: row.reference,
            orderId: row.merchant_ref || null,
            report: rowReport(row),
          });
        const last = rows.at(-1);
        if (!last || list.length < pageSize || last.created_at * 1000 < since) return [...payments.values()];
      }
    },

    /** Reads the list, because only the list is known to contain the time of payment. */
    async checkPayment(payment, signal) {
      const [row] = await list('reference', payment.reference, signal);
      if (row?.merchant_ref !== payment.orderId)
        throw http.error(`There is no transaction ${payment.reference} for ${payment.orderId}.`);
      return rowReport(row);
    },
  };
}
