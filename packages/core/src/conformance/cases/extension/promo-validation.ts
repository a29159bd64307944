import { answerSchemas } from '../../../contract/index.ts';
import type { Topic } from '../../case.ts';
import { expectAt, expectStatus, expectText, readAt } from '../../check.ts';
import type { Citation } from '../../citation.ts';
import type { Answer, Probe } from '../../probe.ts';
import {
  business,
  expectRefusal,
  gameNotFound,
  methodNotFound,
  mismatch,
  nothing,
  productNotFound,
  promoNotFound,
} from '../../refusal.ts';

const route: Citation = 'open-points Routes/POST-promo-validate';
const refused: Citation = 'open-points Errors/promo-refused';

/** Tries a code on the sample's order. */
function validate(probe: Probe, changes: object = {}): Promise<Answer> {
  const { order } = probe.sample;
  const body = {
    code: probe.need('promoCode'),
    game_slug: order.game,
    product_id: order.product_id,
    payment_method_id: order.payment_method_id,
    ...changes,
  };
  return probe.send('POST', '/promo/validate', {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });
}

export const promoValidationCases: Topic = [
  {
    name: 'a code that can be used is told with what it takes off one unit',
    cites: [route],
    needs: 'writes',
    async run(probe) {
      probe.need('sandboxCatalogue');
      const answer = await validate(probe);
      expectStatus(answer, 200, route);
      readAt(probe, answer, { schema: answerSchemas.validatePromo, rows: () => route });
      expectText(answer, 'message', /./, route);
      const promo = { code: 'RAMADAN10', discount_type: 'PERCENT', discount_value: 10 };
      expectAt(answer, 'data.promo', promo, route);
      const pricing = { base_price: 22_000, discount: 2_000, final_price: 20_000 };
      expectAt(answer, 'data.pricing', pricing, route);
    },
  },
  {
    name: 'what is not there is refused as an order is',
    cites: [route],
    needs: 'writes',
    async run(probe) {
      expectRefusal(await validate(probe, { game_slug: nothing.game }), gameNotFound, route);
      expectRefusal(await validate(probe, { product_id: nothing.productId }), productNotFound, route);
      const foreign = probe.need('otherGameProductId');
      expectRefusal(await validate(probe, { product_id: foreign }), mismatch, route);
      expectRefusal(await validate(probe, { payment_method_id: nothing.methodId }), methodNotFound, route);
      expectRefusal(await validate(probe, { code: nothing.promoCode }), promoNotFound, route);
    },
  },
  {
    name: 'a code that can not be used is refused for its reason',
    cites: [route, refused],
    needs: 'writes',
    async run(probe) {
      const codes = probe.need('refusedPromos');
      const expired = business(422, 'PROMO_EXPIRED', 'Kode promo sudah kedaluwarsa.');
      expectRefusal(await validate(probe, { code: codes.expired }), expired, refused);
      const usedUp = business(422, 'PROMO_QUOTA', 'Kuota kode promo sudah habis.');
      expectRefusal(await validate(probe, { code: codes.usedUp }), usedUp, refused);
      const game = business(422, 'PROMO_NOT_ELIGIBLE', 'Kode promo tidak berlaku untuk game ini.');
      expectRefusal(await validate(probe, { code: codes.otherGame }), game, refused);
    },
  },
  {
    name: 'missing fields are named, in their order',
    cites: [route],
    needs: 'writes',
    async run(probe) {
      const answer = await probe.send('POST', '/promo/validate', {
        body: '{}',
        headers: { 'Content-Type': 'application/json' },
      });
      expectStatus(answer, 422, route);
      expectAt(answer, 'message', 'The code field is required. (and 3 more errors)', route);
    },
  },
];
