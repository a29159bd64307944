import {
  type FaultFieldName,
  type FieldFailure,
  type Fields,
  type FieldValues,
  faultFields,
  normaliseFields,
  type Operation,
  parseDuration,
  phoneDigits,
  validateFields,
} from '../../contract/index.ts';
import { invalidFields } from '../../engine/errors.ts';
import type { Clock } from '../../platform/index.ts';
import type { StoredOrder } from '../../store/index.ts';

/** A failure that a sandbox or a mock simulates on request. It is not reported as an error of the service. */
export class IntendedError extends Error {
  override readonly name = 'IntendedError';
}

/** The parameters of a fault. */
export type FaultInput = FieldValues<typeof faultFields>;

/** A fault of a sandbox or a mock: its effect, the affected calls, its frequency and its duration. */
export interface Fault extends FaultInput {
  /** Id for its removal. The first fault of a world has 1. */
  id: number;
  /** Number of times that it struck. */
  struck: number;
  /** True if it can still strike; false once its `times` are used up, or its time is over. */
  active: boolean;
}

/** A fault that strikes now. */
export interface StruckFault extends Fault {
  /** Additional delay of the response, in milliseconds. */
  delayMs: number;
}

/** The step that a fault affects: a call, the creation of a payment, its payment, or a request to the supplier. */
export type FaultPlace = 'call' | 'gateway' | 'payment' | 'supplier';

/** Known data of a call, a payment or a purchase. A fault with a filter doesn't strike if the filtered value is unknown. */
export interface FaultSubject {
  orderId?: string;
  operation?: Operation;
  account?: string | undefined;
  phone?: string | undefined;
  game?: string | undefined;
  method?: number | undefined;
  header?: (name: string) => string | null;
}

/** Returns the data of an order for filters. */
export const subjectOfOrder = (order: StoredOrder): FaultSubject => ({
  orderId: order.orderId,
  account: order.target.id,
  phone: order.contact.whatsapp,
  game: order.game.slug,
  method: order.paymentMethod.id,
});

/** The faults of a world. */
export interface Faults {
  /** True if a fault may strike a call. A property, because each request reads it. */
  readonly state: { readonly isOn: boolean };
  /** @throws DomainError VALIDATION_ERROR that names the parameter. */
  add(input: Fields): Fault;
  /** Lists all faults, oldest first, including faults that have ended. */
  list(): Fault[];
  /** Removes a fault; returns false if no fault has this id. */
  remove(id: number): boolean;
  clear(): void;
  /** Tells whether any fault affects a step, so that other steps need no further checks. */
  has(place: FaultPlace): boolean;
  /** Tells whether a scenario is active without a filter. */
  isOn(scenario: Fault['scenario']): boolean;
  /** Tells whether a fault of calls filters by data of an order. */
  readsOrders(): boolean;
  /** Returns the faults that strike now, oldest first, and counts each of them. */
  strike(place: FaultPlace, subject: FaultSubject): StruckFault[];
  /** Runs a preparation, during which no fault of payment or supplier strikes the order; without an id, no fault of the gateway. */
  sparing<Result>(orderId: string | undefined, work: () => Promise<Result>): Promise<Result>;
  snapshot(): FaultsSnapshot;
  /** Replaces all faults with those of a snapshot. */
  restore(from: FaultsSnapshot): void;
  /** Adds a listener that is called when faults were added or removed. */
  onChange(listener: () => void): void;
}

/** Maximum delay, because a longer delay would only keep a connection open. */
const maxDelayMs = 10 * 60_000;

/** The parameters for the effect of a fault. */
const effects = ['error', 'delay', 'connection', 'payment', 'word', 'reason', 'scenario'] as const;

/** Effects that a fault can combine. */
const effectsTogether: readonly (readonly (typeof effects)[number][])[] = [
  ['delay', 'error'],
  ['delay', 'connection'],
  ['word', 'reason'],
  ['payment'],
  ['scenario'],
];

