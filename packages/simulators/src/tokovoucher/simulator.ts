import { type Level, levels, tokovoucherSettings } from '@topup-kit/providers/tokovoucher/settings';
import { referenceSignature } from '@topup-kit/providers/tokovoucher/signature';
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

/** The credentials of the checked signature, so that it is valid here. */
const credentials = {
  TOKOVOUCHER_MEMBER_CODE: 'MEM1',
  TOKOVOUCHER_SECRET: tokovoucherSettings.secret.published,
  TOKOVOUCHER_SIGNATURE: tokovoucherSettings.signature.published,
};
const account = { memberCode: credentials.TOKOVOUCHER_MEMBER_CODE, secret: credentials.TOKOVOUCHER_SECRET };

const statuses = ['pending', 'sukses', 'gagal'] as const;
type Status = (typeof statuses)[number];

interface Product {
  code: string;
  name: string;
  kindId: number;
  prices: Record<Level, number>;
  isOpen: boolean;
}

const product = (code: string, kindId: number, name: string, price: number): Product => ({
  code,
  kindId,
  name,
  isOpen: true,
  prices: { member: price, gold: price - 100, vip: price - 200, vvip: price - 300 },
});

const createProducts = (): Product[] => [
  product('ML86', 1, '86 Diamonds', 19_900),
  product('ML172', 1, '172 Diamonds', 39_500),
  product('FF70', 2, '70 Diamonds', 9_100),
  product('PUBGM60', 3, '60 UC', 14_500),
];

const category = [{ id: 1, nama: 'Game' }];
const operator = [
  { id: 11, category_id: 1, nama: 'Mobile Legends' },
  { id: 12, category_id: 1, nama: 'Free Fire' },
  { id: 13, category_id: 1, nama: 'PUBG Mobile' },
];

/** Returns the fields of a form as JSON text. */
const formOf = (fields: { name: string; label: string }[]): string =>
  JSON.stringify(fields.map((field) => ({ ...field, is_dropdown: false, data: [] })));
const player = { name: 'tujuan', label: 'User ID' };
const jenis = [
  {
    id: 1,
    operator_id: 11,
    nama: 'Diamonds',
    format_form: formOf([player, { name: 'server_id', label: 'Zone ID' }]),
  },
  { id: 2, operator_id: 12, nama: 'Diamonds', format_form: formOf([player]) },
  { id: 3, operator_id: 13, nama: 'UC', format_form: formOf([player]) },
];

interface Purchase {
  refId: string;
  trxId: string;
  code: string;
  target: string;
  server: string;
  price: number;
  status: Status;
  sn: string;
  /** True if an earlier purchase has the same reference. */
  repeated: boolean;
}

/** The course of each kind of purchase: its first status, and its status a moment later. */
const plans = {
  done: ['sukses', null],
  failed: ['gagal', null],
  'pending-done': ['pending', 'sukses'],
  'pending-failed': ['pending', 'gagal'],
  pending: ['pending', null],
} as const;
type Plan = readonly [now: Status, later: Status | null];

/** Duration of a pending purchase. */
const pendingMs = 5_000;

const text = z.string().check(z.minLength(1), z.maxLength(255));
const signed = { ref_id: text, member_code: z.string(), signature: z.string() };
const purchaseRequest = z.object({ ...signed, produk: text, tujuan: text, server_id: z.string() });
const statusRequest = z.object(signed);

const price = z.optional(z.int().check(z.positive()));
const productInput = z.strictObject({
  code: z.string(),
  member: price,
  gold: price,
  vip: price,
  vvip: price,
  open: z.optional(z.boolean()),
});

// Safe: these are the keys of a literal.
const planNames = Object.keys(plans) as (keyof typeof plans)[];

const productDocument = ({ code, name, kindId, prices, isOpen }: Product) => ({
  kode_produk: code,
  nama: name,
  price: prices.member,
  price_gold: prices.gold,
  price_vip: prices.vip,
  price_vvip: prices.vvip,
  status: isOpen ? 1 : 0,
  jenis_id: kindId,
});

const respond = (body: object): SimulatedResponse => ({ status: 200, body });
const failure = (message: string): SimulatedResponse => respond({ status: 0, error_msg: message });

const ofPurchase =
  <Request extends z.infer<typeof statusRequest>>(
    schema: z.ZodMiniType<Request>,
    handle: (request: Request) => SimulatedResponse,
  ) =>
  ({ body }: SimulatedRequest): SimulatedResponse => {
    const { success, data } = schema.safeParse(jsonObject(body));
    if (!success) return failure('Parameter Invalid');
    const isSigned =
      data.member_code === account.memberCode && data.signature === referenceSignature(account, data.ref_id);
    return isSigned ? handle(data) : failure('Signature Invalid');
  };

/** Creates a handler for requests of the member area, which have the constant signature. */
const ofMember =
  (show: () => object) =>
  ({ query }: SimulatedRequest): SimulatedResponse =>
    query.get('member_code') === account.memberCode &&
    query.get('signature') === credentials.TOKOVOUCHER_SIGNATURE
      ? respond({ status: 1, data: show() })
      : failure('Signature Invalid');

