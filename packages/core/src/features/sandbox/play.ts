import { errorBody, type FieldFailure, type Fields, type Locale } from '../../contract/index.ts';
import { DomainError } from '../../engine/errors.ts';
import { readControlInput } from './control.ts';
import { invalidField, isObject, parseDocument } from './document.ts';
import type { Sandbox } from './sandbox.ts';
import { otherSteps, type StepKind, UnmetExpectation } from './steps.ts';

/** A step of a file: its command and the fields of the command. The text `$name` stands for the id that an earlier step named. */
export interface Step {
  /** Name of a sandbox control, an action on an order, or an expectation. */
  do: string;
  /** Name for the id of this step's order, fault or snapshot. */
  as?: string;
  [field: string]: unknown;
}

/**
 * A file of steps, for `topup sandbox play`, `POST /sandbox/play` and `mock.play`.
 *
 * @example
 * const file: StepsFile = {
 *   steps: [
 *     { do: 'trigger', event: 'order.paid', as: 'first' },
 *     { do: 'advance', by: '2s' },
 *     { do: 'expect-order', order: '$first', state: 'PAID / Sukses' },
 *   ],
 * };
 */
export interface StepsFile {
  steps: readonly Step[];
}

/** The number of played steps, and the ids that they named. */
export interface PlayResult {
  steps: number;
  names: Record<string, string | number>;
}

type Names = ReadonlyMap<string, string | number>;

const failed = (failure: FieldFailure): DomainError => invalidField('steps', failure);

const wordsOf = (error: DomainError, locale: Locale): string =>
  errorBody(error, 'message', { locale, currency: 'IDR' }).message;

function errorOfStep(index: number, { do: name }: Step, error: unknown): unknown {
  const place = { number: index + 1, step: name };
  if (error instanceof UnmetExpectation)
    return failed({ rule: 'stepExpected', params: { ...place, ...error.params } });
  // The service's own failures have no message for clients.
  if (!(error instanceof DomainError)) return error;
  const problem = { id: wordsOf(error, 'id'), en: wordsOf(error, 'en') };
  return failed({ rule: 'stepFailed', params: { ...place, problem } });
}

/** Checks only the form of a step; the rules of its fields are checked later. */
const isStep = (step: unknown): step is Step =>
  isObject(step) &&
  typeof step.do === 'string' &&
  (step.as === undefined || (typeof step.as === 'string' && /^[\w-]+$/.test(step.as)));

function parseSteps(document: unknown): readonly Step[] {
  const file = parseDocument(document, 'document');
  const { steps, ...others } = isObject(file) ? file : {};
  if (!Array.isArray(steps)) throw failed({ rule: 'steps' });
  const [name] = Object.keys(others);
  if (name !== undefined)
    throw invalidField(name, { rule: 'unknownParameter', params: { name, known: 'steps' } });
  const wrong = steps.findIndex((step) => !isStep(step));
  if (wrong !== -1) throw failed({ rule: 'step', params: { number: wrong + 1 } });
  return steps;
}

/** Returns the fields of a step, with ids in place of `$name`. */
function fieldsOf({ do: _do, as: _as, ...fields }: Step, names: Names): Fields {
  const resolved = (value: unknown): unknown => {
    const [, reference] = (typeof value === 'string' && /^\$([\w-]+)$/.exec(value)) || [];
    if (reference === undefined) return value;
    if (!names.has(reference)) throw failed({ rule: 'stepName', params: { name: reference } });
    return names.get(reference);
  };
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, resolved(value)]));
}

/** Returns the id in a step's result, which later steps can name. */
function idOf(result: object): string | number | undefined {
  const { order_id, id, fault } = { ...result } as Fields;
  const found = order_id ?? id ?? (isObject(fault) ? fault.id : undefined);
  return typeof found === 'string' || typeof found === 'number' ? found : undefined;
}

/** Tells whether a step returns an id. */
const namesSomething = ({ returns }: StepKind): boolean =>
  ['order_id', 'id', 'fault'].some((name) => returns.includes(name));

type Kinds = Readonly<Record<string, StepKind>>;

function kindOf(kinds: Kinds, { do: name }: Step): StepKind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind) return kind;
  throw failed({ rule: 'unknownStep', params: { known: Object.keys(kinds).join(', ') } });
}

/**
 * Reads a file of steps, and checks all steps before the first one runs.
 *
 * @throws DomainError VALIDATION_ERROR that has the number of the step.
 */
function readSteps(controls: Kinds, document: unknown): { step: Step; kind: StepKind }[] {
  const { play: _play, ...others } = controls;
  const kinds = { ...others, ...otherSteps };
  const names = new Map<string, string>();
  return parseSteps(document).map((step, index) => {
    try {
      const kind = kindOf(kinds, step);
      // A name's value is not known yet, so it is checked as a number, which is also a valid text.
      readControlInput(kind, fieldsOf(step, names));
      if (step.as !== undefined && !namesSomething(kind)) throw invalidField('as', { rule: 'unnamedStep' });
      if (step.as !== undefined) names.set(step.as, '1');
      return { step, kind };
    } catch (error) {
      throw errorOfStep(index, step, error);
    }
  });
}

/**
 * Plays a file of steps, and stops at the first step that fails.
 *
 * @throws DomainError VALIDATION_ERROR that has the number of the step, and the expected and actual values.
 */
export async function play(
  controls: Kinds,
  sandbox: Sandbox,
  document: unknown,
  accountId?: string,
): Promise<PlayResult> {
  const steps = readSteps(controls, document);
  const names = new Map<string, string | number>();
  for (const [index, { step, kind }] of steps.entries()) {
    try {
      const result = await kind.run(sandbox, readControlInput(kind, fieldsOf(step, names)), accountId);
      const id = idOf(result);
      if (step.as !== undefined && id !== undefined) names.set(step.as, id);
    } catch (error) {
      throw errorOfStep(index, step, error);
    }
  }
  return { steps: steps.length, names: Object.fromEntries(names) };
}
