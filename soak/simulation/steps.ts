import type { Catalog } from '@topup-kit/core/store';
import fc from 'fast-check';
import { catalog, codes, hours, often, phones, place } from './catalog.ts';
import type { Place, Weather } from './providers.ts';

/** One step of a world. `order` and `which` choose one of the existing items; `dies` is the call at which the service is killed. */
export type Single =
  | { does: 'order'; account: number; key: number | null; body: Record<string, unknown>; dies: number | null }
  /** A client that got no response, or uses a key twice. */
  | {
      does: 'again';
      which: number;
      change: 'nothing' | 'writing' | 'quantity' | 'account';
      dies: number | null;
    }
  | { does: 'read'; order: number; account: number; invoice: boolean; dies: number | null }
  | { does: 'promo'; body: Record<string, unknown> }
  | {
      does: 'pay';
      order: number;
      status: 'paid' | 'failed' | 'expired' | 'refunded';
      wrongBy: number;
      /** Time of the payment: now, or this many milliseconds from the expiry if the expiry is past. */
      at: 'now' | number;
      callback: 'sent' | 'twice' | 'lost';
      dies: number | null;
    }
  /** Advances by a number of milliseconds, or to a number of milliseconds from a moment of an order or of the promos. */
  | { does: 'advance'; to: 'expiry' | 'key' | 'promo' | 'later'; order: number; by: number }
  | { does: 'work'; dies: number | null }
  | ({ does: 'weather' } & Weather)
  | { does: 'operator'; command: 'refund' | 'retry' | 'mark' | 'settle' | 'return'; which: number }
  | {
      does: 'change';
      what: 'price' | 'promo price' | 'product' | 'method' | 'game' | 'promo' | 'quota';
      which: number;
      value: number;
    };

/** Step of a world: a single one, or two at the same time. */
export type Step = Single | { does: 'race'; both: [Single, Single] };

/** Chooses an order. Most steps use the first order, so that they affect each other. */
const which = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) });
const dies = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(15) });
const account = often(0, 1);

/** Invalid or unusual fields of an order. */
const oddities: readonly Record<string, unknown>[] = [
  ...[
    { id: ' ' },
    { whatsapp: null },
    { whatsapp: undefined, messenger_number: phones[3] },
    { game: undefined },
  ],
  ...[
    { quantity: 0 },
    { quantity: 101 },
    { quantity: '2' },
    { quantity: 100 },
    { product_id: '1' },
    { server: '' },
  ],
  ...[{ game: 'none' }, { game: 'sky' }, { product_id: 9 }, { product_id: 3 }, { payment_method_id: 9 }],
  ...[{ payment_method_id: '1' }, { promo_code: '' }, { promo_code: 'NONE' }],
];

const plainBody = fc
  .record({
    target: often<Record<string, unknown>>(
      { game: 'sea', product_id: 1 },
      { game: 'sea', product_id: 2 },
      { game: 'sky', product_id: 3, server: '2012' },
    ),
    payment_method_id: fc.constantFrom(1, 2, 3, 4, 4),
    whatsapp: fc.constantFrom(...phones),
    promo_code: fc.constantFrom(undefined, undefined, undefined, codes[0], codes[0], codes[1]),
    quantity: fc.constantFrom(undefined, 1, 2, 3),
  })
  .map(({ target, ...rest }): Record<string, unknown> => ({ id: '12345678', ...target, ...rest }));

const body = fc.oneof(
  { weight: 4, arbitrary: plainBody },
  {
    weight: 1,
    arbitrary: fc
      .tuple(plainBody, fc.constantFrom(...oddities))
      .map(([plain, odd]) => ({ ...plain, ...odd })),
  },
);

const supplies = [
  'delivered',
  'failed',
  'partly',
  'pending',
  'lost',
  'silent',
  'busy',
  'broke',
] as const satisfies Weather['supply'][];
const moment = fc.constantFrom<'now' | number>('now', 'now', -1, 0, 1);
const isKind = <Value>(value: Value): fc.Arbitrary<Value> => fc.constant(value);

const orderOf = (fields: fc.Arbitrary<Record<string, unknown>>) =>
  fc.record({ does: isKind('order' as const), account, key: fc.option(fc.nat(1)), body: fields, dies });
