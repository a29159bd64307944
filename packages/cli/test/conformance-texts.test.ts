import { describe, expect, it } from 'vitest';
import { remarks } from '../src/commands/conformance/conformance.ts';

type Description = Parameters<typeof remarks>[0];

const of = (more: object, options: Parameters<typeof remarks>[1] = {}): string[] =>
  // Safe: the code reads only these parts.
  remarks({ wrote: false, orders: 0, unknown: [], results: [], ...more } as unknown as Description, options);

const onlyRead = 'Only GET requests were sent. --allow-writes also places orders, which are never paid.';

describe('the texts after the cases', () => {
  it.each<[string, object, Parameters<typeof remarks>[1], string[]]>([
    ['the summary of a run that only read', {}, {}, [onlyRead]],
    [
      'the summary of a run with orders',
      { wrote: true, orders: 61 },
      { allowWrites: true },
      ['61 orders were placed; none is paid.'],
    ],
    [
      'the summary of a service without products',
      {},
      { allowWrites: true },
      [
        'Only GET requests were sent: the service shows no product that can be ordered. Give an order with --order.',
      ],
    ],
    [
      'the behaviour that is unknown',
      { unknown: ['errors.a', 'b\u001b'] },
      {},
      ['Nothing was learned about errors.a, b\\u{1b}.', onlyRead],
    ],
    [
      'the path of a dialect',
      {},
      { emitDialect: 'shop.json' },
      [onlyRead, 'Wrote the dialect to shop.json.'],
    ],
    [
      'the number of failures',
      { results: [{ outcome: 'passed' }, { outcome: 'failed' }] },
      { emitDialect: 'shop.json' },
      [
        onlyRead,
        'To repeat a request, set TOPUP_API_KEY to the key that was used.',
        'Wrote the dialect to shop.json.',
      ],
    ],
    [
      'the result of cases without failures',
      { results: [{ outcome: 'passed' }, { outcome: 'skipped' }] },
      {},
      [onlyRead],
    ],
  ])('prints %s after the cases', (_case, description, options, lines) => {
    expect(of(description, options)).toEqual(lines);
  });
});
