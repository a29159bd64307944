import { errors } from './errors.ts';
import { type FieldRule, ours } from './fields.ts';
import { failureReasons } from './generated/types.ts';
import type { Localised } from './locale.ts';
import { operations } from './routes.ts';
import { callScenarios, orderScenarios } from './scenarios.ts';

const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  Object.keys(table) as [Name, ...Name[]]; // safe: the keys of a const table that is not empty

/** Ways in which a connection fails, and their meanings. */
const brokenConnections = {
  cut: 'the connection is cut before anything is done',
  'cut-after': 'the request is carried out, then the connection is cut without a response',
  'half-body': 'the request is carried out; the connection is cut in the middle of the response body',
  html: 'the request is carried out; its response is a 502 with an HTML page, as of a proxy',
} as const;

/** What a gateway says when a customer pays, and what follows. */
const paymentWords = {
  declined: 'the payment fails',
  expired: 'the order expires',
  pending: 'nothing yet: the order stays unpaid until its customer pays again',
  late: 'it was paid after its time was over: the money waits for an operator',
  'wrong-amount': '1 less than the total was paid (in the smallest unit): the money waits for an operator',
  twice: 'it was paid two times: the second payment waits for an operator',
  unknown: 'its total was paid with a reference that no order has',
} as const;

/** What a gateway says instead of that an order was paid. */
export type PaymentWord = keyof typeof paymentWords;

/** `name` (meaning), and so on. */
const explained = (names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ');

const most = { min: 1, max: 1_000_000 } as const;

/**
 * The parameters of a fault (source: ours): its effect, the affected calls, its frequency and its duration. Used by a sandbox's `POST
 * /sandbox/add-fault`, `topup sandbox add-fault`, the console, `add_fault` of MCP, and `mock.faults.add`.
 */
export const faultFields = [
  ours.text('error', 'Error code of the response; nothing is done.', { options: namesOf(errors) }),
  ours.text(
    'delay',
    'How long the response takes longer: `800ms`, or at random from `200ms-2s`; at most `10m`.',
    {},
  ),
  ours.text('connection', `How the connection fails: ${explained(brokenConnections)}.`, {
    options: namesOf(brokenConnections),
  }),
  ours.text('payment', `Response of the gateway to a payment: ${explained(paymentWords)}.`, {
    options: namesOf(paymentWords),
  }),
  ours.text('word', 'Message of the supplier about each item, which then fails.', { text: 'kept' }),
  ours.text('reason', 'Why each item fails at the supplier.', { options: failureReasons }),
  ours.text('scenario', 'A scenario, as `POST /sandbox/scenario` chooses one.', {
    options: namesOf({ ...orderScenarios, ...callScenarios }),
  }),
  ours.text('operation', 'Only calls to this operation.', { options: operations }),
  ours.text('account', 'Only for this account to top up: the `id` of its orders.', { text: 'account' }),
  ours.text('phone', 'Only for orders with this phone number, however it is written.', {
    format: 'phone',
    text: 'phone',
  }),
  ours.text('game', 'Only for this game, by its slug.', {}),
  ours.integer('method', 'Only for orders with the payment method of this id.', { min: 1 }),
  ours.text('header', 'Only for requests with this header: `Name`, or `Name: value`.', { text: 'kept' }),
  ours.integer('times', 'How often it strikes at most.', most),
  ours.integer('every', 'Only every nth time: `3` strikes the third, the sixth and so on.', most),
  ours.integer('percent', 'With this probability; the same seed strikes the same ones.', {
    min: 1,
    max: 100,
  }),
  ours.integer('seed', 'Seed of the probability; 0 when left out.', { min: 0 }),
  ours.text(
    'for',
    "How long it is on, by the sandbox's clock, such as `10m`; until it is removed when left out.",
    {},
  ),
] as const satisfies readonly FieldRule[];

export type FaultFieldName = (typeof faultFields)[number]['name'];

/** The label of each fault parameter in a form. */
export const faultTitles: Readonly<Record<FaultFieldName, Localised>> = {
  error: { id: 'Kode galat', en: 'Error code' },
  delay: { id: 'Terlambat (800ms, 200ms-2s)', en: 'Delay (800ms, 200ms-2s)' },
  connection: { id: 'Koneksi', en: 'Connection' },
  payment: { id: 'Respons gateway saat pesanan dibayar', en: "Gateway's response to a payment" },
  word: { id: 'Pesan pemasok', en: "Supplier's message" },
  reason: { id: 'Alasan pengiriman gagal', en: 'Why the delivery fails' },
  scenario: { id: 'Skenario', en: 'Scenario' },
  operation: { id: 'Hanya operasi', en: 'Only the operation' },
  account: { id: 'Hanya akun (id)', en: 'Only the account (id)' },
  phone: { id: 'Hanya nomor telepon', en: 'Only the phone number' },
  game: { id: 'Hanya game (slug)', en: 'Only the game (slug)' },
  method: { id: 'Hanya id metode bayar', en: 'Only the payment method id' },
  header: { id: 'Hanya header (Nama: nilai)', en: 'Only the header (Name: value)' },
  times: { id: 'Paling banyak berapa kali', en: 'How often at most' },
  every: { id: 'Setiap kali ke-', en: 'Only every nth time' },
  percent: { id: 'Peluang (persen)', en: 'Probability (percent)' },
  seed: { id: 'Benih peluang', en: 'Seed of the probability' },
  for: { id: 'Berapa lama (jam sandbox)', en: 'How long (sandbox clock)' },
};
