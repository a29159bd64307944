import { type Explained, explain, type Step, statesOf, unborn } from './explain.ts';
import type { Operation, Shown } from './operation.ts';
import { type Effect, everyState, own, type State, setOf, sources, states, visible } from './rules.ts';

/** The rules that a history is held to. */
export const rules = [
  /** A key has one order, and an order one key. */
  'one order a key',
  /** All responses to a key are the same, and another payload gets none of them. */
  'one response a key',
  /** What a client was told of is there for good. */
  'there for good',
  /** Nobody sees a state that was over before the read began. */
  'no old state',
  /** Every state is reached by what was asked for, by the tables of the open points. */
  'one legal sequence',
  /** What an order costs, and until when it can be paid, never changes. */
  'the same order everywhere',
] as const;
export type Rule = (typeof rules)[number];

export interface Violation {
  rule: Rule;
  /** The order, or its key. */
  about: string;
  sentence: string;
}

export interface Verdict {
  operations: number;
  orders: number;
  /** Operations without a response. */
  unknown: number;
  found: number;
  /** The first ones. */
  violations: Violation[];
  byRule: Partial<Record<Rule, number>>;
}

/**
 * How long an operation lasts at most, in milliseconds; a client gives up after ten seconds, and a busy machine notices it late. All that overlaps it is looked at together, so this
 * bounds what the checker holds.
 */
const longestMs = 60_000;

/** An order is overdue for certain so long after the second in which it expires, in milliseconds. */
const overdueMs = 1_500;

/** Violations that are kept. */
const mostKept = 20;

/** Orders of an account that a page of its newest ones is compared with. */
const newest = 1_000;

/** What is known of a key and its order. */
interface Known {
  name: string;
  account: string;
  orderId: string | null;
  hash: string | null;
  total: number | null;
  expires: number | null;
  /** When a client first had it from a response; infinite before. */
  toldAt: number;
  /** The last list that was read to its end in which it was. */
  walk: number;
  explained: Explained;
  /** What is not explained yet, because operations may still come that overlap it. */
  steps: Step[];
  lastEnd: number;
}

/** The local second of an order, by which lists are sorted. */
const secondOf = (orderId: string): string => orderId.slice(0, 18);

/** Effects of which a gateway is told why they changed nothing: the order was in none of the states in which they do. */
const isCertain = (effect: Effect): boolean => ['paid', 'failed', 'expired'].includes(effect);

const overdue = setOf('UNPAID/Pending');

function stateSet(text: string): number {
  const index = (states as readonly string[]).indexOf(text); // safe: widened, to look a text up
  return index === -1 ? 0 : 1 << index;
}

/**
 * Proves from the outside that what clients were told can be true: for each order one legal sequence of states in which every operation
 * happened at one moment between its start and its end, for each key one order, and no read older than what was told before it began.
 * One pass, in memory that grows with the orders alone; time grows with the operations.
 */
export async function checkHistory(
  history: AsyncIterable<Operation> | Iterable<Operation>,
): Promise<Verdict> {
  const verdict: Verdict = { operations: 0, orders: 0, unknown: 0, found: 0, violations: [], byRule: {} };
  const keys = new Map<string, Known>();
  const owners = new Map<string, Known>();
  /** Orders with steps to explain, those with the oldest last step first. */
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

  /** Notes that a response names the order of a key. */
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
      // What the supplier may do at any moment needs no cause.
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
    // Neither this operation nor a later one began before their last step ended.
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
