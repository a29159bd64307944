import { levels, vipResellerSettings } from '@topup-kit/providers/vip-reseller/settings';
import { constantSignature } from '@topup-kit/providers/vip-reseller/signature';
import * as z from 'zod/mini';
import {
  action,
  balanceInput,
  ControlError,
  createSequence,
  type SimulatedRequest,
  type SimulatedResponse,
  type Simulator,
  type SimulatorContext,
  sumOf,
} from '../simulator.ts';

/** The credentials of the documentation, so that its signature is valid here. */
const credentials = {
  VIP_RESELLER_API_ID: vipResellerSettings.apiId.published,
  VIP_RESELLER_API_KEY: vipResellerSettings.apiKey.published,
};
const signature = constantSignature(credentials.VIP_RESELLER_API_ID, credentials.VIP_RESELLER_API_KEY);

const statuses = ['waiting', 'processing', 'success', 'error'] as const;
type Status = (typeof statuses)[number];

interface Service {
  code: string;
  game: string;
  name: string;
  price: { basic: number; premium: number; special: number };
  status: 'available' | 'empty';
}

const service = (code: string, game: string, name: string, basic: number): Service => ({
  code,
  game,
  name,
  status: 'available',
  price: { basic, premium: basic - 200, special: basic - 400 },
});

const createServices = (): Service[] => [
  service('ML86', 'Mobile Legends', '86 Diamonds', 20_400),
  service('ML172', 'Mobile Legends', '172 Diamonds', 40_300),
  service('FF70', 'Free Fire', '70 Diamonds', 9_400),
  service('PUBGM60', 'PUBG Mobile', '60 UC', 14_900),
];

/** Games whose players have nicknames. */
const nicknameCodes = ['mobile-legends', 'free-fire', 'pubgm', 'valorant', 'genshin-impact'];

interface Order {
  trxId: string;
  service: string;
  target: string;
  zone: string | null;
  price: number;
  status: Status;
  /** The serial number after a success. */
  note: string;
}

/** The course of each kind of order: its statuses, and their times after the order in milliseconds. */
const plans = {
  done: [
    [2_000, 'processing'],
    [5_000, 'success'],
  ],
  failed: [
    [2_000, 'processing'],
    [5_000, 'error'],
  ],
  waiting: [],
} as const satisfies Record<string, readonly (readonly [number, Status])[]>;
type PlanName = keyof typeof plans;

const isOpen = ({ status }: Order): boolean => status === 'waiting' || status === 'processing';

const respond = (data: unknown, message: string): SimulatedResponse => ({
  status: 200,
  body: { result: true, data, message },
});
const failure = (message: string): SimulatedResponse => ({
  status: 200,
  body: { result: false, data: null, message },
});

const formOf = ({ body }: SimulatedRequest): URLSearchParams => new URLSearchParams(body);

const serviceInput = z.strictObject({
  code: z.string(),
  price: z.optional(z.int().check(z.positive())),
  premium: z.optional(z.int().check(z.positive())),
  special: z.optional(z.int().check(z.positive())),
  status: z.optional(z.enum(['available', 'empty'])),
});

