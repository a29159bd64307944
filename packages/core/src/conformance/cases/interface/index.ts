import type { Topic } from '../../case.ts';
import { authenticationCases } from './authentication.ts';
import { gamesCases } from './games.ts';
import { ordersCases } from './orders.ts';
import { pricingCases } from './pricing.ts';
import { refusalCases } from './refusals.ts';
import { validationCases } from './validation.ts';

/** What any service of the interface must do. */
export const interfaceTopics: Record<string, Topic> = {
  games: gamesCases,
  authentication: authenticationCases,
  orders: ordersCases,
  pricing: pricingCases,
  refusals: refusalCases,
  validation: validationCases,
};
