import { randomUUID } from 'node:crypto';
import { emvQr } from '@topup-kit/core/gateway';
import { midtransSettings } from '@topup-kit/providers/midtrans/settings';
import { notificationSignature } from '@topup-kit/providers/midtrans/signature';
import * as z from 'zod/mini';
import type { CallbackOutcome } from '../callbacks.ts';
import {
  action,
  ControlError,
  createSequence,
  guarded,
  payInput,
  type SimulatedRequest,
  type SimulatedResponse,
  type Simulator,
  type SimulatorContext,
  sumOf,
  wholeNumber,
  wrongState,
} from '../simulator.ts';
import { type ChargeRequest, expiryOf, readChargeRequest } from './request.ts';

/** The key in Midtrans's example, so that the published signature is valid here. */
const credentials = { MIDTRANS_SERVER_KEY: midtransSettings.serverKey.published };

/** The simulated statuses of a payment, and their `status_code`. 200 does not mean paid. */
const statusCodes = {
  pending: '201',
  settlement: '200',
  deny: '202',
  cancel: '200',
  expire: '407',
  refund: '200',
  partial_refund: '200',
};
type Status = keyof typeof statusCodes;

interface Payment {
  transactionId: string;
  request: ChargeRequest;
  status: Status;
  /** The amount in the notification, which the customer paid, in rupiah. */
  amount: number;
  number: string;
  qrString: string | null;
  notificationUrls: readonly string[];
  /** Unix milliseconds. */
  createdAt: number;
  expiresAt: number;
  settledAt: number | null;
  paidAmounts: number[];
  /** Refunds of the last payment: amounts in rupiah, and times in unix milliseconds. */
  refunds: { amount: number; at: number }[];
}

/** Number of retries after a response with this status; five after any other failure. */
const retriesAfter: Readonly<Record<number, number>> = { 400: 2, 404: 2, 500: 1, 503: 4 };
const retryMinutes = [2, 10, 30, 90, 210];

function retryAfter(attempt: number, { status }: CallbackOutcome): number | null {
  if (status !== null && status >= 200 && status < 300) return null;
  const retries = retriesAfter[status ?? 0] ?? retryMinutes.length;
  const minutes = attempt <= retries ? retryMinutes[attempt - 1] : undefined;
  return minutes === undefined ? null : minutes * 60_000;
}

/** Time for which the response to an `Idempotency-Key` is stored, in milliseconds. */
const keptMs = 5 * 60_000;

const jakartaOffsetMs = 7 * 3_600_000;
const timeText = (ms: number): string =>
  new Date(ms + jakartaOffsetMs).toISOString().slice(0, 19).replace('T', ' ');
const amountText = (amount: number): string => `${amount}.00`;

/** Creates a response. The HTTP status is 200, and the body contains the operation's status. */
const answer = (statusCode: string, message: string, more: object = {}): SimulatedResponse => ({
  status: 200,
  body: { status_code: statusCode, status_message: message, ...more },
});

const orderIdOf = ({ request }: Payment): string => request.transaction_details.order_id;

/** Returns the total paid back so far. */
const refundedOf = ({ refunds }: Payment): number => sumOf(refunds.map(({ amount }) => amount));

