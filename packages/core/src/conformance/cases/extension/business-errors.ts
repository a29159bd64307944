import type { Topic } from '../../case.ts';
import { expectHeader, expectStatus } from '../../check.ts';
import type { Citation } from '../../citation.ts';
import type { Answer, Probe } from '../../probe.ts';
import {
  expectRefusal,
  gameNotFound,
  invalidField,
  methodNotFound,
  mismatch,
  nothing,
  productNotFound,
  promoNotFound,
  readError,
} from '../../refusal.ts';

const notFound: Citation = 'open-points Errors/game-product-method-not-found';
const limits: Citation = 'open-points Errors/amount-outside-the-method-s-limits';
const checks: Citation = 'open-points Errors/Order-of-checks-on-POST-order';
const server: Citation = 'open-points Errors/A-game-that-needs-a-server';

function expectOutsideLimits(probe: Probe, answer: Answer): void {
  expectStatus(answer, 422, limits);
  readError(probe, answer, 'PAYMENT_LIMIT', limits);
  expectHeader(answer, 'X-Error-Code', 'PAYMENT_LIMIT', limits);
}

const noServer = invalidField('server', 'The server field is required.');

export const businessErrorCases: Topic = [
  {
    name: 'game, product and payment method not found, in their words',
    cites: [notFound, 'open-points Errors/Every-error-carries-its-code-in'],
    needs: 'writes',
    async run({ order }) {
      expectRefusal(await order({ game: nothing.game }), gameNotFound, notFound);
      expectRefusal(await order({ product_id: nothing.productId }), productNotFound, notFound);
      expectRefusal(await order({ payment_method_id: nothing.methodId }), methodNotFound, notFound);
    },
  },
  {
    name: 'a product of another game, in its words',
    cites: ['open-points Errors/product-not-of-the-game'],
    needs: 'writes',
    async run({ order, need }) {
      const answer = await order({ product_id: need('otherGameProductId') });
      expectRefusal(answer, mismatch, 'open-points Errors/product-not-of-the-game');
    },
  },
  {
    name: 'a game that needs a server misses it',
    cites: [server, 'interface 4.2/server'],
    needs: 'writes',
    async run({ order, need }) {
      need('needsServer');
      for (const missing of [undefined, null, '', '  '])
        expectRefusal(await order({ server: missing }), noServer, server);
    },
  },
  {
    name: "a total outside the payment method's limits is refused",
    cites: [limits, checks],
    needs: 'writes',
    async run(probe) {
      probe.need('sandboxCatalogue');
      // 1,600 + 4,250 is below 10,000; ten times 527,000 is above 5,000,000.
      expectOutsideLimits(probe, await probe.order({ product_id: 902, payment_method_id: 13 }));
      expectOutsideLimits(probe, await probe.order({ product_id: 911, quantity: 10 }));
    },
  },
  {
    name: "the method's limits go by the total, fee included",
    cites: [checks],
    needs: 'writes',
    async run({ order, need }) {
      need('sandboxCatalogue');
      // 7,800 alone is below the 10,000 of a virtual account; with its fee of 4,250 it isn't.
      expectStatus(await order({ product_id: 904, payment_method_id: 13 }), 201, checks);
    },
  },
  {
    name: 'of two mistakes the first in the order of checks is told',
    cites: [checks],
    needs: 'writes',
    async run({ order, need }) {
      need('needsServer');
      const other = need('otherGameProductId');
      const idMissing = invalidField('id', 'The id field is required.');
      const no = { game: nothing.game, server: undefined, product_id: nothing.productId };
      const method = { payment_method_id: nothing.methodId };
      const promo = { promo_code: nothing.promoCode };
      expectRefusal(await order({ id: undefined, ...no }), idMissing, checks);
      expectRefusal(await order(no), gameNotFound, checks);
      expectRefusal(await order({ server: undefined, product_id: nothing.productId }), noServer, checks);
      expectRefusal(await order({ product_id: nothing.productId, ...method }), productNotFound, checks);
      expectRefusal(await order({ product_id: other, ...method }), mismatch, checks);
      expectRefusal(await order({ ...method, ...promo }), methodNotFound, checks);
    },
  },
  {
    name: "a promo is looked at before the method's limits",
    cites: [checks],
    needs: 'writes',
    async run({ order, need }) {
      need('sandboxCatalogue');
      const belowLimits = { product_id: 902, payment_method_id: 13 };
      expectRefusal(await order({ ...belowLimits, promo_code: nothing.promoCode }), promoNotFound, checks);
    },
  },
];
