import { type Operation, operations } from '@topup-kit/core/contract';
import { responseSchemas } from '@topup-kit/core/schemas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMismatch } from '../../src/validation/check-response.ts';
import { jsonPath, placesIn, replaced, valueAt } from './places.ts';
import { createSamples } from './samples.ts';

const samples = createSamples();

/** One value of each JSON type (1e999 is infinite), and `undefined` for a missing field. */
const kinds = [
  undefined,
  null,
  'Ayu',
  '',
  7,
  -1,
  1.5,
  2 ** 53,
  JSON.parse('1e999'),
  true,
  false,
  [],
  ['Ayu'],
  {},
  { id: 1 },
];

/** The path of the first schema error. An unknown enum value is not an error for a client. */
function firstFault(operation: Operation, body: unknown): string | undefined {
  const issues = responseSchemas[operation].safeParse(body).error?.issues ?? [];
  const fault = issues.find((issue) => {
    const isList = issue.code === 'invalid_value' && issue.values.length > 1;
    return !isList || typeof valueAt(body, issue.path) !== 'string';
  });
  return fault && jsonPath(fault.path);
}

describe('the contract’s schema and the client', () => {
  it.each(operations)('agrees with the schema about any single value of %s', (operation) => {
    for (const place of placesIn(samples[operation]))
      for (const kind of kinds) {
        const body = replaced(samples[operation], place, kind);
        const seen = [jsonPath(place), kind];
        expect([...seen, findMismatch(operation, body)?.path]).toEqual([
          ...seen,
          firstFault(operation, body),
        ]);
      }
  });

  it('agrees with the schema about the first of several errors', () => {
    const faulty = fc.constantFrom(...operations).chain((operation) => {
      const change = fc.tuple(fc.constantFrom(...placesIn(samples[operation])), fc.constantFrom(...kinds));
      return fc.array(change, { maxLength: 4 }).map((changes) => {
        const body = changes.reduce(
          (body: unknown, [place, kind]) => replaced(body, place, kind),
          samples[operation],
        );
        return { operation, body };
      });
    });
    fc.assert(
      fc.property(faulty, ({ operation, body }) => {
        expect(findMismatch(operation, body)?.path).toBe(firstFault(operation, body));
      }),
      { numRuns: 500 },
    );
  });
});
