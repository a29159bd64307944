import {
  expectError,
  expectHeader,
  expectStatus,
  gameNotFound,
  invalidField,
  methodNotFound,
  nonexistent,
  productGameMismatch,
  productNotFound,
  promoNotFound,
  readError,
} from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { type Probe, type ProbedResponse, type Topic, writes } from '../../probe.ts';

const notFound: SpecReference = 'open-points Errors/game-product-method-not-found';
const limits: SpecReference = 'open-points Errors/amount-outside-the-method-s-limits';
const checks: SpecReference = 'open-points Errors/Order-of-checks-on-POST-order';
const server: SpecReference = 'open-points Errors/A-game-that-needs-a-server';

function expectOutsideLimits(probe: Probe, response: ProbedResponse): void {
  expectStatus(response, 422, limits);
  readError(probe, response, 'PAYMENT_LIMIT', limits);
  expectHeader(response, 'X-Error-Code', 'PAYMENT_LIMIT', limits);
}

const noServer = invalidField('server', { rule: 'required' });

export const businessErrorCases: Topic = {
  'game, product and payment method not found, in their words': writes(
    [notFound, 'open-points Errors/Every-error-has-its-code-in'],
    async ({ order }) => {
      expectError(await order({ game: nonexistent.game }), gameNotFound, notFound);
      expectError(await order({ product_id: nonexistent.productId }), productNotFound, notFound);
      expectError(await order({ payment_method_id: nonexistent.methodId }), methodNotFound, notFound);
    },
  ),
  'a product of another game, in its words': writes(
    ['open-points Errors/product-not-of-the-game'],
    async ({ order, need }) => {
      const response = await order({ product_id: need('otherGameProductId') });
      expectError(response, productGameMismatch, 'open-points Errors/product-not-of-the-game');
    },
  ),
  'a game that needs a server misses it': writes(
    [server, 'interface 4.2/server'],
    async ({ order, need }) => {
      need('needsServer');
      for (const missing of [undefined, null, '', '  '])
        expectError(await order({ server: missing }), noServer, server);
    },
  ),
  "a total outside the payment method's limits is rejected": writes([limits, checks], async (probe) => {
    probe.need('sandboxCatalogue');
    // 1,600 + 4,250 is below 10,000; ten times 527,000 is above 5,000,000.
    expectOutsideLimits(probe, await probe.order({ product_id: 902, payment_method_id: 13 }));
    expectOutsideLimits(probe, await probe.order({ product_id: 911, quantity: 10 }));
  }),
  "the method's limits go by the total, fee included": writes([checks], async ({ order, need }) => {
    need('sandboxCatalogue');
    // 7,800 is below the minimum of a virtual account (10,000), but the fee of 4,250 raises the total above it.
    expectStatus(await order({ product_id: 904, payment_method_id: 13 }), 201, checks);
  }),
  'of two errors, the first in the order of checks is returned': writes([checks], async ({ order, need }) => {
    need('needsServer');
    const other = need('otherGameProductId');
    const idMissing = invalidField('id', { rule: 'required' });
    const no = { game: nonexistent.game, server: undefined, product_id: nonexistent.productId };
    const method = { payment_method_id: nonexistent.methodId };
    const promo = { promo_code: nonexistent.promoCode };
    expectError(await order({ id: undefined, ...no }), idMissing, checks);
    expectError(await order(no), gameNotFound, checks);
    expectError(await order({ server: undefined, product_id: nonexistent.productId }), noServer, checks);
    expectError(await order({ product_id: nonexistent.productId, ...method }), productNotFound, checks);
    expectError(await order({ product_id: other, ...method }), productGameMismatch, checks);
    expectError(await order({ ...method, ...promo }), methodNotFound, checks);
  }),
  "a promo is looked at before the method's limits": writes([checks], async ({ order, need }) => {
    need('sandboxCatalogue');
    const belowLimits = { product_id: 902, payment_method_id: 13 };
    expectError(await order({ ...belowLimits, promo_code: nonexistent.promoCode }), promoNotFound, checks);
  }),
};
