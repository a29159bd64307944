import { messagesByField, summarise } from '@topup-kit/core/contract';
import { responseSchemas } from '@topup-kit/core/schemas';
import {
  businessError,
  expectAt,
  expectError,
  expectStatus,
  expectText,
  gameNotFound,
  inEachLanguage,
  languageOf,
  methodNotFound,
  nonexistent,
  productGameMismatch,
  productNotFound,
  promoNotFound,
  readAt,
} from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { type Probe, type ProbedResponse, type Topic, writes } from '../../probe.ts';

const route: SpecReference = 'open-points Routes/POST-promo-validate';
const rejected: SpecReference = 'open-points Errors/promo-rejected';

function validate(probe: Probe, changes: object = {}): Promise<ProbedResponse> {
  const { order } = probe.fixture;
  const body = {
    code: probe.need('promoCode'),
    game_slug: order.game,
    product_id: order.product_id,
    payment_method_id: order.payment_method_id,
    ...changes,
  };
  return probe.postTo('/promo/validate', body);
}

export const promoValidationCases: Topic = {
  'a code that can be used is returned with its discount of one unit': writes([route], async (probe) => {
    probe.need('sandboxCatalogue');
    const response = await validate(probe);
    expectStatus(response, 200, route);
    readAt(probe, response, { schema: responseSchemas.validatePromo, rows: () => route });
    expectText(response, 'message', /./, route);
    const promo = { code: 'RAMADAN10', discount_type: 'PERCENT', discount_value: 10 };
    expectAt(response, 'data.promo', promo, route);
    const pricing = { base_price: 22_000, discount: 2_000, final_price: 20_000 };
    expectAt(response, 'data.pricing', pricing, route);
  }),
  'unknown games, products, methods and codes are rejected as in an order': writes([route], async (probe) => {
    expectError(await validate(probe, { game_slug: nonexistent.game }), gameNotFound, route);
    expectError(await validate(probe, { product_id: nonexistent.productId }), productNotFound, route);
    const foreign = probe.need('otherGameProductId');
    expectError(await validate(probe, { product_id: foreign }), productGameMismatch, route);
    expectError(await validate(probe, { payment_method_id: nonexistent.methodId }), methodNotFound, route);
    expectError(await validate(probe, { code: nonexistent.promoCode }), promoNotFound, route);
  }),
  'a code that cannot be used is rejected with the reason': writes([route, rejected], async (probe) => {
    const codes = probe.need('rejectedPromos');
    const expired = businessError('PROMO_EXPIRED');
    expectError(await validate(probe, { code: codes.expired }), expired, rejected);
    const usedUp = businessError('PROMO_QUOTA');
    expectError(await validate(probe, { code: codes.usedUp }), usedUp, rejected);
    const game = businessError('PROMO_NOT_ELIGIBLE', { subject: { subject: 'game' } });
    expectError(await validate(probe, { code: codes.otherGame }), game, rejected);
  }),
  'missing fields are named, in their order': writes([route], async (probe) => {
    const response = await probe.postTo('/promo/validate', {});
    expectStatus(response, 422, route);
    const fields = ['code', 'game_slug', 'product_id', 'payment_method_id'];
    const errors = Object.fromEntries(fields.map((field) => [field, [{ rule: 'required' } as const]]));
    const texts = inEachLanguage((locale) => summarise(messagesByField(errors, locale), locale));
    expectAt(response, 'message', texts[languageOf(response, texts)], route);
  }),
};