/** Filters of faults that don't affect calls: neither a purchase nor a payment has a request. Faults of calls may use all filters. */
const orderFilters = ['account', 'phone', 'game', 'method'] as const;
const filters = [...orderFilters, 'operation', 'header'] as const;
const allowedFilters: Record<FaultPlace, readonly FaultFieldName[]> = {
  call: filters,
  supplier: orderFilters,
  payment: orderFilters,
  gateway: ['phone'],
};

/** Returns the step that a fault affects. */
export function placeOf({ scenario, payment, word, reason }: FaultInput): FaultPlace {
  if (scenario === 'gateway-down') return 'gateway';
  if (payment !== undefined || scenario === 'payment-declined') return 'payment';
  return word !== undefined || reason !== undefined || scenario?.startsWith('supplier-')
    ? 'supplier'
    : 'call';
}

/** Parses the minimum and maximum of a delay such as `800ms` or `200ms-2s`, in milliseconds; undefined for any other text. */
function parseDelay(text: string): [least: number, most: number] | undefined {
  const [least, most = least, ...more] = text.split('-').map(parseDuration);
  return least === undefined || most === undefined || least > most || more.length > 0
    ? undefined
    : [least, most];
}

function failureOf(input: FaultInput, name: FaultFieldName): FieldFailure | null {
  if (name === 'for' && parseDuration(input.for ?? '') === undefined) return { rule: 'duration' };
  if (name === 'delay') {
    const [, most] = parseDelay(input.delay ?? '') ?? [];
    if (most === undefined) return { rule: 'duration' };
    if (most > maxDelayMs) return { rule: 'maximum', params: { limit: '10m' } };
  }
  const place = placeOf(input);
  const isFilter = filters.some((filter) => filter === name);
  return isFilter && !allowedFilters[place].includes(name) ? { rule: 'faultFilter' } : null;
}

/** @throws DomainError VALIDATION_ERROR. */
export function readFault(sent: Fields): FaultInput {
  const checked = validateFields(faultFields, normaliseFields(faultFields, sent));
  if ('errors' in checked) throw invalidFields(checked.errors);
  const input = checked.values;
  const what = effects.filter((name) => input[name] !== undefined);
  if (!effectsTogether.some((allowed) => what.every((name) => allowed.includes(name))) || what.length === 0)
    throw invalidFields({ fault: [{ rule: 'faultEffect' }] });
  for (const { name } of faultFields) {
    const failure = input[name] === undefined ? null : failureOf(input, name);
    if (failure) throw invalidFields({ [name]: [failure] });
  }
  return input;
}

