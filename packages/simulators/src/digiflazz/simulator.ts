import { randomUUID } from 'node:crypto';
import { makesTransaction, statusOf, textOf } from '@topup-kit/providers/digiflazz/response-codes';
import { digiflazzSettings } from '@topup-kit/providers/digiflazz/settings';
import {
  balanceSubject,
  priceListSubject,
  requestSignature,
  webhookSignature,
} from '@topup-kit/providers/digiflazz/signature';
import * as z from 'zod/mini';
import {
  action,
  balanceInput,
  ControlError,
  createSequence,
  jsonObject,
  type SimulatedRequest,
  type SimulatedResponse,
  type Simulator,
  type SimulatorContext,
  sumOf,
} from '../simulator.ts';
import { createProducts, dayOf, isCutOff, type Product, resized } from './products.ts';

/** The credentials of the documentation, so that its example signatures are valid here. */
const credentials = {
  DIGIFLAZZ_USERNAME: 'username',
  DIGIFLAZZ_API_KEY: digiflazzSettings.apiKey.published,
  DIGIFLAZZ_WEBHOOK_SECRET: digiflazzSettings.webhookSecret.published,
};

const minuteMs = 60_000;
const referenceLifeMs = 90 * 24 * 60 * minuteMs;
const priceListGapMs = 5 * minuteMs;
/** Duration of a pending purchase. */
const pendingMs = 5_000;

interface Purchase {
  refId: string;
  sku: string;
  customerNo: string;
  price: number;
  rc: string;
  sn: string;
  message: string;
  callbackUrl: string | undefined;
  testing: boolean;
  /** Unix milliseconds. */
  at: number;
  askedAt: number;
  /** True if a request for the same `ref_id` within a minute caused it. */
  repeated: boolean;
}

const text = z.string().check(z.minLength(1), z.maxLength(255));
const transactionRequest = z.object({
  username: text,
  buyer_sku_code: text,
  customer_no: text,
  ref_id: text,
  sign: text,
  testing: z._default(z.boolean(), false),
  max_price: z.optional(z.int().check(z.nonnegative())),
  cb_url: z.optional(z.url({ protocol: /^https?$/ })),
  allow_dot: z.optional(z.boolean()),
});
type TransactionRequest = z.infer<typeof transactionRequest>;

const priceListRequest = z.object({
  cmd: z.literal('prepaid'),
  username: text,
  sign: text,
  code: z.optional(z.string()),
  category: z.optional(z.string()),
  brand: z.optional(z.string()),
  type: z.optional(z.string()),
});
const balanceRequest = z.object({ cmd: z.literal('deposit'), username: text, sign: text });

/** The course of each kind of purchase: its first code, and its code a moment later. */
const plans = {
  done: ['00', null],
  failed: ['02', null],
  'pending-done': ['03', '00'],
  'pending-failed': ['03', '02'],
  pending: ['03', null],
} as const;
type Plan = readonly [rc: string, later: string | null];

/** The documented outcome of each test number, for `xld10` with `testing`. */
const testNumbers: ReadonlyMap<string, Plan> = new Map(
  Object.entries<Plan>({
    '087800001230': plans.done,
    '087800001232': plans.failed,
    '087800001233': plans['pending-done'],
    '087800001234': plans['pending-failed'],
  }),
);

const data = (document: unknown): SimulatedResponse => ({ status: 200, body: { data: document } });

/** Creates a response that concerns no transaction. */
const failed = (rc: string, about: Record<string, unknown> = {}): SimulatedResponse =>
  data({ ...about, rc, status: 'Gagal', message: textOf(rc) });

/** Tells whether a request's signature is right, even if other parts are wrong. */
const isSigned = ({ username, sign }: { username: string; sign: string }, subject: string): boolean =>
  username === credentials.DIGIFLAZZ_USERNAME &&
  sign === requestSignature(credentials.DIGIFLAZZ_USERNAME, credentials.DIGIFLAZZ_API_KEY, subject);