/** Simulates VIP Reseller: orders that can be looked up only by its own id, prices and nicknames. */
export function createVipResellerSimulator(context: SimulatorContext): Simulator {
  const { world, callbacks, callbackUrl, fault } = context;
  const services = createServices();
  const orders: Order[] = [];
  const planned: PlanName[] = [];
  const sequence = createSequence(world);
  let balance = 10_000_000;
  /** The account's level. */
  let level: (typeof levels)[number] = 'basic';

  const document = ({ trxId, service: code, target, zone, status, note, price }: Order) => ({
    trxid: trxId,
    data: target,
    zone,
    service: code,
    status,
    note,
    price,
  });

  function sendWebhook(order: Order): void {
    if (callbackUrl === undefined) return;
    callbacks.send({
      subject: order.trxId,
      event: order.status,
      url: callbackUrl,
      body: JSON.stringify({ data: document(order) }),
      headers: { 'X-Client-Signature': signature },
      forgedHeaders: { 'X-Client-Signature': constantSignature('another', 'key') },
      retryAfter: () => null,
    });
  }

  /** Gives an order a new status, and moves the money: a failed order is paid back. */
  function change(order: Order, status: Status): void {
    const isError = status === 'error';
    if (isError !== (order.status === 'error')) balance += isError ? order.price : -order.price;
    order.status = status;
    order.note = status === 'success' ? `SN${sequence()}` : isError ? 'Transaksi gagal' : '';
    sendWebhook(order);
  }

  function place(form: URLSearchParams): SimulatedResponse {
    const chosen = services.find(({ code }) => code === form.get('service'));
    const target = form.get('data_no') ?? '';
    if (!chosen) return failure('Layanan tidak ditemukan');
    if (target === '') return failure('data_no is required');
    if (chosen.status === 'empty') return failure('Layanan sedang tidak tersedia');
    const price = chosen.price[level] + (fault('wrong-amount', 'order') ? 1 : 0);
    if (price > balance) return failure('Saldo tidak mencukupi');
    const trxId = `VP${sequence()}`;
    const order: Order = {
      trxId,
      service: chosen.code,
      target,
      zone: form.get('data_zone'),
      price,
      status: 'waiting',
      note: '',
    };
    balance -= price;
    orders.push(order);
    for (const [after, status] of plans[planned.shift() ?? 'done'])
      world.at(world.now() + after, () => {
        if (isOpen(order)) change(order, status);
      });
    const answer = { ...document(order), balance };
    return respond(answer, 'Pesanan berhasil, pesanan akan diproses');
  }

  function showStatus(form: URLSearchParams): SimulatedResponse {
    const order = orders.find(({ trxId }) => trxId === form.get('trxid'));
    return order
      ? respond([document(order)], 'Detail transaksi berhasil didapatkan.')
      : failure('Transaksi tidak ditemukan');
  }

  function listServices(form: URLSearchParams): SimulatedResponse {
    const wants = (name: string, value: string): boolean => (form.get(name) || value) === value;
    const matching = services.filter(
      ({ game, status }) => wants('filter_game', game) && wants('filter_status', status),
    );
    return respond(matching, 'Daftar layanan berhasil didapatkan.');
  }

  function showNickname(form: URLSearchParams): SimulatedResponse {
    const target = form.get('target') ?? '';
    if (!nicknameCodes.includes(form.get('code') ?? '')) return failure('Kode game tidak ditemukan');
    // A number that consists of zeros means an unknown player.
    return /^0*$/.test(target)
      ? failure('User ID tidak ditemukan')
      : respond(`Player ${target}`, 'Nickname ditemukan.');
  }

  const types: ReadonlyMap<string, (form: URLSearchParams) => SimulatedResponse> = new Map(
    Object.entries<(form: URLSearchParams) => SimulatedResponse>({
      order: place,
      status: showStatus,
      services: listServices,
      'get-nickname': showNickname,
    }),
  );

  const authorised =
    (handle: (form: URLSearchParams) => SimulatedResponse) =>
    (request: SimulatedRequest): SimulatedResponse => {
      const form = formOf(request);
      const isKnown = form.get('key') === credentials.VIP_RESELLER_API_KEY && form.get('sign') === signature;
      return isKnown ? handle(form) : failure('Permintaan tidak sesuai: key atau sign salah');
    };

  const typeOf = (form: URLSearchParams): string => {
    const type = form.get('type') ?? '';
    return types.has(type) ? type : 'unknown';
  };

  const plan = action(z.strictObject({ outcome: z.enum(['done', 'failed', 'waiting']) }), ({ outcome }) => {
    planned.push(outcome);
    return { planned: planned.length };
  });

  /** Gives an order a status. An order that has already ended gets a contradiction. */
  const resolve = action(
    z.strictObject({ trxid: z.string(), status: z.enum(statuses) }),
    ({ trxid, status }) => {
      const order = orders.find(({ trxId }) => trxId === trxid);
      if (!order) throw new ControlError(404, `VIP Reseller has no order ${trxid}.`);
      change(order, status);
      return document(order);
    },
  );

  const changeService = action(serviceInput, ({ code, price, premium, special, status }) => {
    const changed = services.find((service) => service.code === code);
    if (!changed) throw new ControlError(404, `VIP Reseller has no service ${code}.`);
    if (price !== undefined) changed.price.basic = price;
    if (premium !== undefined) changed.price.premium = premium;
    if (special !== undefined) changed.price.special = special;
    if (status !== undefined) changed.status = status;
    return changed;
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
    basePath: '/vip-reseller/api',
    credentials,
    operations: [
      {
        method: 'POST',
        path: '/game-feature',
        name: (request) => typeOf(formOf(request)),
        handle: authorised((form) => types.get(typeOf(form))?.(form) ?? failure('type is not known')),
      },
      {
        name: 'profile',
        method: 'POST',
        path: '/profile',
        handle: authorised(() => respond({ username: 'simulated', balance }, 'Profile berhasil didapatkan.')),
      },
    ],
    actions: { plan, resolve, service: changeService, level: setLevel, balance: setBalance },
    books() {
      const paid = orders.filter(({ status }) => status !== 'error');
      return { orders: orders.map(document), balance, spent: sumOf(paid.map(({ price }) => price)) };
    },
    redact: (body) => body.replaceAll(/(?<=^|&)key=[^&]*/g, 'key=***'),
    payments: () => [],
  };
}
