import { type Explained, explain, type Step, statesOf, unborn } from './explain.ts';
import type { Operation, Shown } from './operation.ts';
import { type Effect, everyState, own, type State, setOf, sources, states, visible } from './rules.ts';

/** Rules for a history. */
export const rules = [
  /** A key has one order, and an order has one key. */
  'one order a key',
  /** All responses to a key are equal, and a request with another payload gets none of them. */
  'one response a key',
  /** An order that a client was told about never disappears. */
  'there for good',
  /** No client sees a state that had ended before the read began. */
  'no old state',
  /** Requests explain every state, according to the tables of the open points. */
  'one legal sequence',
  /** The price and the deadline of an order never change. */
  'the same order everywhere',
] as const;
export type Rule = (typeof rules)[number];

export interface Violation {
  rule: Rule;
  /** Order, or its key. */
  about: string;
  sentence: string;
}

export interface Verdict {
  operations: number;
  orders: number;
  /** Number of operations without a response. */
  unknown: number;
  found: number;
  /** First violations. */
  violations: Violation[];
  byRule: Partial<Record<Rule, number>>;
}

/**
 * Maximum duration of an operation, in milliseconds. A client gives up after ten seconds, and a busy machine notices this late. All
 * operations that overlap are checked together, so this limits the memory of the checker.
 */
const longestMs = 60_000;

/** Time after the second of its expiry from which an order is certainly overdue, in milliseconds. */
const overdueMs = 1_500;

/** Maximum number of violations to keep. */
const mostKept = 20;

/** Number of an account's orders that are compared with a page of its newest orders. */
const newest = 1_000;

/** Facts about a key and its order. */
interface Known {
  name: string;
  account: string;
  orderId: string | null;
  hash: string | null;
  total: number | null;
  expires: number | null;
  /** Time when a client first got the order from a response; infinite before. */
  toldAt: number;
  /** Last completely read list that contained the order. */
  walk: number;
  explained: Explained;
  /** Steps that are not explained yet, because operations that overlap them may follow. */
  steps: Step[];
  lastEnd: number;
}

/** Returns the local second of an order, by which lists are sorted. */
const secondOf = (orderId: string): string => orderId.slice(0, 18);

/** Tells whether a gateway is told why an effect changed nothing: the order was in no state that allows it. */
const isCertain = (effect: Effect): boolean => ['paid', 'failed', 'expired'].includes(effect);

const overdue = setOf('UNPAID/Pending');

function stateSet(text: string): number {
  const index = (states as readonly string[]).indexOf(text); // Safe: the type is only widened, so that a string can be looked up.
  return index === -1 ? 0 : 1 << index;
}

/**
 * Proves that the responses to clients can be true together: each order has one legal sequence of states in which every operation happened
 * at one moment between its start and its end, each key has one order, and no read is older than facts that clients knew before it began.
 * It makes one pass. Its memory grows only with the orders, and its time with the operations.
 */
