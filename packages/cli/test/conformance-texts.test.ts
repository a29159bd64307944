import { describe, expect, it } from 'vitest';
import { remarks } from '../src/commands/conformance/conformance.ts';

type Description = Parameters<typeof remarks>[0];

const of = (more: object, options: Parameters<typeof remarks>[1] = {}): string[] =>
  // safe: it reads no more
  remarks({ wrote: false, orders: 0, unknown: [], results: [], ...more } as unknown as Description, options);

const onlyRead = 'Only GET requests were sent. --allow-writes also places orders, which are never paid.';

describe('what is said after the cases', () => {
  it.each<[string, object, Parameters<typeof remarks>[1], string[]]>([
    ['of a run that only read', {}, {}, [onlyRead]],
    [
      'of a run with orders',
      { wrote: true, orders: 61 },
      { allowWrites: true },
      ['61 orders were placed; none is paid.'],
    ],
    [
      'of a service that shows nothing to order',
      {},
      { allowWrites: true },
      [
        'Only GET requests were sent: the service shows no product that can be ordered. Give an order with --order.',
      ],
    ],
    [
      'of what is not known',
      { unknown: ['errors.a', 'b\u001b'] },
      {},
      ['Nothing was learned about errors.a, b\\u{1b}.', onlyRead],
    ],
    ['of a dialect', {}, { emitDialect: 'shop.json' }, [onlyRead, 'Wrote the dialect to shop.json.']],
    [
      'of failures',
      { results: [{ outcome: 'passed' }, { outcome: 'failed' }] },
      { emitDialect: 'shop.json' },
      [
        onlyRead,
        'To repeat a request, set TOPUP_API_KEY to the key that was used.',
        'Wrote the dialect to shop.json.',
      ],
    ],
    [
      'of cases without failures',
      { results: [{ outcome: 'passed' }, { outcome: 'skipped' }] },
      {},
      [onlyRead],
    ],
  ])('prints %s after the cases', (_case, description, options, lines) => {
    expect(of(description, options)).toEqual(lines);
  });
});
