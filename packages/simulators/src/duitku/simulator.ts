import { emvQr } from '@topup-kit/core/gateway';
import { type DuitkuMethod, methods } from '@topup-kit/providers/duitku/methods';
import { duitkuSettings } from '@topup-kit/providers/duitku/settings';
import {
  callbackSignature,
  methodsSignature,
  paymentSignature,
  statusSignature,
} from '@topup-kit/providers/duitku/signature';
import * as z from 'zod/mini';
import {
  action,
  ControlError,
  createSequence,
  explain,
  jsonObject,
  payInput,
  type SimulatedRequest,
  type SimulatedResponse,
  type Simulator,
  type SimulatorContext,
  sumOf,
  wrongState,
} from '../simulator.ts';

/** The credentials of the checked signatures, so that they are valid here. */
const credentials = { DUITKU_MERCHANT_CODE: 'D0001', DUITKU_API_KEY: duitkuSettings.apiKey.published };
const { DUITKU_MERCHANT_CODE: merchantCode, DUITKU_API_KEY: apiKey } = credentials;

/** The simulated statuses of a payment, and their names. */
const statusMessages = { '00': 'SUCCESS', '01': 'PROCESS', '02': 'CANCELED' };
type Status = keyof typeof statusMessages;

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));
const url = z.string().check(z.refine((address) => /^https?:$/.test(URL.parse(address)?.protocol ?? '')));
const amount = z.int().check(z.positive());

const createRequest = z.object({
  merchantCode: z.string(),
  paymentAmount: amount,
  paymentMethod: z.string(),
  merchantOrderId: text(50),
  productDetails: text(255),
  email: z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/)),
  phoneNumber: z.optional(z.string()),
  customerVaName: z.optional(text(20)),
  itemDetails: z.optional(z.array(z.object({ name: text(255), price: amount, quantity: amount }))),
  callbackUrl: url,
  returnUrl: url,
  expiryPeriod: z.int().check(z.positive()),
  signature: z.string(),
});
type CreateRequest = z.infer<typeof createRequest>;

const statusRequest = z.object({
  merchantCode: z.string(),
  merchantOrderId: z.string(),
  signature: z.string(),
});

const methodsRequest = z.object({
  merchantcode: z.string(),
  amount,
  datetime: z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)),
  signature: z.string(),
});

interface Payment {
  reference: string;
  request: CreateRequest;
  method: DuitkuMethod;
  number: string | null;
  qrString: string | null;
  status: Status;
  /** The booked amount in rupiah, which the customer paid. */
  amount: number;
  paidAmounts: number[];
}

const failure = (status: number, message: string): SimulatedResponse => ({
  status,
  body: { Message: message },
});
const wrongSignature = failure(401, 'Wrong signature');

/** Each method once, although a catalogue has several codes for some methods. */
const offered = [...new Set(methods.values())];