/** The course of the next purchase: by a name, or by a first code. */
const planInput = z.union([
  z.strictObject({ outcome: z.enum(['done', 'failed', 'pending-done', 'pending-failed', 'pending']) }),
  z.strictObject({ rc: z.string().check(z.regex(/^\d\d$/)) }),
]);

const resolveInput = z.strictObject({ ref_id: z.string(), rc: z.string().check(z.regex(/^\d\d$/)) });

const timeOfDay = z.string().check(z.regex(/^\d{1,2}:\d{1,2}$/));
const productInput = z.strictObject({
  buyer_sku_code: z.string(),
  price: z.optional(z.int().check(z.positive())),
  buyer_product_status: z.optional(z.boolean()),
  seller_product_status: z.optional(z.boolean()),
  unlimited_stock: z.optional(z.boolean()),
  stock: z.optional(z.int().check(z.nonnegative())),
  multi: z.optional(z.boolean()),
  start_cut_off: z.optional(timeOfDay),
  end_cut_off: z.optional(timeOfDay),
});

/** The number of products in the price list, and the change of each price in per cent. */
const listInput = z.strictObject({
  products: z.optional(z.int().check(z.minimum(0), z.maximum(20_000))),
  percent: z.optional(z.number().check(z.minimum(-99), z.maximum(1_000))),
});