/** Returns a number from 0 to 1 that depends only on a seed and a count (mulberry32). */
function chance(seed: number, count: number): number {
  let mixed = (seed + Math.imul(count, 0x6d2b79f5)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

function hasHeader(filter: string, header: FaultSubject['header']): boolean {
  const [name = '', ...value] = filter.split(':');
  const sent = header?.(name.trim()) ?? null;
  return sent !== null && (value.length === 0 || sent.trim() === value.join(':').trim());
}

function concerns(fault: FaultInput, subject: FaultSubject): boolean {
  const { operation, account, phone, game, method, header } = fault;
  return (
    (operation === undefined || operation === subject.operation) &&
    (account === undefined || account === subject.account) &&
    (phone === undefined || phoneDigits(phone) === phoneDigits(subject.phone ?? '')) &&
    (game === undefined || game === subject.game) &&
    (method === undefined || method === subject.method) &&
    (header === undefined || hasHeader(header, subject.header))
  );
}

/** The scenario flaky fails every third call of each operation. */
export const flakyEvery = 3;

interface KeptFault {
  input: FaultInput;
  id: number;
  struck: number;
  /** Number of times that it could have struck; for the scenario flaky, separate for each operation. */
  met: Map<Operation | null, number>;
  /** Its end, in unix milliseconds of world time; null if it has none. */
  until: number | null;
}

/** The faults of a world at one moment; pass it to {@link createFaults}. */
export type FaultsSnapshot = readonly Readonly<KeptFault>[];

/** Maximum number of faults. The oldest ones are dropped, because a test may add faults for days. */
const maxKept = 1_000;

/** Creates the faults of a world: none at first, or those of a snapshot. */
export function createFaults(now: Clock, from: FaultsSnapshot = []): Faults {
  const copy = (fault: Readonly<KeptFault>): KeptFault => ({ ...fault, met: new Map(fault.met) });
  let kept = from.map(copy);
  let lastId = kept.at(-1)?.id ?? 0;
  const state = { isOn: false };
  const listeners: (() => void)[] = [];
  /** One entry for each preparation in progress. Two of them may concern the same order. */
  const spared = new Set<Pick<FaultSubject, 'orderId'>>();

  const isSpared = (place: FaultPlace, { orderId }: FaultSubject): boolean =>
    place !== 'call' && [...spared].some((subject) => subject.orderId === orderId);
  const isActive = ({ input: { times }, struck, until }: KeptFault): boolean =>
    (times === undefined || struck < times) && (until === null || now() < until);
  const shown = (fault: KeptFault): Fault => ({
    id: fault.id,
    ...fault.input,
    struck: fault.struck,
    active: isActive(fault),
  });

  function changeTo(faults: KeptFault[]): void {
    kept = faults.slice(-maxKept);
    state.isOn = kept.some(({ input }) => placeOf(input) === 'call');
    for (const listener of listeners) listener();
  }

  /** Counts an event that a fault matches, and returns whether the fault strikes. */
  function strikes(fault: KeptFault, operation: Operation | null): boolean {
    const { scenario, every = scenario === 'flaky' ? flakyEvery : 1, percent = 100, seed = 0 } = fault.input;
    const counted = scenario === 'flaky' ? operation : null;
    const met = (fault.met.get(counted) ?? 0) + 1;
    fault.met.set(counted, met);
    return met % every === 0 && chance(seed, met) * 100 < percent;
  }

  function delayOf({ input: { delay = '0s', seed = 0 }, struck }: KeptFault): number {
    const [least, most] = parseDelay(delay) ?? [0, 0];
    return least + Math.floor(chance(seed + 1, struck) * (most - least + 1));
  }

  changeTo(kept);
  return {
    state,
    add(sent) {
      const input = readFault(sent);
      lastId += 1;
      const until = input.for === undefined ? null : now() + (parseDuration(input.for) ?? 0);
      const fault = { input, id: lastId, struck: 0, met: new Map(), until };
      changeTo([...kept, fault]);
      return shown(fault);
    },
    list: () => kept.map(shown),
    remove(id) {
      const rest = kept.filter((fault) => fault.id !== id);
      const isRemoved = rest.length < kept.length;
      if (isRemoved) changeTo(rest);
      return isRemoved;
    },
    clear: () => changeTo([]),
    has: (place) => kept.some(({ input }) => placeOf(input) === place),
    isOn: (scenario) =>
      kept.some(
        (fault) =>
          fault.input.scenario === scenario &&
          isActive(fault) &&
          filters.every((name) => fault.input[name] === undefined),
      ),
    readsOrders: () =>
      kept.some(({ input }) =>
        orderFilters.some((name) => placeOf(input) === 'call' && input[name] !== undefined),
      ),
    async sparing(orderId, work) {
      const subject = orderId === undefined ? {} : { orderId };
      spared.add(subject);
      try {
        return await work();
      } finally {
        spared.delete(subject);
      }
    },
    strike(place, subject) {
      if (isSpared(place, subject)) return [];
      const struck = kept.filter(
        (fault) =>
          placeOf(fault.input) === place &&
          isActive(fault) &&
          concerns(fault.input, subject) &&
          strikes(fault, subject.operation ?? null),
      );
      return struck.map((fault) => {
        fault.struck += 1;
        return { ...shown(fault), delayMs: delayOf(fault) };
      });
    },
    onChange: (listener) => void listeners.push(listener),
    snapshot: () => kept.map(copy),
    restore(snapshot) {
      lastId = Math.max(lastId, ...snapshot.map(({ id }) => id));
      changeTo(snapshot.map(copy));
    },
  };
}