/** Simulates Duitku: payments, status requests and callbacks. */
export function createDuitkuSimulator(context: SimulatorContext): Simulator {
  const { world, callbacks, callbackUrl, fault } = context;
  const payments: Payment[] = [];
  const sequence = createSequence(world);

  /** Creates a handler that accepts only requests that match the documentation. */
  const reading =
    <Request>(schema: z.ZodMiniType<Request>, handle: (request: Request) => SimulatedResponse) =>
    ({ body }: SimulatedRequest): SimulatedResponse => {
      const { success, data, error } = schema.safeParse(jsonObject(body));
      return success ? handle(data) : failure(400, explain(error));
    };

  const pageOf = ({ reference }: Payment): string => `${context.url()}/pay/duitku/${reference}`;

  function sendCallback(payment: Payment, resultCode: '00' | '01'): void {
    const { reference, request, amount, method } = payment;
    const { merchantOrderId: orderId, productDetails } = request;
    const signed = { merchantCode, orderId, amount: String(amount) };
    const bodyWith = (key: string): string =>
      new URLSearchParams({
        merchantCode,
        amount: signed.amount,
        merchantOrderId: orderId,
        productDetail: productDetails,
        additionalParam: '',
        paymentCode: method.code,
        resultCode,
        merchantUserId: '',
        reference,
        signature: callbackSignature(key, signed),
      }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    callbacks.send({
      subject: reference,
      event: resultCode,
      // A shop in a container may not know the address at which it can be reached from here.
      url: callbackUrl ?? request.callbackUrl,
      body: bodyWith(apiKey),
      forgedBody: bodyWith('another key'),
      headers,
      forgedHeaders: headers,
      // Duitku documents no repetitions.
      retryAfter: () => null,
    });
  }

  function create(request: CreateRequest): SimulatedResponse {
    const { merchantOrderId: orderId, paymentAmount: amount, itemDetails: items } = request;
    const signed = { merchantCode, orderId, amount };
    if (request.merchantCode !== merchantCode) return failure(404, 'Merchant not found');
    if (request.signature !== paymentSignature(apiKey, signed)) return wrongSignature;
    const method = offered.find(({ code }) => code === request.paymentMethod);
    if (!method) return failure(404, 'Payment channel not available');
    if (items && sumOf(items.map(({ price }) => price)) !== amount)
      return failure(409, 'Payment amount must be equal to all item price');
    if (payments.some((payment) => payment.request.merchantOrderId === orderId))
      return failure(409, 'Bill already exists');
    const number = sequence().slice(-16);
    const payment: Payment = {
      reference: `${merchantCode}${number}`,
      request,
      method,
      number: method.paysBy === 'number' ? number : null,
      qrString: method.paysBy === 'qr' ? emvQr({ amount, reference: number }) : null,
      status: '01',
      amount,
      paidAmounts: [],
    };
    payments.push(payment);
    const minutes = Math.min(request.expiryPeriod, method.maxMinutes);
    world.at(world.now() + minutes * 60_000, () => expire(payment));
    return {
      status: 200,
      body: {
        merchantCode,
        reference: payment.reference,
        paymentUrl: pageOf(payment),
        ...(payment.number !== null && { vaNumber: payment.number }),
        ...(payment.qrString !== null && { qrString: payment.qrString }),
        amount: String(amount),
        statusCode: '00',
        statusMessage: 'SUCCESS',
      },
    };
  }

  /** An expired payment is cancelled without a callback. */
  function expire(payment: Payment): void {
    if (payment.status === '01') payment.status = '02';
  }

  const document = ({ reference, request, amount, status }: Payment) => ({
    merchantOrderId: request.merchantOrderId,
    reference,
    amount: String(amount),
    fee: '0.00',
    statusCode: status,
    statusMessage: statusMessages[status],
  });

  function showStatus(request: z.infer<typeof statusRequest>): SimulatedResponse {
    const { merchantOrderId: orderId } = request;
    if (request.merchantCode !== merchantCode) return failure(404, 'Merchant not found');
    if (request.signature !== statusSignature(apiKey, { merchantCode, orderId })) return wrongSignature;
    const payment = payments.find(({ request }) => request.merchantOrderId === orderId);
    return payment ? { status: 200, body: document(payment) } : failure(404, 'Transaction not found');
  }

  function listMethods(request: z.infer<typeof methodsRequest>): SimulatedResponse {
    const { amount, datetime } = request;
    if (request.merchantcode !== merchantCode) return failure(404, 'Merchant not found');
    if (request.signature !== methodsSignature(apiKey, { merchantCode, amount, datetime }))
      return wrongSignature;
    const paymentFee = offered.map(({ code, name }) => ({
      paymentMethod: code,
      paymentName: name,
      paymentImage: `${context.url()}/duitku/${code}.png`,
      totalFee: '0',
    }));
    return { status: 200, body: { paymentFee, responseCode: '00', responseMessage: 'SUCCESS' } };
  }

  function known(name: string): Payment {
    const payment = payments.find(
      ({ reference, request }) => reference === name || request.merchantOrderId === name,
    );
    if (!payment) throw new ControlError(404, `Duitku has no payment ${name}.`);
    return payment;
  }

  const pay = action(payInput, ({ reference: name, amount, late }) => {
    const payment = known(name);
    if (payment.status === '00' || (payment.status === '02' && !late))
      throw wrongState(name, statusMessages[payment.status], '"late": true pays an expired payment');
    const owed = payment.request.paymentAmount;
    payment.amount = amount ?? (fault('wrong-amount', 'pay') ? owed - 1 : owed);
    payment.paidAmounts.push(payment.amount);
    payment.status = '00';
    sendCallback(payment, '00');
    return document(payment);
  });

  /** Ends an unpaid payment. */
  const end = (tells: boolean) =>
    action(z.object({ reference: z.string() }), ({ reference: name }) => {
      const payment = known(name);
      if (payment.status !== '01')
        throw wrongState(name, statusMessages[payment.status], `it must be ${statusMessages['01']}`);
      expire(payment);
      if (tells) sendCallback(payment, '01');
      return document(payment);
    });

  return {
    basePath: '/duitku/webapi/api/merchant',
    credentials,
    operations: [
      { name: 'create', method: 'POST', path: '/v2/inquiry', handle: reading(createRequest, create) },
      {
        name: 'status',
        method: 'POST',
        path: '/transactionStatus',
        handle: reading(statusRequest, showStatus),
      },
      {
        name: 'methods',
        method: 'POST',
        path: '/paymentmethod/getpaymentmethod',
        handle: reading(methodsRequest, listMethods),
      },
    ],
    actions: { pay, fail: end(true), expire: end(false) },
    books() {
      const booked = payments.map((payment) => ({
        reference: payment.reference,
        order_id: payment.request.merchantOrderId,
        method: payment.method.code,
        amount: payment.request.paymentAmount,
        status: payment.status,
        paid_amounts: payment.paidAmounts,
        refunded: 0,
      }));
      return { payments: booked, charged: sumOf(payments.flatMap(({ paidAmounts }) => paidAmounts)) };
    },
    payments: () =>
      payments.map((payment) => ({
        reference: payment.reference,
        merchantRef: payment.request.merchantOrderId,
        method: payment.method.name,
        amount: payment.request.paymentAmount,
        status: statusMessages[payment.status],
        code: payment.number,
        qrString: payment.qrString,
        returnUrl: payment.request.returnUrl,
      })),
  };
}