/** Simulates Midtrans Core API: charges, their status and notifications. */
export function createMidtransSimulator(context: SimulatorContext): Simulator {
  const { world, callbacks, callbackUrl, fault } = context;
  const payments: Payment[] = [];
  const inFlight = new Set<string>();
  const kept = new Map<string, { response: SimulatedResponse; until: number }>();
  const sequence = createSequence(world);

  const find = (orderId: string | undefined): Payment | undefined =>
    payments.find((payment) => orderIdOf(payment) === orderId);

  /** Returns the fields that are specific to a payment type. */
  function detailsOf({ request, number, qrString }: Payment): object {
    if (request.payment_type === 'bank_transfer')
      return { va_numbers: [{ bank: request.bank_transfer.bank, va_number: number }] };
    if (request.payment_type === 'echannel') return { bill_key: number, biller_code: '70012' };
    const url = `${context.url()}/qr/midtrans/${encodeURIComponent(request.transaction_details.order_id)}`;
    return {
      acquirer: request.qris?.acquirer ?? 'gopay',
      actions: [{ name: 'generate-qr-code', method: 'GET', url }],
      qr_string: qrString,
    };
  }

  const paymentFields = (payment: Payment) => ({
    transaction_id: payment.transactionId,
    order_id: orderIdOf(payment),
    merchant_id: 'G000000000',
    gross_amount: amountText(payment.amount),
    currency: 'IDR',
    payment_type: payment.request.payment_type,
    transaction_time: timeText(payment.createdAt),
    transaction_status: payment.status,
    fraud_status: payment.status === 'deny' ? 'deny' : 'accept',
    expiry_time: timeText(payment.expiresAt),
    ...(payment.settledAt !== null && { settlement_time: timeText(payment.settledAt) }),
    ...(payment.refunds.length > 0 && {
      refund_amount: amountText(refundedOf(payment)),
      refunds: payment.refunds.map(({ amount, at }, index) => ({
        refund_chargeback_id: index + 1,
        refund_amount: amountText(amount),
        created_at: timeText(at),
        reason: 'requested by the merchant',
        refund_key: `${orderIdOf(payment)}-refund-${index + 1}`,
      })),
    }),
  });

  function signatureOf(payment: Payment, serverKey: string): string {
    const [statusCode, grossAmount] = [statusCodes[payment.status], amountText(payment.amount)];
    return notificationSignature(serverKey, { orderId: orderIdOf(payment), statusCode, grossAmount });
  }

  function notify(payment: Payment): void {
    const bodyWith = (serverKey: string): string =>
      JSON.stringify({
        ...paymentFields(payment),
        status_code: statusCodes[payment.status],
        status_message: 'midtrans payment notification',
        signature_key: signatureOf(payment, serverKey),
      });
    for (const url of payment.notificationUrls)
      callbacks.send({
        subject: `${orderIdOf(payment)} ${url}`,
        event: payment.status,
        url,
        retryAfter,
        headers: {},
        forgedHeaders: {},
        body: bodyWith(credentials.MIDTRANS_SERVER_KEY),
        forgedBody: bodyWith('another key'),
      });
  }

  function change(payment: Payment, status: Status): void {
    payment.status = status;
    notify(payment);
  }

  function chargeNow({ body, headers }: SimulatedRequest): SimulatedResponse {
    const request = readChargeRequest(body);
    if (typeof request === 'string') return answer('400', request);
    const { order_id: orderId, gross_amount: amount } = request.transaction_details;
    if (find(orderId)) return answer('406', 'The order_id has already been used.', { id: randomUUID() });
    const override = headers.get('X-Override-Notification') ?? callbackUrl ?? '';
    const now = world.now();
    const number = sequence().slice(-16);
    const payment: Payment = {
      transactionId: randomUUID(),
      request,
      amount,
      number,
      status: 'pending',
      qrString: request.payment_type === 'qris' ? emvQr({ amount, reference: number }) : null,
      notificationUrls: override
        .split(',')
        .map((url) => url.trim())
        .filter((url) => URL.canParse(url)),
      createdAt: now,
      expiresAt: now + expiryOf(request),
      settledAt: null,
      paidAmounts: [],
      refunds: [],
    };
    payments.push(payment);
    notify(payment);
    world.at(payment.expiresAt, () => {
      if (payment.status === 'pending') change(payment, 'expire');
    });
    return answer(statusCodes.pending, 'Transaction is created', {
      ...paymentFields(payment),
      ...detailsOf(payment),
    });
  }

  /** Charges a payment. A repeated `Idempotency-Key` gets the same response for five minutes, or a 202 while the first request is in flight. */
  function charge(request: SimulatedRequest): SimulatedResponse {
    const key = request.headers.get('Idempotency-Key');
    if (key === null) return chargeNow(request);
    if (inFlight.has(key))
      return {
        status: 202,
        body: { status_code: '202', status_message: 'The first request is in progress.' },
      };
    const earlier = kept.get(key);
    if (earlier && earlier.until > world.now()) return earlier.response;
    const count = payments.length;
    const response = chargeNow(request);
    const isSuccess = payments.length > count;
    inFlight.add(key);
    return {
      ...response,
      onSent() {
        inFlight.delete(key);
        if (isSuccess) kept.set(key, { response, until: world.now() + keptMs });
      },
    };
  }

  function showStatus({ params }: SimulatedRequest): SimulatedResponse {
    const payment = find(params.order_id);
    if (!payment) return answer('404', "Transaction doesn't exist.", { id: randomUUID() });
    return answer(statusCodes[payment.status], 'Success, transaction is found', {
      ...paymentFields(payment),
      ...detailsOf(payment),
      signature_key: signatureOf(payment, credentials.MIDTRANS_SERVER_KEY),
    });
  }

  const authorization = `Basic ${Buffer.from(`${credentials.MIDTRANS_SERVER_KEY}:`).toString('base64')}`;
  const denied = {
    ...answer('401', 'Transaction cannot be authorized with the current server key.'),
    status: 401,
  };

  function known(reference: string): Payment {
    const payment = find(reference);
    if (!payment) throw new ControlError(404, `Midtrans has no payment with the order_id ${reference}.`);
    return payment;
  }

  const act = (to: Status, from: Status) =>
    action(z.object({ reference: z.string() }), ({ reference }) => {
      const payment = known(reference);
      if (payment.status !== from) throw wrongState(reference, payment.status, `it must be ${from}`);
      change(payment, to);
      return paymentFields(payment);
    });

  const pay = action(payInput, ({ reference, amount, late }) => {
    const payment = known(reference);
    if (payment.status !== 'pending' && !late)
      throw wrongState(reference, payment.status, '"late": true pays it anyway');
    const owed = payment.request.transaction_details.gross_amount;
    payment.amount = amount ?? (fault('wrong-amount', 'pay') ? owed - 1 : owed);
    payment.settledAt = world.now();
    payment.refunds = [];
    payment.paidAmounts.push(payment.amount);
    change(payment, 'settlement');
    return paymentFields(payment);
  });

  /** Input for a refund of the remaining amount, or of a part of it. */
  const refundInput = z.object({ reference: z.string(), amount: z.optional(wholeNumber) });
  const refund = action(refundInput, ({ reference, amount }) => {
    const payment = known(reference);
    if (payment.status !== 'settlement' && payment.status !== 'partial_refund')
      throw wrongState(reference, payment.status, 'it must be settlement');
    const left = payment.amount - refundedOf(payment);
    const paidBack = amount ?? left;
    if (paidBack === 0 || paidBack > left)
      throw new ControlError(409, `${paidBack} of ${reference} can't be refunded: only ${left} is left.`);
    payment.refunds.push({ amount: paidBack, at: world.now() });
    change(payment, paidBack === left ? 'refund' : 'partial_refund');
    return paymentFields(payment);
  });

  return {
    basePath: '/midtrans',
    credentials,
    operations: guarded(
      [
        { name: 'charge', method: 'POST', path: '/v2/charge', handle: charge },
        { name: 'status', method: 'GET', path: '/v2/:order_id/status', handle: showStatus },
      ],
      ({ headers }) => headers.get('Authorization') === authorization,
      denied,
    ),
    actions: {
      pay,
      fail: act('deny', 'pending'),
      expire: act('expire', 'pending'),
      cancel: act('cancel', 'pending'),
      refund,
    },
    books() {
      const charges = payments.map((payment) => ({
        order_id: orderIdOf(payment),
        transaction_id: payment.transactionId,
        payment_type: payment.request.payment_type,
        amount: payment.request.transaction_details.gross_amount,
        status: payment.status,
        paid_amounts: payment.paidAmounts,
        refunded: refundedOf(payment),
      }));
      return { payments: charges, charged: sumOf(payments.flatMap(({ paidAmounts }) => paidAmounts)) };
    },
    payments: () =>
      payments.map((payment) => ({
        reference: orderIdOf(payment),
        merchantRef: orderIdOf(payment),
        method: payment.request.payment_type,
        amount: payment.request.transaction_details.gross_amount,
        status: payment.status,
        code: payment.qrString === null ? payment.number : null,
        qrString: payment.qrString,
        returnUrl: null,
      })),
  };
}
