import type { ConformanceCase, Topic } from '../probe.ts';
import { accountCheckCases } from './extension/account-check.ts';
import { businessErrorCases } from './extension/business-errors.ts';
import { catalogueCases } from './extension/catalogue.ts';
import { eventCases } from './extension/events.ts';
import { feeCases } from './extension/fees.ts';
import { httpCases } from './extension/http.ts';
import { idempotencyCases } from './extension/idempotency.ts';
import { invoiceCases } from './extension/invoices.ts';
import { keyCases } from './extension/keys.ts';
import { orderListCases } from './extension/order-list.ts';
import { paymentCases } from './extension/payments.ts';
import { pricingCases as extendedPricingCases } from './extension/pricing.ts';
import { promoValidationCases } from './extension/promo-validation.ts';
import { promoCases } from './extension/promos.ts';
import { stateCases } from './extension/states.ts';
import { validationCases as extendedValidationCases } from './extension/validation.ts';
import { authenticationCases } from './interface/authentication.ts';
import { errorCases } from './interface/errors.ts';
import { gamesCases } from './interface/games.ts';
import { ordersCases } from './interface/orders.ts';
import { pricingCases } from './interface/pricing.ts';
import { validationCases } from './interface/validation.ts';

/** Cases that every service must pass. */
const interfaceTopics: Record<string, Topic> = {
  games: gamesCases,
  authentication: authenticationCases,
  orders: ordersCases,
  pricing: pricingCases,
  rejections: errorCases,
  validation: validationCases,
};

/** Cases for the additions of `docs/open-points.md` to the interface. */
const extensionTopics: Record<string, Topic> = {
  'catalogue (extension)': catalogueCases,
  'keys (extension)': keyCases,
  'business errors (extension)': businessErrorCases,
  'promos (extension)': promoCases,
  'promo validation (extension)': promoValidationCases,
  'account check (extension)': accountCheckCases,
  'states (extension)': stateCases,
  'payments (extension)': paymentCases,
  'pricing (extension)': extendedPricingCases,
  'fees (extension)': feeCases,
  'invoices (extension)': invoiceCases,
  'order list (extension)': orderListCases,
  'events (extension)': eventCases,
  'validation (extension)': extendedValidationCases,
  'http (extension)': httpCases,
  'idempotency (extension)': idempotencyCases,
};

const from = (origin: ConformanceCase['origin'], topics: Record<string, Topic>): ConformanceCase[] =>
  Object.entries(topics).flatMap(([topic, cases]) =>
    Object.entries(cases).map(([name, topicCase]) => ({ ...topicCase, origin, name: `${topic}: ${name}` })),
  );

/**
 * The contract as runnable cases: first those of the interface, then those of `docs/open-points.md`.
 *
 * @example
 * for (const one of conformanceCases) it(one.name, async () => void (await runCase(one, target)));
 */
export const conformanceCases: readonly ConformanceCase[] = [
  ...from('interface', interfaceTopics),
  ...from('extension', extensionTopics),
];
