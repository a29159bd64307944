import type {
  FindPaymentResult,
  GatewayPayment,
  PaymentRequest,
  RemoteGateway,
  UnusablePayment,
} from '@topup-kit/core/gateway';
import type { Clock } from '@topup-kit/core/platform';
import * as z from 'zod/mini';
import { createProviderHttp, isRejection, requestLifetimeMs, shorten, withPrevious } from '../http.ts';
import { id, text, textOrNull, twoDigits, whole } from '../readers.ts';
import { createDuitkuCallbacks } from './callback.ts';
import { methods } from './methods.ts';
import type { DuitkuSettings } from './settings.ts';
import { methodsSignature, paymentSignature, statusSignature } from './signature.ts';
import { reportOf } from './status.ts';

/** Maximum length of an order id, and of a name at a bank, in characters. */
const maxOrderId = 50;
const maxBankName = 20;
/** Maximum length of other texts, in characters. */
const maxText = 255;

/** Schema of an error's text, which is in one of two fields. */
const failure = z.object({ Message: z.optional(z.string()), statusMessage: z.optional(z.string()) });

const succeeded = twoDigits.check(z.refine((code) => code === '00'));

const created = z.object({
  statusCode: succeeded,
  reference: id,
  amount: z.optional(whole),
  vaNumber: textOrNull,
  qrString: textOrNull,
  paymentUrl: textOrNull,
});

const state = z.object({
  merchantOrderId: z.optional(text),
  reference: id,
  amount: whole,
  statusCode: twoDigits,
});

const methodList = z.object({ responseCode: succeeded });

/** Returns the data for paying `total`, or the reason why the payment is unusable. */
function paymentOf(payment: z.infer<typeof created>, total: number): GatewayPayment | UnusablePayment {
  const { reference, amount: asked, vaNumber: number, qrString, paymentUrl: url } = payment;
  if (asked !== undefined && asked !== total)
    return {
      reference,
      unusable: `Duitku asks the customer for ${asked} instead of ${total}. Set the merchant to pay the fees in its dashboard, because the order already includes them.`,
    };
  if (number === null && qrString === null && url === null)
    return { reference, unusable: 'Duitku returned no number, QR code or payment page.' };
  return { reference, code: number ?? qrString ?? url, url, qrString };
}