export async function checkHistory(
  history: AsyncIterable<Operation> | Iterable<Operation>,
): Promise<Verdict> {
  const verdict: Verdict = { operations: 0, orders: 0, unknown: 0, found: 0, violations: [], byRule: {} };
  const keys = new Map<string, Known>();
  const owners = new Map<string, Known>();
  /** Orders with steps to explain. The order whose last step is oldest comes first. */
  const waiting = new Set<Known>();
  const recent = new Map<string, Known[]>();
  const walks = new Map<number, number>();

  function report(rule: Rule, { name, orderId }: Known, sentence: string): void {
    verdict.found += 1;
    verdict.byRule[rule] = (verdict.byRule[rule] ?? 0) + 1;
    if (verdict.violations.length < mostKept)
      verdict.violations.push({ rule, about: orderId === null ? name : `${orderId} (${name})`, sentence });
  }

  function knownOf(account: string, key: string): Known {
    const name = `${account}/${key}`;
    const known = keys.get(name) ?? {
      ...{ name, account, orderId: null, hash: null, total: null, expires: null, walk: 0 },
      ...{ toldAt: Number.POSITIVE_INFINITY, lastEnd: 0, explained: unborn, steps: [] },
    };
    keys.set(name, known);
    return known;
  }

  function settle(known: Known): void {
    waiting.delete(known);
    const { steps } = known;
    const before =
      known.expires === null ? known.explained : { ...known.explained, expiresAt: known.expires * 1_000 };
    known.explained = explain(before, steps, (step, possible, wasPassed) => {
      const around = steps
        .filter((other) => other.start <= step.end)
        .slice(-12)
        .map(
          ({ start, text, ...other }) =>
            `${start.toFixed(1)}-${'end' in other ? other.end.toFixed(1) : '?'} ${text}`,
        );
      const rule = ruleOf(step, wasPassed);
      report(
        rule,
        known,
        `${step.text}, though it can only have been ${possible.join(' or ')}. Last: ${around.join('; ')}`,
      );
    });
    known.steps = [];
  }

  function add(known: Known, step: Step, end: number): void {
    known.steps.push(step);
    known.lastEnd = end;
    waiting.delete(known);
    waiting.add(known);
  }

  /** Records that a response names the order of a key. */
  function tell(
    known: Known,
    { orderId, total, expires }: Partial<Shown> & { orderId: string },
    end: number,
  ): void {
    const owner = owners.get(orderId);
    if ((known.orderId !== null && known.orderId !== orderId) || (owner && owner !== known)) {
      report('one order a key', known, `has ${orderId}, too${owner ? `, the order of ${owner.name}` : ''}`);
      return;
    }
    known.orderId = orderId;
    owners.set(orderId, known);
    if (known.toldAt === Number.POSITIVE_INFINITY) {
      known.toldAt = end;
      const list = recent.get(known.account) ?? [];
      list.push(known);
      if (list.length > 2 * newest) list.splice(0, newest);
      recent.set(known.account, list);
    }
    for (const [name, value] of [['total', total] as const, ['expires', expires] as const]) {
      if (value === undefined) continue;
      known[name] ??= value;
      if (known[name] !== value)
        report('the same order everywhere', known, `its ${name} was ${known[name]}, and is ${value}`);
    }
  }

  function see(
    known: Known,
    shown: Partial<Shown> & { orderId: string; state: string },
    at: Operation,
    how: string,
  ): void {
    tell(known, shown, at.end);
    const isOverdue = at.start > (known.expires ?? Number.POSITIVE_INFINITY) * 1_000 + overdueMs;
    const set = stateSet(shown.state) & ~(isOverdue ? overdue : 0);
    const text = `${how} at ${at.server} showed ${shown.state}`;
    if (set === 0)
      report(
        'one legal sequence',
        known,
        isOverdue ? `${text} after it had expired` : `${text}, which is no state`,
      );
    else add(known, { kind: 'sees', ...at, set, text }, at.end);
  }

  const miss = (known: Known, at: Operation, how: string): void =>
    add(
      known,
      { kind: 'sees', ...at, set: setOf('none'), text: `${how} at ${at.server} did not show it` },
      at.end,
    );

  function place(operation: Extract<Operation, { does: 'place' }>): void {
    const { got, same, server, start, end, account, key } = operation;
    const known = knownOf(account, key);
    if (got === null) {
      if (same)
        add(
          known,
          {
            kind: 'may change',
            start,
            effect: 'placed',
            text: `a request to place it at ${server} got no response`,
          },
          end,
        );
      return;
    }
    if ('code' in got) {
      if ((got.code === 'IDEMPOTENCY_CONFLICT') === same && got.code !== 'IDEMPOTENCY_IN_FLIGHT')
        report(
          'one response a key',
          known,
          `the ${same ? 'same' : 'other'} payload got ${got.code} at ${server}`,
        );
      return;
    }
    if (!same) report('one response a key', known, `another payload got a 201 at ${server}`);
    tell(known, got, end);
    if (known.orderId !== got.orderId) return;
    known.hash ??= got.hash;
    if (known.hash !== got.hash) report('one response a key', known, `got other bytes at ${server}`);
    add(
      known,
      got.isReplay
        ? { kind: 'sees', start, end, set: visible, text: `a replay at ${server} showed that it is there` }
        : { kind: 'changes', start, end, effect: 'placed', text: `it was placed at ${server}` },
      end,
    );
  }

  function list(operation: Extract<Operation, { does: 'list' }>): void {
    const { got, account, walk } = operation;
    if (got === null) return;
    const listed = new Set<Known>();
    for (const shown of got.orders) {
      const known = knownOf(account, shown.key);
      listed.add(known);
      see(known, shown, operation, 'a list');
      if (walk !== null) known.walk = walk;
    }
    if (walk !== null) {
      const begun = walks.get(walk) ?? operation.start;
      walks.set(walk, begun);
      if (got.more) return;
      for (const known of keys.values())
        if (known.account === account && known.toldAt < begun && known.walk !== walk)
          miss(known, operation, 'the whole list');
      return;
    }
    const last = got.more ? secondOf(got.orders.at(-1)?.orderId ?? '') : '';
    for (const known of (recent.get(account) ?? []).slice(-newest))
      if (secondOf(known.orderId ?? '') > last && !listed.has(known)) miss(known, operation, 'a list');
  }

  function change(operation: Extract<Operation, { does: 'change' }>): void {
    const { got, effect, server, start, end, account, key } = operation;
    const known = knownOf(account, key);
    const text = `"${effect}" at ${server}`;
    if (got === null) {
      // Actions that the supplier may take at any time need no cause.
      if (!own.some((one) => one === effect))
        add(known, { kind: 'may change', start, effect, text: `${text} got no response` }, end);
    } else if (got === 'changed')
      add(known, { kind: 'changes', start, end, effect, text: `${text} changed it` }, end);
    else {
      const set = isCertain(effect) ? visible & ~sources(effect) : everyState;
      add(known, { kind: 'sees', start, end, set, text: `${text} changed nothing` }, end);
    }
  }

  for await (const operation of history) {
    verdict.operations += 1;
    const { start, end, got, does } = operation;
    if (end - start > longestMs)
      throw new Error(`an operation took ${Math.round(end - start)} ms: ${JSON.stringify(operation)}`);
    if (got === null) verdict.unknown += 1;
    // Neither this operation nor a later one began before the end of their last step.
    for (const known of waiting) {
      if (known.lastEnd > end - longestMs) break;
      settle(known);
    }
    if (does === 'place') place(operation);
    else if (does === 'list') list(operation);
    else if (does === 'change') change(operation);
    else if (got === 'none') miss(knownOf(operation.account, operation.key), operation, operation.by);
    else if (got) see(knownOf(operation.account, operation.key), got, operation, operation.by);
  }
  for (const known of waiting) settle(known);
  for (const { explained, orderId } of keys.values())
    if (orderId !== null && statesOf(explained) !== 1) verdict.orders += 1;
  return verdict;
}

function ruleOf(step: Step, wasPassed: boolean): Rule {
  if (step.kind === 'changes' && step.effect === 'placed') return 'one order a key';
  if (step.kind !== 'sees') return 'one legal sequence';
  if (step.set === setOf('none')) return 'there for good';
  return wasPassed ? 'no old state' : 'one legal sequence';
}

export type { State };
