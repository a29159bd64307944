import { emvQr } from '@topup-kit/core/gateway';
import { type Channel, channels } from '@topup-kit/providers/tripay/channels';
import { tripaySettings } from '@topup-kit/providers/tripay/settings';
import { callbackSignature, requestSignature } from '@topup-kit/providers/tripay/signature';
import * as z from 'zod/mini';
import type { CallbackOutcome } from '../callbacks.ts';
import {
  action,
  ControlError,
  createSequence,
  guarded,
  jsonObject,
  type Operation,
  payInput,
  type SimulatedRequest,
  type SimulatedResponse,
  type Simulator,
  type SimulatorContext,
  seconds,
  sumOf,
  wrongState,
} from '../simulator.ts';
import { type CreateRequest, readCreateRequest } from './request.ts';

/** The values in Tripay's example, so that the published signature is valid here. */
const credentials = {
  TRIPAY_API_KEY: tripaySettings.apiKey.published,
  TRIPAY_PRIVATE_KEY: tripaySettings.privateKey.published,
  TRIPAY_MERCHANT_CODE: 'T0001',
};

type Status = 'UNPAID' | 'PAID' | 'FAILED' | 'EXPIRED' | 'REFUND';

interface Transaction {
  reference: string;
  channel: Channel;
  request: CreateRequest;
  feeMerchant: number;
  feeCustomer: number;
  payCode: string | null;
  qrString: string | null;
  status: Status;
  /** Unix seconds. */
  createdAt: number;
  expiresAt: number;
  paidAt: number | null;
  /** The customer's payments for the transaction, in rupiah. */
  paidAmounts: number[];
}

/** Allows three attempts in total, two minutes apart, until the response is `{"success": true}`. */
const retryAfter = (attempt: number, { status, body }: CallbackOutcome): number | null =>
  (status === 200 && jsonObject(body)?.success === true) || attempt >= 3 ? null : 2 * 60_000;

const failure = (status: number, message: string): SimulatedResponse => ({
  status,
  body: { success: false, message },
});
const done = (data: unknown, more: object = {}): SimulatedResponse => ({
  status: 200,
  body: { success: true, message: '', data, ...more },
});

/** Returns the fee for an amount, in whole rupiah. */
const feeOf = ({ flat, percent }: Channel, amount: number): number =>
  flat + Math.ceil((amount * percent) / 100);

const fee = ({ flat, percent }: Channel) => ({ flat, percent: percent.toFixed(2) });
const noFee = { flat: 0, percent: '0.00' };

const channelDocument = (channel: Channel, baseUrl: string) => ({
  group: channel.group,
  code: channel.code,
  name: channel.name,
  type: channel.type,
  fee_merchant: fee(channel),
  fee_customer: noFee,
  total_fee: fee(channel),
  minimum_fee: null,
  maximum_fee: null,
  minimum_amount: channel.minAmount,
  maximum_amount: channel.maxAmount,
  icon_url: `${baseUrl}/icons/${channel.code}.png`,
  active: true,
});

const instructions = (channel: Channel, payCode: string | null) => [
  {
    title: channel.name,
    steps: [payCode === null ? 'Open the page of the payment' : `Pay to ${payCode}`, 'Confirm the payment'],
  },
];

/** Returns the amount that the customer must pay. */
const amountOf = ({ request, feeCustomer }: Transaction): number => request.amount + feeCustomer;