/** Simulates Digiflazz: prepaid purchases with their webhooks, the price list and the balance. */
export function createDigiflazzSimulator(context: SimulatorContext): Simulator {
  const { world, callbacks, callbackUrl, fault } = context;
  let products = createProducts();
  const purchases: Purchase[] = [];
  const planned: Plan[] = [];
  const sequence = createSequence(world);
  let balance = 10_000_000;
  let listedAt = Number.NEGATIVE_INFINITY;

  const document = (purchase: Purchase) => ({
    ref_id: purchase.refId,
    customer_no: purchase.customerNo,
    buyer_sku_code: purchase.sku,
    message: purchase.message,
    status: statusOf(purchase.rc),
    rc: purchase.rc,
    sn: purchase.sn,
    buyer_last_saldo: balance,
    price: purchase.price,
  });

  function sendWebhook(purchase: Purchase, event: 'create' | 'update'): void {
    const url = purchase.callbackUrl ?? callbackUrl;
    if (url === undefined) return;
    const body = JSON.stringify({ data: { trx_id: `T${purchase.at}`, ...document(purchase) } });
    const headers = (secret: string) => ({
      'X-Digiflazz-Event': event,
      'X-Digiflazz-Delivery': randomUUID(),
      'X-Hub-Signature': webhookSignature(secret, body),
      'User-Agent': 'Digiflazz-Hookshot',
    });
    callbacks.send({
      subject: purchase.refId,
      event,
      url,
      body,
      headers: headers(credentials.DIGIFLAZZ_WEBHOOK_SECRET),
      forgedHeaders: headers('another secret'),
      retryAfter: () => null,
    });
  }

  /** Gives a purchase a new code, and moves the money: a failed purchase is paid back. */
  function settle(purchase: Purchase, rc: string): void {
    const wasPaid = statusOf(purchase.rc) !== 'Gagal';
    const isPaid = statusOf(rc) !== 'Gagal';
    if (!purchase.testing) balance += (wasPaid ? purchase.price : 0) - (isPaid ? purchase.price : 0);
    purchase.rc = rc;
    purchase.message = textOf(rc);
    purchase.sn = rc === '00' ? `SN${sequence()}` : '';
  }

  /** Returns the reason why a purchase can't be made now. */
  function problemOf(product: Product, request: TransactionRequest, price: number): string | undefined {
    if (!product.buyer_product_status) return '43';
    if (!product.seller_product_status) return '53';
    if (isCutOff(product, world.now())) return '58';
    if (!product.unlimited_stock && product.stock === 0) return '68';
    if (request.max_price !== undefined && price > request.max_price) return '69';
    const isSecond = purchases.some(
      ({ sku, customerNo, at, rc }) =>
        sku === request.buyer_sku_code &&
        customerNo === request.customer_no &&
        dayOf(at) === dayOf(world.now()) &&
        statusOf(rc) !== 'Gagal',
    );
    if (!product.multi && isSecond) return '63';
    return price > balance ? '44' : undefined;
  }

  function buy(request: TransactionRequest, product: Product, repeated: boolean): SimulatedResponse {
    const { ref_id: refId, customer_no: customerNo, buyer_sku_code: sku, testing } = request;
    const price = product.price + (fault('wrong-amount', 'transaction') ? 1 : 0);
    const about = { ref_id: refId, customer_no: customerNo, buyer_sku_code: sku, price };
    const problem = testing ? undefined : problemOf(product, request, price);
    if (problem !== undefined) return failed(problem, about);
    const testPlan = testing ? testNumbers.get(customerNo) : undefined;
    if (testing && (sku !== 'xld10' || !testPlan)) return failed('40', about);
    const [rc, later] = testPlan ?? planned.shift() ?? plans['pending-done'];
    if (!makesTransaction(rc)) return failed(rc, about);

    const now = world.now();
    const purchase: Purchase = {
      refId,
      sku,
      customerNo,
      price,
      rc: '02',
      sn: '',
      message: '',
      testing,
      repeated,
      callbackUrl: request.cb_url,
      at: now,
      askedAt: now,
    };
    settle(purchase, rc);
    if (!product.unlimited_stock && !testing) product.stock -= 1;
    purchases.push(purchase);
    const answer = data(document(purchase));
    sendWebhook(purchase, 'create');
    if (later !== null) world.at(now + pendingMs, () => resolve(purchase, later));
    return answer;
  }

  function resolve(purchase: Purchase, rc: string): void {
    // Another request has settled it in the meantime.
    if (statusOf(purchase.rc) !== 'Pending') return;
    settle(purchase, rc);
    sendWebhook(purchase, 'update');
  }

  function transact({ body }: SimulatedRequest): SimulatedResponse {
    const { success, data: request } = transactionRequest.safeParse(jsonObject(body));
    if (!success) return failed('40');
    const { ref_id, customer_no, buyer_sku_code } = request;
    const about = { ref_id, customer_no, buyer_sku_code };
    if (!isSigned(request, ref_id)) return failed('41', about);
    const now = world.now();
    const product = products.find((product) => product.buyer_sku_code === buyer_sku_code);
    const known = purchases.findLast(({ refId, at }) => refId === ref_id && now - at < referenceLifeMs);
    if (known && (known.sku !== buyer_sku_code || known.customerNo !== customer_no))
      return failed('49', about);
    if (!product) return failed('43', about);
    if (!known) return buy(request, product, false);
    const isTooSoon = now - known.askedAt < minuteMs;
    known.askedAt = now;
    // Digiflazz documents a repetition as "at the caller's risk"; this simulates the risk while the outcome is open.
    if (isTooSoon && !known.testing && statusOf(known.rc) === 'Pending') return buy(request, product, true);
    return data(document(known));
  }

  function listPrices({ body }: SimulatedRequest): SimulatedResponse {
    const { success, data: request } = priceListRequest.safeParse(jsonObject(body));
    if (!success) return failed('40');
    if (!isSigned(request, priceListSubject)) return failed('41');
    const { code, category, brand, type } = request;
    const isWhole = [code, category, brand, type].every((filter) => filter === undefined || filter === '');
    const now = world.now();
    if (isWhole && now - listedAt < priceListGapMs) return failed('83');
    if (isWhole) listedAt = now;
    const wants = (filter: string | undefined, value: string): boolean => (filter || value) === value;
    return data(
      products.filter(
        (product) =>
          wants(code, product.buyer_sku_code) &&
          wants(category, product.category) &&
          wants(brand, product.brand) &&
          wants(type, product.type),
      ),
    );
  }

  function showBalance({ body }: SimulatedRequest): SimulatedResponse {
    const { success, data: request } = balanceRequest.safeParse(jsonObject(body));
    if (!success) return failed('40');
    return isSigned(request, balanceSubject) ? data({ deposit: balance }) : failed('41');
  }

  const plan = action(planInput, (input) => {
    planned.push('rc' in input ? [input.rc, null] : plans[input.outcome]);
    return { planned: planned.length };
  });

  /** Ends a purchase. A purchase that has already ended gets a contradiction. */
  const resolveNow = action(resolveInput, ({ ref_id, rc }) => {
    const purchase = purchases.findLast(({ refId }) => refId === ref_id);
    if (!purchase) throw new ControlError(404, `Digiflazz has no transaction ${ref_id}.`);
    settle(purchase, rc);
    sendWebhook(purchase, 'update');
    return document(purchase);
  });

  const changeProduct = action(productInput, ({ buyer_sku_code, ...changes }) => {
    const product = products.find((product) => product.buyer_sku_code === buyer_sku_code);
    if (!product) throw new ControlError(404, `Digiflazz has no product ${buyer_sku_code}.`);
    return Object.assign(product, changes);
  });

  /** Changes the whole price list. */
  const changeList = action(listInput, ({ products: count = products.length, percent = 0 }) => {
    products = resized(products, count).map((product) => ({
      ...product,
      price: Math.max(1, Math.round((product.price * (100 + percent)) / 100)),
    }));
    return { products: products.length };
  });

  const setBalance = action(balanceInput, (input) => {
    balance = input.balance;
    return { balance };
  });

  /** Sends the test request that Digiflazz sends when a webhook is set up. */
  const ping = action(z.strictObject({}), () => {
    if (callbackUrl === undefined)
      throw new ControlError(409, 'No callback URL is set: use --digiflazz-callback.');
    const hook = { active: true, url: callbackUrl, secret: credentials.DIGIFLAZZ_WEBHOOK_SECRET };
    const body = JSON.stringify({ sed: 'Hello from the simulator', hook_id: 'simulated', hook });
    const headers = {
      'X-Hub-Signature': webhookSignature(credentials.DIGIFLAZZ_WEBHOOK_SECRET, body),
      'User-Agent': 'Digiflazz-Hookshot',
    };
    callbacks.send({
      subject: 'ping',
      event: 'ping',
      url: callbackUrl,
      body,
      headers,
      forgedHeaders: headers,
      retryAfter: () => null,
    });
    return { sent: callbackUrl };
  });

  return {
    basePath: '/digiflazz/v1',
    credentials,
    operations: [
      { name: 'transaction', method: 'POST', path: '/transaction', handle: transact },
      { name: 'price-list', method: 'POST', path: '/price-list', handle: listPrices },
      { name: 'cek-saldo', method: 'POST', path: '/cek-saldo', handle: showBalance },
    ],
    actions: {
      plan,
      resolve: resolveNow,
      product: changeProduct,
      list: changeList,
      balance: setBalance,
      ping,
    },
    books() {
      const bought = purchases.map((purchase) => ({
        ref_id: purchase.refId,
        buyer_sku_code: purchase.sku,
        customer_no: purchase.customerNo,
        price: purchase.price,
        status: statusOf(purchase.rc),
        rc: purchase.rc,
        sn: purchase.sn,
        testing: purchase.testing,
        repeated: purchase.repeated,
      }));
      const paid = bought.filter(({ status, testing }) => status !== 'Gagal' && !testing);
      return { purchases: bought, balance, spent: sumOf(paid.map(({ price }) => price)) };
    },
    payments: () => [],
  };
}
