import { answerCases } from './answer-cases.ts';
import { catalogCases } from './catalog-cases.ts';
import { keyCases } from './key-cases.ts';
import { orderCases } from './order-cases.ts';
import { promoCases } from './promo-cases.ts';
import type { StoreCase } from './store-case.ts';

/**
 * What every store must do, one case a behaviour, for any test runner.
 *
 * @example
 * for (const { name, run } of storeSuite) it(name, () => run(createMemoryStore()));
 */
export const storeSuite: readonly StoreCase[] = [
  ...catalogCases,
  ...keyCases,
  ...orderCases,
  ...promoCases,
  ...answerCases,
];