/** Describes the error of a new transaction; undefined for a valid one. */
function problemOf(request: CreateRequest, channel: Channel | undefined, now: number): string | undefined {
  const { amount, order_items: items, expired_time: expires } = request;
  const signature = requestSignature(credentials.TRIPAY_PRIVATE_KEY, {
    merchantCode: credentials.TRIPAY_MERCHANT_CODE,
    merchantRef: request.merchant_ref,
    amount,
  });
  if (request.signature !== signature) return 'Invalid signature';
  if (!channel) return 'Payment channel is not available';
  if (amount < channel.minAmount) return `Minimum amount for this channel is ${channel.minAmount}`;
  if (amount > channel.maxAmount) return `Maximum amount for this channel is ${channel.maxAmount}`;
  if (items.reduce((sum, { price, quantity }) => sum + price * quantity, 0) !== amount)
    return 'Amount is not equal to the sum of order_items';
  if (channel.needsPhone && !request.customer_phone) return 'customer_phone is required for this channel';
  const minutes = expires === undefined ? channel.maxMinutes : (expires - seconds(now)) / 60;
  // The limits allow for the duration of the request.
  if (minutes < channel.minMinutes - 1 || minutes > channel.maxMinutes + 1)
    return `expired_time must be ${channel.minMinutes} to ${channel.maxMinutes} minutes ahead for this channel`;
  return undefined;
}

/** Looks up the channels of `?code=`, or all. */
const channelsOf = (query: URLSearchParams): Channel[] =>
  channels.filter(({ code }) => (query.get('code') ?? code) === code);

function calculateFees({ query }: SimulatedRequest): SimulatedResponse {
  const amount = Number(query.get('amount'));
  if (!Number.isInteger(amount) || amount <= 0) return failure(400, 'amount must be a whole number');
  return done(
    channelsOf(query).map((channel) => ({
      code: channel.code,
      name: channel.name,
      fee: { flat: channel.flat, percent: channel.percent.toFixed(2), min: null, max: null },
      total_fee: { merchant: feeOf(channel, amount), customer: 0 },
    })),
  );
}

function showInstructions({ query }: SimulatedRequest): SimulatedResponse {
  const [channel] = query.has('code') ? channelsOf(query) : [];
  return channel
    ? done(instructions(channel, query.get('pay_code')))
    : failure(400, 'Payment channel is not available');
}

const basePath = '/tripay/api';