const order = orderOf(body);
const again = fc.record({
  does: isKind('again' as const),
  which,
  dies,
  change: fc.constantFrom(
    'nothing' as const,
    'nothing' as const,
    'writing' as const,
    'quantity' as const,
    'account' as const,
  ),
});
const read = fc.record({ does: isKind('read' as const), order: which, account, invoice: fc.boolean(), dies });
const pay = fc.record({
  does: isKind('pay' as const),
  order: which,
  at: moment,
  dies,
  status: often<'paid' | 'failed' | 'expired' | 'refunded'>('paid', 'failed', 'expired', 'refunded'),
  wrongBy: often(0, -1, 1),
  callback: often<'sent' | 'twice' | 'lost'>('sent', 'twice', 'lost'),
});
const work = fc.record({ does: isKind('work' as const), dies });
const operator = fc.record({
  does: isKind('operator' as const),
  which,
  command: fc.constantFrom(
    'refund' as const,
    'retry' as const,
    'mark' as const,
    'settle' as const,
    'return' as const,
  ),
});
const together = fc.oneof(order, again, read, pay, work, operator);
const orders = orderOf(plainBody);
const pairs: fc.Arbitrary<[Single, Single]> = fc.oneof(
  fc.tuple(together, together),
  fc.tuple(orders, orders),
  // A double click.
  orders.map((one): [Single, Single] => [one, one]),
  // Two servers over one store.
  work.map((one): [Single, Single] => [one, one]),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: order },
  { weight: 3, arbitrary: again },
  { weight: 3, arbitrary: read },
  {
    weight: 1,
    arbitrary: body.map(
      (one): Step => ({
        does: 'promo',
        body: { ...one, game_slug: one.game, code: one.promo_code ?? codes[1], quantity: undefined },
      }),
    ),
  },
  { weight: 6, arbitrary: pay },
  {
    weight: 4,
    arbitrary: fc.oneof(
      fc.record({
        does: isKind('advance' as const),
        to: fc.constantFrom('expiry' as const, 'expiry' as const, 'key' as const, 'promo' as const),
        order: which,
        by: fc.constantFrom(-1, 0, 1),
      }),
      fc.record({
        does: isKind('advance' as const),
        to: isKind('later' as const),
        order: isKind(0),
        by: fc.constantFrom(500, 5_000, 70_000, 20 * 60_000, 3 * hours),
      }),
    ),
  },
  { weight: 5, arbitrary: work },
  {
    weight: 3,
    arbitrary: fc.record({
      does: isKind('weather' as const),
      look: fc.boolean(),
      create: fc.constantFrom(
        'works' as const,
        'works' as const,
        'lost' as const,
        'never' as const,
        'rejected' as const,
      ),
      supply: fc.constantFrom(...supplies),
    }),
  },
  { weight: 3, arbitrary: operator },
  {
    weight: 2,
    arbitrary: fc.record({
      does: isKind('change' as const),
      which: fc.nat(1),
      value: fc.nat(3),
      what: fc.constantFrom(
        'price' as const,
        'promo price' as const,
        'product' as const,
        'method' as const,
        'game' as const,
        'promo' as const,
        'quota' as const,
      ),
    }),
  },
  { weight: 6, arbitrary: fc.record({ does: isKind('race' as const), both: pairs }) },
);

const paidNow: Extract<Step, { does: 'pay' }> = {
  does: 'pay',
  order: 0,
  status: 'paid',
  wrongBy: 0,
  at: 'now',
  callback: 'sent',
  dies: null,
};

/** Steps that bring the first order to a state in which more can happen. */
const plot: fc.Arbitrary<Step[]> = fc.oneof(
  fc.constant<Step[]>([]),
  fc
    .constantFrom(...supplies)
    .map((supply): Step[] => [
      { does: 'weather', create: 'works', look: true, supply },
      paidNow,
      { does: 'work', dies: null },
      ...(supply === 'failed' ? [{ ...paidNow, status: 'refunded' } as const] : []),
    ]),
  fc.constantFrom(-1, 0).map((by): Step[] => [{ does: 'advance', to: 'expiry', order: 0, by }]),
);

/** World: its constant properties, and its steps. */
export interface World {
  place: Place;
  catalog: Catalog;
  steps: Step[];
}

export const worlds: fc.Arbitrary<World> = fc
  .record({
    place,
    catalog,
    // Without an order, little happens.
    first: orderOf(plainBody).map((one) => ({ ...one, dies: null })),
    plot,
    others: fc.array(step, { maxLength: 13, size: 'max' }),
  })
  .map(({ first, plot: early, others, ...rest }) => ({ ...rest, steps: [first, ...early, ...others] }));

const fields = (value: object): string =>
  Object.entries(value)
    .filter(([name, one]) => one !== null && one !== undefined && name !== 'does')
    .map(([name, one]) => `${name} ${typeof one === 'object' ? JSON.stringify(one) : one}`)
    .join(', ');

/** Describes a step in one line. */
export const describe = (one: Step): string =>
  one.does === 'race' ? `at once: ${one.both.map(describe).join(' | ')}` : `${one.does}: ${fields(one)}`;