/** Simulates Tokovoucher: purchases with their webhooks, the price list and the balance. */
export function createTokovoucherSimulator(context: SimulatorContext): Simulator {
  const { world, callbacks, callbackUrl, fault } = context;
  const products = createProducts();
  const purchases: Purchase[] = [];
  const planned: Plan[] = [];
  const sequence = createSequence(world);
  let balance = 10_000_000;
  /** The account's level. */
  let level: Level = 'member';

  const document = (purchase: Purchase) => ({
    status: purchase.status,
    message: purchase.status === 'gagal' ? 'Transaksi gagal' : `Transaksi ${purchase.status}`,
    sn: purchase.sn,
    ref_id: purchase.refId,
    trx_id: purchase.trxId,
    produk: purchase.code,
    sisa_saldo: balance,
    price: purchase.price,
  });

  function sendWebhook(purchase: Purchase): void {
    if (callbackUrl === undefined) return;
    const headers = (secret: string) => ({
      'X-TokoVoucher-Authorization': referenceSignature({ ...account, secret }, purchase.refId),
    });
    callbacks.send({
      subject: purchase.refId,
      event: purchase.status,
      url: callbackUrl,
      body: JSON.stringify(document(purchase)),
      headers: headers(account.secret),
      forgedHeaders: headers('another secret'),
      retryAfter: () => null,
    });
  }

  /** Gives a purchase a status, and moves the money: a failed purchase is paid back. */
  function change(purchase: Purchase, status: Status): void {
    const isFailed = status === 'gagal';
    if (isFailed !== (purchase.status === 'gagal')) balance += isFailed ? purchase.price : -purchase.price;
    purchase.status = status;
    purchase.sn = status === 'sukses' ? `SN${sequence()}` : '';
  }

  function buy(request: z.infer<typeof purchaseRequest>): SimulatedResponse {
    const chosen = products.find(({ code }) => code === request.produk);
    if (!chosen) return failure('Produk Not Found');
    if (!chosen.isOpen) return failure('Produk Gangguan');
    const price = chosen.prices[level] + (fault('wrong-amount', 'transaction') ? 1 : 0);
    if (price > balance) return failure('Saldo Tidak Cukup');
    const [now, later] = planned.shift() ?? plans['pending-done'];
    const purchase: Purchase = {
      refId: request.ref_id,
      trxId: `TV${sequence()}`,
      code: chosen.code,
      target: request.tujuan,
      server: request.server_id,
      price,
      status: 'pending',
      sn: '',
      repeated: purchases.some(({ refId }) => refId === request.ref_id),
    };
    balance -= price;
    purchases.push(purchase);
    change(purchase, now);
    if (later !== null)
      world.at(world.now() + pendingMs, () => {
        if (purchase.status !== 'pending') return;
        change(purchase, later);
        sendWebhook(purchase);
      });
    return respond(document(purchase));
  }

  const find = (reference: string): Purchase | undefined =>
    purchases.find(({ refId }) => refId === reference);

  function showStatus({ ref_id }: z.infer<typeof statusRequest>): SimulatedResponse {
    const purchase = find(ref_id);
    return purchase ? respond(document(purchase)) : failure('Transaksi Not Found');
  }

  const plan = action(z.strictObject({ outcome: z.enum(planNames) }), ({ outcome }) => {
    planned.push(plans[outcome]);
    return { planned: planned.length };
  });

  /** Gives a purchase a status. A purchase that has already ended gets a contradiction. */
  const resolve = action(
    z.strictObject({ ref_id: z.string(), status: z.enum(statuses) }),
    ({ ref_id, status }) => {
      const purchase = find(ref_id);
      if (!purchase) throw new ControlError(404, `Tokovoucher has no purchase ${ref_id}.`);
      change(purchase, status);
      sendWebhook(purchase);
      return document(purchase);
    },
  );

  const changeProduct = action(productInput, ({ code, open, ...prices }) => {
    const changed = products.find((product) => product.code === code);
    if (!changed) throw new ControlError(404, `Tokovoucher has no product ${code}.`);
    for (const name of levels) changed.prices[name] = prices[name] ?? changed.prices[name];
    changed.isOpen = open ?? changed.isOpen;
    return productDocument(changed);
  });

  const setLevel = action(z.strictObject({ level: z.enum(levels) }), (input) => {
    level = input.level;
    return { level };
  });
  const setBalance = action(balanceInput, (input) => {
    balance = input.balance;
    return { balance };
  });

  return {
    basePath: '/tokovoucher',
    credentials,
    operations: [
      {
        name: 'transaction',
        method: 'POST',
        path: '/v1/transaksi',
        handle: ofPurchase(purchaseRequest, buy),
      },
      {
        name: 'status',
        method: 'POST',
        path: '/v1/transaksi/status',
        handle: ofPurchase(statusRequest, showStatus),
      },
      {
        name: 'member',
        method: 'GET',
        path: '/member',
        handle: ofMember(() => ({ member_code: account.memberCode, saldo: balance })),
      },
      {
        name: 'products',
        method: 'GET',
        path: '/member/produk/full',
        handle: ofMember(() => ({ category, operator, jenis, produk: products.map(productDocument) })),
      },
    ],
    actions: { plan, resolve, product: changeProduct, level: setLevel, balance: setBalance },
    books() {
      const paid = purchases.filter(({ status }) => status !== 'gagal');
      return {
        purchases: purchases.map((purchase) => ({
          ...document(purchase),
          tujuan: purchase.target,
          server_id: purchase.server,
          repeated: purchase.repeated,
        })),
        balance,
        spent: sumOf(paid.map(({ price }) => price)),
      };
    },
    payments: () => [],
  };
}