/** Simulates Tripay: closed payments, their callbacks and the routes to look them up. */
export function createTripaySimulator(context: SimulatorContext): Simulator {
  const { world, callbacks, callbackUrl, fault } = context;
  const transactions: Transaction[] = [];
  const sequence = createSequence(world);

  const pageOf = (reference: string): string => `${context.url()}/pay/tripay/${reference}`;

  const document = (transaction: Transaction) => {
    const { request, channel, reference, feeMerchant, feeCustomer } = transaction;
    // A paid transaction shows the booked amount.
    const amount = transaction.paidAmounts.at(-1) ?? amountOf(transaction);
    return {
      reference,
      merchant_ref: request.merchant_ref,
      payment_selection_type: 'static',
      payment_method: channel.code,
      payment_name: channel.name,
      customer_name: request.customer_name,
      customer_email: request.customer_email,
      customer_phone: request.customer_phone ?? null,
      callback_url: request.callback_url ?? callbackUrl ?? null,
      return_url: request.return_url ?? null,
      amount,
      fee_merchant: feeMerchant,
      fee_customer: feeCustomer,
      total_fee: feeMerchant + feeCustomer,
      amount_received: amount - feeMerchant - feeCustomer,
      pay_code: transaction.payCode,
      pay_url: channel.type === 'redirect' ? pageOf(reference) : null,
      checkout_url: pageOf(reference),
      status: transaction.status,
      expired_time: transaction.expiresAt,
      order_items: request.order_items.map((item) => ({ ...item, subtotal: item.price * item.quantity })),
      instructions: instructions(channel, transaction.payCode),
      qr_string: transaction.qrString,
      qr_url: transaction.qrString === null ? null : `${context.url()}/qr/tripay/${reference}`,
    };
  };

  function sendCallback(transaction: Transaction, status: Status, paidAmount = amountOf(transaction)): void {
    const { request, channel, reference, feeMerchant, feeCustomer, paidAt } = transaction;
    const url = request.callback_url ?? callbackUrl;
    if (url === undefined) return;
    const body = JSON.stringify({
      reference,
      merchant_ref: request.merchant_ref || null,
      payment_method: channel.name,
      payment_method_code: channel.code,
      total_amount: paidAmount,
      fee_merchant: feeMerchant,
      fee_customer: feeCustomer,
      total_fee: feeMerchant + feeCustomer,
      amount_received: paidAmount - feeMerchant - feeCustomer,
      is_closed_payment: 1,
      status,
      paid_at: paidAt,
      note: null,
    });
    const headers = (signature: string) => ({
      'X-Callback-Event': 'payment_status',
      'X-Callback-Signature': signature,
    });
    callbacks.send({
      subject: reference,
      event: status,
      url,
      body,
      retryAfter,
      headers: headers(callbackSignature(credentials.TRIPAY_PRIVATE_KEY, body)),
      forgedHeaders: headers(callbackSignature('another key', body)),
    });
  }

  function expire(transaction: Transaction): void {
    if (transaction.status !== 'UNPAID') return;
    transaction.status = 'EXPIRED';
    sendCallback(transaction, 'EXPIRED');
  }

  function create({ body, headers }: SimulatedRequest): SimulatedResponse {
    const request = readCreateRequest(body, headers.get('Content-Type'));
    if (typeof request === 'string') return failure(400, request);
    const channel = channels.find(({ code }) => code === request.method);
    const now = world.now();
    const problem = problemOf(request, channel, now);
    if (problem !== undefined || !channel) return failure(400, problem ?? '');

    const number = sequence();
    const reference = `DEV-T0001${number}`;
    const total = feeOf(channel, request.amount);
    const customerPays = fault('customer-fees', 'create');
    const transaction: Transaction = {
      reference,
      channel,
      request,
      feeMerchant: customerPays ? 0 : total,
      feeCustomer: customerPays ? total : 0,
      payCode: channel.qr || channel.type === 'redirect' ? null : `8888${number.slice(-12)}`,
      qrString: null,
      status: 'UNPAID',
      createdAt: seconds(now),
      expiresAt: request.expired_time ?? seconds(now) + channel.maxMinutes * 60,
      paidAt: null,
      paidAmounts: [],
    };
    if (channel.qr)
      transaction.qrString = emvQr({ amount: amountOf(transaction), reference: number.slice(-25) });
    transactions.push(transaction);
    world.at(transaction.expiresAt * 1000, () => expire(transaction));
    return done(document(transaction));
  }

  const find = (reference: string | null): Transaction | undefined =>
    transactions.find((transaction) => transaction.reference === reference);

  /** Creates a handler that looks up the transaction of `?reference=`. */
  const withTransaction =
    (show: (transaction: Transaction) => SimulatedResponse) =>
    ({ query }: SimulatedRequest): SimulatedResponse => {
      const transaction = find(query.get('reference'));
      return transaction ? show(transaction) : failure(404, 'Transaction not found');
    };

  function list({ query }: SimulatedRequest): SimulatedResponse {
    const page = Math.max(1, Number(query.get('page') ?? 1) || 1);
    const perPage = Math.min(50, Math.max(1, Number(query.get('per_page') ?? 25) || 25));
    const wants = (name: string, value: string): boolean => (query.get(name) ?? value) === value;
    const matching = transactions.filter(
      ({ reference, request, channel, status }) =>
        wants('reference', reference) &&
        wants('merchant_ref', request.merchant_ref) &&
        wants('method', channel.code) &&
        wants('status', status),
    );
    const sorted = query.get('sort') === 'asc' ? matching : matching.toReversed();
    const begin = (page - 1) * perPage;
    const shown = sorted.slice(begin, begin + perPage);
    const lastPage = Math.max(1, Math.ceil(matching.length / perPage));
    return done(
      shown.map((transaction) => {
        const { instructions: _steps, ...row } = document(transaction);
        const { createdAt, expiresAt, paidAt } = transaction;
        return { ...row, note: null, created_at: createdAt, expired_at: expiresAt, paid_at: paidAt };
      }),
      {
        pagination: {
          sort: query.get('sort') === 'asc' ? 'asc' : 'desc',
          offset: { from: begin + 1, to: begin + shown.length },
          current_page: page,
          previous_page: page > 1 ? page - 1 : null,
          next_page: page < lastPage ? page + 1 : null,
          last_page: lastPage,
          per_page: perPage,
          total_records: matching.length,
        },
      },
    );
  }

  const routes: Operation[] = [
    { name: 'create', method: 'POST', path: '/transaction/create', handle: create },
    {
      name: 'detail',
      method: 'GET',
      path: '/transaction/detail',
      handle: withTransaction((transaction) => done(document(transaction))),
    },
    {
      name: 'check-status',
      method: 'GET',
      path: '/transaction/check-status',
      // Only the message contains the status.
      handle: withTransaction(({ status }) => ({
        status: 200,
        body: { success: true, message: `Status transaksi saat ini ${status}` },
      })),
    },
    { name: 'list', method: 'GET', path: '/merchant/transactions', handle: list },
    {
      name: 'payment-channel',
      method: 'GET',
      path: '/merchant/payment-channel',
      handle: ({ query }) =>
        done(channelsOf(query).map((channel) => channelDocument(channel, context.url() + basePath))),
    },
    { name: 'fee-calculator', method: 'GET', path: '/merchant/fee-calculator', handle: calculateFees },
    { name: 'instruction', method: 'GET', path: '/payment/instruction', handle: showInstructions },
  ];

  function known(reference: string): Transaction {
    const transaction = find(reference);
    if (!transaction) throw new ControlError(404, `Tripay has no transaction ${reference}.`);
    return transaction;
  }

  /** Changes a transaction's status if the current status allows it. */
  const change = (to: Status, from: readonly Status[]) =>
    action(z.object({ reference: z.string() }), ({ reference }) => {
      const transaction = known(reference);
      if (!from.includes(transaction.status))
        throw wrongState(reference, transaction.status, `it must be ${from.join(' or ')}`);
      transaction.status = to;
      sendCallback(transaction, to, transaction.paidAmounts.at(-1));
      return document(transaction);
    });

  const pay = action(payInput, ({ reference, amount, late }) => {
    const transaction = known(reference);
    if (transaction.status !== 'UNPAID' && !late)
      throw wrongState(reference, transaction.status, '"late": true pays it anyway');
    const owed = amountOf(transaction);
    const paid = amount ?? (fault('wrong-amount', 'pay') ? owed - 1 : owed);
    transaction.status = 'PAID';
    transaction.paidAt = seconds(world.now());
    transaction.paidAmounts.push(paid);
    sendCallback(transaction, 'PAID', paid);
    return document(transaction);
  });

  return {
    basePath,
    credentials,
    operations: guarded(
      routes,
      ({ headers }) => headers.get('Authorization') === `Bearer ${credentials.TRIPAY_API_KEY}`,
      failure(401, 'Invalid API Key'),
    ),
    actions: {
      pay,
      fail: change('FAILED', ['UNPAID']),
      expire: change('EXPIRED', ['UNPAID']),
      refund: change('REFUND', ['PAID']),
    },
    books() {
      const payments = transactions.map((transaction) => ({
        reference: transaction.reference,
        merchant_ref: transaction.request.merchant_ref,
        method: transaction.channel.code,
        amount: amountOf(transaction),
        status: transaction.status,
        paid_amounts: transaction.paidAmounts,
        // The sum of the shop's part and the customer's part.
        fee: transaction.feeMerchant + transaction.feeCustomer,
        refunded: transaction.status === 'REFUND' ? (transaction.paidAmounts.at(-1) ?? 0) : 0,
      }));
      return { payments, charged: sumOf(transactions.flatMap(({ paidAmounts }) => paidAmounts)) };
    },
    payments: () =>
      transactions.map((transaction) => ({
        reference: transaction.reference,
        merchantRef: transaction.request.merchant_ref,
        method: transaction.channel.name,
        amount: amountOf(transaction),
        status: transaction.status,
        code: transaction.payCode,
        qrString: transaction.qrString,
        returnUrl: transaction.request.return_url ?? null,
      })),
  };
}
