import { errors } from './errors.ts';
import { type FieldRule, ours } from './fields.ts';
import { failureReasons } from './generated/types.ts';
import type { Localised } from './locale.ts';
import { operations } from './routes.ts';
import { callScenarios, orderScenarios } from './scenarios.ts';

const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  Object.keys(table) as [Name, ...Name[]]; // Safe: these are the keys of a constant table, which is not empty.

/** Ways in which a connection can fail, and their meanings. */
const brokenConnections = {
  cut: 'the connection is cut before the request is carried out',
  'cut-after': 'the request is carried out, then the connection is cut without a response',
  'half-body': 'the request is carried out; the connection is cut in the middle of the response body',
  html: 'the request is carried out; its response is a 502 with an HTML page, like that of a proxy',
} as const;

/** The gateway's reports after a customer pays, and the effect of each. */
const paymentWords = {
  declined: 'the payment fails',
  expired: 'the order expires',
  pending: 'the order stays unpaid until its customer pays again',
  late: 'the payment arrives after the order expired, and an operator must settle it',
  'wrong-amount':
    'the payment is 1 less than the total (in the smallest unit), and an operator must settle it',
  twice: 'the order is paid twice, and an operator must return the second payment',
  unknown: 'the payment has a reference that no order has',
} as const;

/** A report that a gateway sends instead of `paid`. */
export type PaymentWord = keyof typeof paymentWords;

/** Writes a list such as `name` (meaning), `other` (meaning). */
const explained = (names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ');

const most = { min: 1, max: 1_000_000 } as const;

/**
 * The parameters of a fault (source: ours): its effect, the affected calls, its frequency and its duration. They are used by a sandbox's
 * `POST /sandbox/add-fault`, `topup sandbox add-fault`, the console, `add_fault` of MCP, and `mock.faults.add`.
 */
export const faultFields = [
  ours.text('error', 'Error code of the response; the request is not carried out.', {
    options: namesOf(errors),
  }),
  ours.text('delay', 'Delay of the response: `800ms`, or at random from `200ms-2s`; at most `10m`.', {}),
  ours.text('connection', `How the connection fails: ${explained(brokenConnections)}.`, {
    options: namesOf(brokenConnections),
  }),
  ours.text('payment', `Response of the gateway to a payment: ${explained(paymentWords)}.`, {
    options: namesOf(paymentWords),
  }),
  ours.text('word', 'Message of the supplier; each item fails with it.', { text: 'kept' }),
  ours.text('reason', 'Reason why each item fails at the supplier.', { options: failureReasons }),
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
  ours.integer('times', 'Maximum number of times that the fault happens.', most),
  ours.integer('every', 'Only every nth time: `3` means the third, the sixth and so on.', most),
  ours.integer('percent', 'Probability of the fault; the same seed selects the same calls.', {
    min: 1,
    max: 100,
  }),
  ours.integer('seed', 'Seed of the probability; 0 when left out.', { min: 0 }),
  ours.text(
    'for',
    "Duration by the sandbox's clock, such as `10m`. Without it, the fault stays until it is removed.",
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
