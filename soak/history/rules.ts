/** States of an order, according to the open points (states): `payment_status/buy_status`, and `none` before the order exists. */
export const states = [
  'none',
  'UNPAID/Pending',
  'EXPIRED/Batal',
  'FAILED/Batal',
  'PAID/Proses',
  'PAID/Sukses',
  'PAID/Gagal',
  'REFUND/Gagal',
] as const;
export type State = (typeof states)[number];

/** Effects with the states before and after, by both tables of the open points, written independently to check the server's tables. */
const table = {
  placed: [['none'], 'UNPAID/Pending'],
  paid: [['UNPAID/Pending', 'EXPIRED/Batal'], 'PAID/Proses'],
  failed: [['UNPAID/Pending'], 'FAILED/Batal'],
  expired: [['UNPAID/Pending'], 'EXPIRED/Batal'],
  // A result from the supplier for an order that an operator has marked alike adds a serial number or a reason.
  delivered: [['PAID/Proses', 'PAID/Sukses'], 'PAID/Sukses'],
  undelivered: [['PAID/Proses', 'PAID/Gagal'], 'PAID/Gagal'],
  refunded: [['PAID/Proses', 'PAID/Gagal'], 'REFUND/Gagal'],
  retried: [['PAID/Proses', 'PAID/Gagal'], 'PAID/Proses'],
  'marked delivered': [['PAID/Proses', 'PAID/Sukses', 'PAID/Gagal'], 'PAID/Sukses'],
  'marked failed': [['PAID/Proses', 'PAID/Sukses', 'PAID/Gagal'], 'PAID/Gagal'],
} as const satisfies Record<string, readonly [readonly State[], State]>;
export type Effect = keyof typeof table;

/** Set of states, as bits. */
export type StateSet = number;

export const setOf = (...members: readonly State[]): StateSet =>
  members.reduce((set, state) => set | (1 << states.indexOf(state)), 0);
export const has = (set: StateSet, state: number): boolean => (set & (1 << state)) !== 0;
export const everyState: StateSet = setOf(...states);
export const visible: StateSet = everyState & ~setOf('none');

/** Returns the states from which an effect is possible. */
export const sources = (effect: Effect): StateSet => setOf(...table[effect][0]);

/** Returns the state after an effect, as a number; null if the effect is not possible. */
export const after = (effect: Effect, state: number): number | null =>
  has(sources(effect), state) ? states.indexOf(table[effect][1]) : null;

/** Effects that the server applies itself when the supplier reports a result. */
export const own = ['delivered', 'undelivered'] as const satisfies readonly Effect[];

/** Tells whether an effect can happen to an order only once: no effect returns the order to its initial state. */
export const isOnce = (effect: Effect): boolean =>
  ['placed', 'paid', 'failed', 'expired', 'refunded'].includes(effect);

/** Tells whether an effect with an unknown outcome may still be possible later in an order's life. */
export const mayFollow = (effect: Effect, state: number): boolean => has(before(sources(effect)), state);

/** Returns all states from which a state of a set can be reached. */
function before(goal: StateSet): StateSet {
  let found = goal;
  for (;;) {
    const more = (Object.keys(table) as Effect[]) // Safe: these are the keys of a constant table.
      .filter((effect) => has(found, states.indexOf(table[effect][1])))
      .reduce((set, effect) => set | sources(effect), found);
    if (more === found) return found;
    found = more;
  }
}
