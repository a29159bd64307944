import { describe, expect, it } from 'vitest';
import { pickFields } from '../src/output/print.ts';

const order = {
  orderId: 'INV-1',
  data: { pricing: { total_price: 22_000, fee: 0 }, nickname: null },
  units: [{ id: 1, state: 'delivered' }, { id: 2 }],
};

describe('pickFields', () => {
  it.each([
    ['a field', ['orderId'], { orderId: 'INV-1' }],
    ['a nested one, in its place', ['data.pricing.fee'], { data: { pricing: { fee: 0 } } }],
    ['one of every item of a list', ['units.id'], { units: [{ id: 1 }, { id: 2 }] }],
    [
      'several of one list together',
      ['units.state', 'units.id'],
      { units: [{ state: 'delivered', id: 1 }, { id: 2 }] },
    ],
    [
      'a field that is null',
      ['data.pricing.fee', 'data.nickname'],
      { data: { pricing: { fee: 0 }, nickname: null } },
    ],
    ['a whole and a part of it as the whole', ['data', 'data.pricing.fee'], { data: order.data }],
  ])('picks %s', (_case, paths, document) => {
    expect(pickFields(order, paths)).toEqual({ document, missing: [] });
  });

  it('goes through a document that is a list', () => {
    expect(pickFields([{ id: 1, a: 2 }, { id: 3 }], ['id'])).toEqual({
      document: [{ id: 1 }, { id: 3 }],
      missing: [],
    });
  });

  it.each(['nothing', 'data.nothing', 'orderId.length', 'units.nothing'])(
    'says that nothing stands at %s',
    (path) => {
      expect(pickFields(order, [path]).missing).toEqual([path]);
    },
  );

  it('says nothing of a field in an empty list: there may be one the next time', () => {
    expect(pickFields({ games: [] }, ['games.slug'])).toEqual({ document: { games: [] }, missing: [] });
  });

  it.each(['constructor', '__proto__', 'toString', 'data.hasOwnProperty'])(
    'finds nothing at %s, which is no field',
    (path) => {
      expect(pickFields(order, [path])).toEqual({ document: {}, missing: [path] });
    },
  );

  it('keeps a field named __proto__ a field', () => {
    const document = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}');

    const picked = pickFields(document, ['__proto__.polluted', 'a']);

    expect(JSON.stringify(picked.document)).toBe('{"__proto__":{"polluted":true},"a":1}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
