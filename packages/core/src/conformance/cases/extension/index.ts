import type { Topic } from '../../case.ts';
import { businessErrorCases } from './business-errors.ts';
import { catalogueCases } from './catalogue.ts';
import { feeCases } from './fees.ts';
import { httpCases } from './http.ts';
import { idempotencyCases } from './idempotency.ts';
import { invoiceCases } from './invoices.ts';
import { keyCases } from './keys.ts';
import { paymentCases } from './payments.ts';
import { pricingCases } from './pricing.ts';
import { promoValidationCases } from './promo-validation.ts';
import { promoCases } from './promos.ts';
import { stateCases } from './states.ts';
import { validationCases } from './validation.ts';

/** What the open points add to the interface. */
export const extensionTopics: Record<string, Topic> = {
  'catalogue (extension)': catalogueCases,
  'keys (extension)': keyCases,
  'business errors (extension)': businessErrorCases,
  'promos (extension)': promoCases,
  'promo validation (extension)': promoValidationCases,
  'states (extension)': stateCases,
  'payments (extension)': paymentCases,
  'pricing (extension)': pricingCases,
  'fees (extension)': feeCases,
  'invoices (extension)': invoiceCases,
  'validation (extension)': validationCases,
  'http (extension)': httpCases,
  'idempotency (extension)': idempotencyCases,
};