/** Formats a time in Jakarta, such as `2026-05-01 12:00:00`. */
const timeText = (ms: number): string =>
  new Date(ms + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

const methodOf = ({ code }: PaymentRequest['method']) => methods.get(code);

/**
 * Creates the gateway Duitku. A status request by the order's id returns the status but no payment data. If the response to a new payment
 * was lost, the payment is found but can't be shown.
 */
export function createDuitkuGateway(
  { apiKey, previousApiKey, merchantCode, baseUrl, fallbackEmail, publicUrl }: DuitkuSettings,
  /** `clock` is in unix milliseconds. */
  { clock }: { clock: Clock },
): RemoteGateway {
  const apiKeys = withPrevious(apiKey, previousApiKey);
  const http = createProviderHttp({ title: 'Duitku', baseUrl, secrets: apiKeys });

  /** Sends a request; `problem` is the error of an unsuccessful response. */
  async function post(path: string, json: object, signal: AbortSignal) {
    const about = `POST /${path}`;
    const { status, body } = await http.send({ method: 'POST', path, json, signal });
    const { Message, statusMessage } = failure.safeParse(body).data ?? {};
    const said = Message ?? statusMessage ?? 'no message';
    const problem = (): Error => http.error(`${about} got status ${status}: ${said}`);
    return { about, status, body, said, problem };
  }

  function read<Data>(
    schema: z.ZodMiniType<Data>,
    { about, status, body, problem }: Awaited<ReturnType<typeof post>>,
  ): Data {
    if (status >= 300) throw problem();
    const { success, data, error } = schema.safeParse(body);
    if (success) return data;
    const field = error.issues[0]?.path.join('.') || 'body';
    throw http.error(`${about} got a response with an invalid ${field}.`);
  }

  const askStatus = (orderId: string, signal: AbortSignal) =>
    post(
      'transactionStatus',
      {
        merchantCode,
        merchantOrderId: orderId,
        signature: statusSignature(apiKey, { merchantCode, orderId }),
      },
      signal,
    );

  /** Reads the state of an order's payment from a response. */
  function stateOf(orderId: string, response: Awaited<ReturnType<typeof askStatus>>): z.infer<typeof state> {
    const payment = read(state, response);
    if ((payment.merchantOrderId ?? orderId) === orderId) return payment;
    throw http.error(`${response.about} got a response about a payment that is not ${orderId}.`);
  }

  const withoutAddress = (): Error => http.error('it requires a callback URL: set TOPUP_PUBLIC_URL.');

  return {
    kind: 'remote',
    name: 'duitku',
    sandbox: false,
    callbacks: createDuitkuCallbacks({ apiKeys, merchantCode }),
    supports: (method) => methodOf(method) !== undefined,

    /** Duitku accepts only whole minutes. */
    expiryLimits(method) {
      const known = methodOf(method);
      return known ? { min: 60_000, max: known.maxMinutes * 60_000 } : {};
    },

    /** Requests the payment methods for any amount. */
    async checkAccess(signal) {
      if (publicUrl === undefined) throw withoutAddress();
      const signed = { merchantCode, amount: 10_000, datetime: timeText(clock()) };
      const { merchantCode: merchantcode, ...rest } = signed;
      const json = { merchantcode, ...rest, signature: methodsSignature(apiKey, signed) };
      read(methodList, await post('paymentmethod/getpaymentmethod', json, signal));
    },

    async createPayment(request, signal) {
      const { orderId, amount: total, customer, items } = request;
      const method = methodOf(request.method);
      const unsent = (error: Error) => ({ rejected: error.message });
      if (publicUrl === undefined) return unsent(withoutAddress());
      if (!method) return unsent(http.error(`the payment method ${request.method.code} is not supported.`));
      if (orderId.length > maxOrderId)
        return unsent(http.error(`${orderId} has more than ${maxOrderId} characters.`));
      const response = await post(
        'v2/inquiry',
        {
          merchantCode,
          paymentAmount: total,
          paymentMethod: method.code,
          merchantOrderId: orderId,
          productDetails: shorten(items[0]?.name ?? orderId, maxText),
          email: customer.email ?? fallbackEmail,
          phoneNumber: customer.phone,
          customerVaName: shorten(customer.name ?? customer.phone, maxBankName),
          // Public documents disagree on whether a price is per unit; with a quantity of 1, both readings give the same total.
          itemDetails: items.map(({ name, price, quantity }) => ({
            name: shorten(quantity === 1 ? name : `${quantity} x ${name}`, maxText),
            price: price * quantity,
            quantity: 1,
          })),
          callbackUrl: `${publicUrl}/callback/duitku`,
          returnUrl: request.returnUrl ?? publicUrl,
          expiryPeriod: Math.max(1, Math.floor((request.expiresAt - clock()) / 60_000)),
          signature: paymentSignature(apiKey, { merchantCode, orderId, amount: total }),
        },
        signal,
      );
      if (isRejection(response.status)) return unsent(response.problem());
      return paymentOf(read(created, response), total);
    },

    /** Only the message of a 404 response says whether it concerns the order or the merchant. */
    async findPayment({ orderId, amount: total, ageMs }, signal): Promise<FindPaymentResult> {
      const response = await askStatus(orderId, signal);
      if (response.status === 404 && !/merchant/i.test(response.said)) {
        if (ageMs >= requestLifetimeMs) return { state: 'absent' };
        throw http.error(`There is no payment for ${orderId} yet, but its request may still create one.`);
      }
      const payment = stateOf(orderId, response);
      const unusable =
        payment.amount === total
          ? "Duitku returns the payment instructions only once, so they can't be shown. The customer must order again."
          : `Duitku asks the customer for ${payment.amount} instead of ${total}.`;
      return { state: 'found', payment: { reference: payment.reference, unusable } };
    },

    async checkPayment(question, signal) {
      const payment = stateOf(question.orderId, await askStatus(question.orderId, signal));
      if (payment.reference !== question.reference)
        throw http.error(
          `${question.orderId} has the payment ${payment.reference}, not ${question.reference}.`,
        );
      return reportOf(payment);
    },
  };
}
