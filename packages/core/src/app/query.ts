import {
  type FieldErrors,
  type FieldFailure,
  type FieldLimits,
  type FieldRule,
  normaliseFields,
  suggestSimilar,
} from '../contract/index.ts';
import { invalidFields } from '../engine/index.ts';
import { checkFields } from './http.ts';

const pairsOf = (target: string): URLSearchParams => new URLSearchParams(target.split('?', 2)[1]);

/** Returns the query parameters of a target; a repeated parameter has its last value. */
export const queryOf = (target: string): Record<string, string> => Object.fromEntries(pairsOf(target));

function parameterFailure(name: string, values: string[], known: readonly string[]): FieldFailure | null {
  if (!known.includes(name)) {
    const [meant] = suggestSimilar(name, known);
    return meant === undefined
      ? { rule: 'unknownParameter', params: { name, known: known.join(', ') } }
      : { rule: 'misspeltParameter', params: { name, meant } };
  }
  if (values.length > 1) return { rule: 'repeatedParameter', params: { name } };
  return values[0]?.trim() ? null : { rule: 'emptyParameter', params: { name } };
}

/**
 * Validates the query of an extension. It rejects a misspelt, empty or repeated filter, which would match unexpected orders.
 *
 * @throws DomainError VALIDATION_ERROR.
 */
export function readQuery<const Rules extends readonly FieldRule[]>(
  rules: Rules,
  target: string,
  limits: FieldLimits,
) {
  const sent = pairsOf(target);
  const known = rules.map(({ name }) => name);
  const errors: FieldErrors = Object.fromEntries(
    [...new Set(sent.keys())].flatMap((name) => {
      const failure = parameterFailure(name, sent.getAll(name), known);
      return failure ? [[name, [failure]]] : [];
    }),
  );
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return checkFields(rules, normaliseFields(rules, Object.fromEntries(sent)), limits);
}
