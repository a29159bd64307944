import { describe, expect, it } from 'vitest';
import { createRouter, pathOf } from '../src/app/index.ts';
import { operations } from '../src/contract/index.ts';

const { match } = createRouter('/api', operations);

describe('the operation of a request', () => {
  it.each([
    ['GET', '/api/games', 'listGames', {}],
    ['HEAD', '/api/games', 'listGames', {}],
    ['GET', '/api/games?page=2', 'listGames', {}],
    ['GET', '/api/games?', 'listGames', {}],
    ['GET', '/api/%67ames', 'listGames', {}],
    ['GET', '/api//games', 'listGames', {}],
    ['POST', '/api//order', 'createOrder', {}],
    ['GET', '/api//invoice/INV-1', 'getInvoice', { order_id: 'INV-1' }],
    ['POST', '/api/order', 'createOrder', {}],
    ['GET', '/api/games/mobile-legends', 'getGame', { slug: 'mobile-legends' }],
    ['GET', '/api/games/mobile%2Dlegends?x=/', 'getGame', { slug: 'mobile-legends' }],
    ['GET', '/api/games/a%2Fb', 'getGame', { slug: 'a/b' }],
    ['GET', '/api/games/a%252Fb', 'getGame', { slug: 'a%2Fb' }],
    ['GET', '/api/games/%C3%A9', 'getGame', { slug: 'é' }],
    ['GET', '/api/games/é', 'getGame', { slug: 'é' }],
    ['GET', '/api/games/%E0%A4%A', 'getGame', { slug: '%E0%A4%A' }],
    ['GET', '/api/games/%', 'getGame', { slug: '%' }],
    ['GET', '/api/order/mobile-legends', 'getCheckout', { slug: 'mobile-legends' }],
    ['GET', '/api/invoice/INV-1', 'getInvoice', { order_id: 'INV-1' }],
    ['GET', '/api/invoice/INV-1/payment-status', 'getPaymentStatus', { order_id: 'INV-1' }],
    ['POST', '/api/promo/validate', 'validatePromo', {}],
    ['POST', '/api/account/check', 'checkAccount', {}],
    ['GET', '/api/events', 'listEvents', {}],
  ])('matches %s %s to %s %j', (method, target, operation, parameters) => {
    expect(match(method, target)).toEqual({ operation, parameters });
  });

  it.each([
    ['POST', '/api/games'],
    ['GET', '/api/order'],
    ['HEAD', '/api/order'],
    ['OPTIONS', '/api/games'],
    ['GET', '/api/games/'],
    ['GET', '/api/games//'],
    ['GET', '/api/games/a/b'],
    ['GET', '/api%2Fgames'],
    ['GET', '/api///games'],
    ['GET', '/API/games'],
    ['GET', '/games'],
    ['GET', '/apigames'],
    ['GET', '/x?/api/games'],
    ['GET', '/api/invoice//payment-status'],
    ['GET', '/'],
  ])('matches %s %s to no operation', (method, target) => {
    expect(match(method, target)).toBeNull();
  });

  it('matches only served operations', () => {
    expect(createRouter('', ['listGames']).match('GET', '/games')).not.toBeNull();
    expect(createRouter('', ['createOrder']).match('GET', '/games')).toBeNull();
  });
});

it.each([
  ['/a?b', '/a'],
  ['/a', '/a'],
  ['/%61%2F%3F%25?%61', '/a%2F%3F%25'],
  ['/%zz%61', '/%zza'],
])('reads the path of %s as %s', (target, path) => {
  expect(pathOf(target)).toBe(path);
});
